//! The command `webgpu-softbody-mesh` and files: what it writes, finds, refuses and leaves alone.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod command_support;

use std::fs;

use command_support::*;

#[test]
fn convert_writes_the_arrays_of_the_file_and_never_over_another() {
    let folder = Folder::new("convert");
    let name = folder.path("box");
    let source = data("import/box_gmsh22_binary.msh");
    let converted = run(&["convert", &source, "-o", &name]);
    assert_eq!(
        (converted.status, converted.err.as_str()),
        (0, ""),
        "{}",
        converted.out
    );
    assert!(
        converted.out.contains("box_positions.vec3f32bin"),
        "{}",
        converted.out
    );
    let files = ["box_positions.vec3f32bin", "box_tet_indices.vec4u32bin"];
    assert_eq!(folder.names(), files);
    assert_eq!(words(&name), words(&data("import/ref_box")));

    // Once more without --force: refused before anything is read, and nothing is touched.
    fs::write(folder.0.join(files[0]), "precious").expect("writes");
    let again = run(&["convert", "no such file", "-o", &name]);
    assert_eq!(again.status, 3);
    assert!(
        again.err.contains(files[0]) && again.err.contains("--force"),
        "{}",
        again.err
    );
    assert_eq!(
        fs::read(folder.0.join(files[0])).expect("reads"),
        b"precious"
    );
    let forced = run(&[
        "convert",
        &source,
        "--force",
        "--json",
        &format!("--output={name}"),
    ]);
    assert_eq!((forced.status, forced.err.as_str()), (0, ""));
    assert_eq!(words(&name), words(&data("import/ref_box")));
    let object = json(&forced.out);
    assert_eq!(object["files"].as_array().map(Vec::len), Some(2));
    assert!(
        object["files"][0]
            .as_str()
            .is_some_and(|path| path.ends_with(files[0]))
    );
    assert_eq!(folder.names(), files, "nothing else is left");
    let quiet = run(&["convert", &source, "-fqo", &name]);
    assert_eq!(
        (quiet.status, quiet.out.as_str(), quiet.err.as_str()),
        (0, "", "")
    );

    // What was written is read again, by one of its names.
    let read = json(&run(&["info", "--json", &folder.path(files[1])]).out);
    assert_eq!(read["report"]["tets"], 48);
}

#[test]
fn a_folder_in_the_place_of_one_file_keeps_both_from_being_written() {
    let source = data("import/box_gmsh22_binary.msh");
    let files = ["box_positions.vec3f32bin", "box_tet_indices.vec4u32bin"];
    for (taken, other) in [(files[0], files[1]), (files[1], files[0])] {
        let folder = Folder::new("folder-taken");
        fs::create_dir(folder.path(taken)).expect("a folder");
        fs::write(folder.path(other), "precious").expect("writes");
        let refused = run(&["convert", "-f", &source, "-o", &folder.path("box")]);
        assert_eq!((refused.status, refused.out.as_str()), (3, ""));
        assert!(
            refused.err.contains(&format!("{taken} is a folder")),
            "{}",
            refused.err
        );
        assert_eq!(fs::read(folder.path(other)).expect("reads"), b"precious");
        assert_eq!(folder.names(), files, "nothing else is left");
    }
}

#[test]
fn options_move_the_mesh() {
    let folder = Folder::new("options");
    let name = folder.path("moved");
    let options = [
        "--units",
        "in",
        "--scale",
        "2",
        "--center",
        "--drop-to-floor",
    ];
    let source = data("import/box_medit_ascii.mesh");
    let arguments = [&["convert", &source, "-qo", &name][..], &options].concat();
    assert_eq!(run(&arguments).status, 0);
    let (moved, _) = words(&name);
    let (original, _) = words(&data("import/ref_box"));
    let range = |values: &[f32], axis: usize| {
        let axis = values.iter().skip(axis).step_by(3).copied();
        (
            axis.clone().fold(f32::MAX, f32::min),
            axis.fold(f32::MIN, f32::max),
        )
    };
    for axis in 0..3 {
        let ((a, b), (low, high)) = (range(&original, axis), range(&moved, axis));
        assert!(
            ((high - low) - 0.0508 * (b - a)).abs() < 1e-6,
            "axis {axis}: {low} to {high}"
        );
        let wanted = if axis == 1 { 0.0 } else { -0.5 * (high - low) };
        assert!((low - wanted).abs() < 1e-6, "axis {axis}: {low} to {high}");
    }
}

#[test]
fn welding_is_asked_for_with_and_without_a_distance() {
    let folder = Folder::new("weld");
    // Two tets on a common face that neither knows of, a ten-thousandth apart.
    let mesh = "MeshVersionFormatted 1\nDimension 3\nVertices 8\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n\
                0 0 0 0\n1 0 0 0\n0 1 0.0001 0\n0 0 -1 0\nTetrahedra 2\n1 2 3 4 0\n5 7 6 8 0\nEnd\n";
    fs::write(folder.path("pair.mesh"), mesh).expect("writes");
    for (option, merged) in [("--weld", 2), ("--weld=1e-3", 3)] {
        let object = json(&run(&["info", &folder.path("pair.mesh"), "--json", option]).out);
        let findings = object["report"]["findings"].as_array().expect("findings");
        let found = findings
            .iter()
            .find(|f| f["code"] == "duplicate-vertices")
            .expect("the finding");
        assert_eq!(
            (&found["count"], &found["mended"]),
            (&merged.into(), &true.into()),
            "{option}"
        );
    }
}

#[test]
fn files_that_belong_together_find_each_other() {
    for (file, tets) in [
        ("box_tetgen.node", 48),
        ("box_tetgen.ele", 48),
        ("pair_zero_based.ele", 2),
    ] {
        let found = run(&["info", "--json", &data(&format!("import/{file}"))]);
        assert_eq!(found.status, 0, "{file}: {}", found.err);
        assert_eq!(json(&found.out)["report"]["tets"], tets, "{file}");
    }
    let both = run(&[
        "info",
        "--json",
        &data("import/box_tetgen.node"),
        &data("import/box_tetgen.ele"),
    ]);
    assert_eq!(json(&both.out)["report"]["tets"], 48);
    let found = run(&["info", "--json", &data("surfaces_import/picture.gltf")]);
    assert_eq!(found.status, 0, "{}", found.err);

    // But not outside the folder of the first.
    let folder = Folder::new("companions");
    fs::create_dir(folder.path("inner")).expect("a folder");
    let gltf = fs::read_to_string(data("surfaces_import/picture.gltf")).expect("reads");
    assert!(gltf.contains("picture.bin"));
    fs::copy(
        data("surfaces_import/picture.bin"),
        folder.path("picture.bin"),
    )
    .expect("copies");
    fs::copy(
        data("surfaces_import/checker.png"),
        folder.path("inner/checker.png"),
    )
    .expect("copies");
    let outside = folder.path("inner/picture.gltf");
    fs::copy(
        data("surfaces_import/picture.bin"),
        folder.path("inner/a.bin"),
    )
    .expect("copies");
    fs::write(&outside, gltf.replace("picture.bin", "./a.bin")).expect("writes");
    let found = run(&["info", "--json", &outside]);
    assert_eq!(found.status, 0, "{}", found.err);
    for address in ["../picture.bin".to_owned(), folder.path("picture.bin")] {
        fs::write(&outside, gltf.replace("picture.bin", &address)).expect("writes");
        let refused = run(&["info", "--json", &outside]);
        assert_eq!(refused.status, 1, "{address}");
        assert_eq!(
            json(&refused.out)["error"]["kind"],
            "missing-companion",
            "{address}"
        );
    }
}

#[test]
fn a_surface_is_filled_with_the_tets_asked_for_the_same_each_time() {
    let folder = Folder::new("fill");
    let bunny = format!("{}/assets/surfaces/bunny.obj", env!("CARGO_MANIFEST_DIR"));
    let mut written = Vec::new();
    for name in ["first", "second"] {
        let name = folder.path(name);
        let filled = run(&[
            "tetrahedralize",
            &bunny,
            "--tets",
            "2000",
            "--json",
            "-o",
            &name,
        ]);
        // No bar where standard error is no terminal.
        assert_eq!(
            (filled.status, filled.err.as_str()),
            (0, ""),
            "{}",
            filled.out
        );
        let object = json(&filled.out);
        let tets = object["report"]["tets"].as_u64().expect("a count");
        assert!((1800..=2200).contains(&tets), "{tets}");
        assert!(object["filling"]["cellSize"].as_f64() > Some(0.0));
        assert!(object["filling"]["minDihedralDegrees"].as_f64() > Some(5.0));
        assert_eq!(words(&name).1.len() as u64, 4 * tets);
        written.push(words(&name));
    }
    assert_eq!(written[0], written[1]);
    let name = folder.path("cells");
    let filled = run(&["tetrahedralize", &bunny, "--cell-size", "1.5", "-o", &name]);
    assert_eq!(filled.status, 0, "{}", filled.err);
    assert!(filled.out.contains("cells of 1.5 m"), "{}", filled.out);
    // `convert` fills too, with a resolution of its own.
    let cube = data("surfaces_import/tetrahedron_ascii.stl");
    let converted = run(&["convert", &cube, "--json", "-o", &folder.path("converted")]);
    let tets = json(&converted.out)["report"]["tets"]
        .as_u64()
        .expect("a count");
    assert!((4500..=5500).contains(&tets), "{tets}");
}

#[test]
fn trouble_with_files_has_a_status_of_its_own() {
    let folder = Folder::new("io");
    let missing = folder.path("missing.msh");
    let refused = run(&["info", &missing, "--json"]);
    assert_eq!(refused.status, 3);
    assert!(refused.err.contains("missing.msh"), "{}", refused.err);
    assert_eq!(json(&refused.out)["error"]["kind"], "io");
    let source = data("import/box_medit_ascii.mesh");
    let nowhere = run(&["convert", &source, "-o", &folder.path("no/such/folder")]);
    assert_eq!(nowhere.status, 3);
    assert!(
        nowhere.err.contains("no/such/folder_positions.vec3f32bin"),
        "{}",
        nowhere.err
    );
    assert!(
        nowhere.err.contains("there is no folder"),
        "{}",
        nowhere.err
    );
    // The second file cannot take its place, so nothing of the first is left beside it.
    fs::create_dir(folder.path("x_tet_indices.vec4u32bin")).expect("a folder in the way");
    let blocked = run(&["convert", &source, "--force", "-o", &folder.path("x")]);
    assert_eq!(blocked.status, 3, "{}", blocked.err);
    assert!(
        folder.names().iter().all(|name| !name.starts_with('.')),
        "{:?}",
        folder.names()
    );
}

#[test]
fn a_second_mesh_is_not_left_out_in_silence() {
    let tets = data("import/box_medit_ascii.mesh");
    let surface = data("surfaces_import/cube.obj");
    for (files, left) in [
        (
            [&surface, &tets],
            "\"box_medit_ascii.mesh\" is a mesh of its own",
        ),
        ([&tets, &surface], "\"cube.obj\" is a mesh of its own"),
    ] {
        let told = run(&["info", files[0], files[1]]);
        assert!(told.out.contains(left), "{}", told.out);
    }
    // Companions are no meshes.
    let material = data("surfaces_import/cube.mtl");
    let (nodes, elements) = (
        data("import/box_tetgen.node"),
        data("import/box_tetgen.ele"),
    );
    let picture = data("surfaces_import/picture.gltf");
    let (buffer, texels) = (
        data("surfaces_import/picture.bin"),
        data("surfaces_import/checker.png"),
    );
    for files in [
        vec!["info", &surface, &material],
        vec!["info", &nodes, &elements],
        vec!["info", &picture, &buffer, &texels],
    ] {
        let told = run(&files);
        assert_eq!(told.status, 0, "{}", told.err);
        assert!(!told.out.contains("of its own"), "{}", told.out);
    }
}

#[test]
fn material_libraries_and_images_beside_the_file_are_read() {
    let notes = |arguments: &[&str]| {
        let found = run(arguments);
        assert_eq!(found.status, 0, "{}", found.err);
        json(&found.out)["notes"].clone()
    };
    assert_eq!(
        notes(&["info", "--json", &data("surfaces_import/cube.obj")]),
        serde_json::json!([])
    );
    let folder = Folder::new("looks");
    let text = fs::read_to_string(data("surfaces_import/cube.obj")).expect("reads");
    assert!(text.contains("mtllib cube.mtl"));
    let file = folder.path("cube.obj");
    fs::write(
        &file,
        text.replace("mtllib cube.mtl", "mtllib .\\looks\\cube.mtl"),
    )
    .expect("writes");
    let body = folder.path("body");
    let convert = [
        "tetrahedralize",
        &file,
        "--tets",
        "300",
        "-o",
        &body,
        "--json",
        "--force",
    ];
    for arguments in [&["info", "--json", &file][..], &convert] {
        let missing = notes(arguments);
        assert_eq!(
            missing[0],
            "the material library \".\\\\looks\\\\cube.mtl\" was not given: the materials are white",
            "{arguments:?}"
        );
    }
    // The library names an image, which must be below the first file too.
    fs::create_dir(folder.path("looks")).expect("a folder");
    fs::copy(
        data("surfaces_import/cube.mtl"),
        folder.path("looks/cube.mtl"),
    )
    .expect("copies");
    for arguments in [&["info", "--json", &file][..], &convert] {
        assert_eq!(
            notes(arguments)[0],
            "the image \"checker.png\" was not given: its material has its colour only",
            "{arguments:?}"
        );
    }
    fs::write(folder.path("checker.png"), b"BM").expect("writes");
    for arguments in [&["info", "--json", &file][..], &convert] {
        assert_eq!(
            notes(arguments)[0],
            "the image \"checker.png\" is BMP, not PNG or JPEG: its material has its colour only",
            "{arguments:?}"
        );
    }
}
