//! The command `webgpu-softbody-mesh` as a user meets it: output, files, errors and exit statuses.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod command_support;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use command_support::*;

#[test]
fn info_tells_people_and_programs_the_same() {
    let file = data("import/sfepy_beam_t42.mesh");
    let people = run(&["info", &file]);
    assert_eq!(
        (people.status, people.err.as_str()),
        (0, ""),
        "{}",
        people.out
    );
    for part in [
        "Medit",
        "vertices            32\n",
        "tets                42\n",
        "mended: flipped-tets: 42 of 42",
    ] {
        assert!(
            people.out.contains(part),
            "{part:?} is missing from\n{}",
            people.out
        );
    }
    for line in people.out.lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
    }
    let program = run(&["info", &file, "--json"]);
    assert_eq!((program.status, program.err.as_str()), (0, ""));
    let object = json(&program.out);
    assert_eq!(object["content"], "tets");
    assert_eq!(
        (&object["report"]["vertices"], &object["report"]["tets"]),
        (&32.into(), &42.into())
    );
    assert_eq!(
        object["report"]["shape"]["dihedralHistogram"]
            .as_array()
            .map(Vec::len),
        Some(18)
    );
    for finding in object["report"]["findings"].as_array().expect("findings") {
        let code = finding["code"].as_str().expect("a code");
        assert!(
            people.out.contains(&format!(": {code}: ")),
            "{code} is missing from\n{}",
            people.out
        );
    }
    let surface = json(&run(&["info", "--json", &data("surfaces_import/cube.obj")]).out);
    assert_eq!(
        (&surface["content"], &surface["report"]["closed"]),
        (&"surface".into(), &true.into())
    );
    assert!(surface["report"]["triangles"].as_u64() >= Some(12));
}

#[test]
fn findings_are_a_failure_only_where_that_is_asked_for() {
    let flawed = data("import/sfepy_beam_t42.mesh");
    let sound = data("import/sfepy_msh_tetra.msh");
    for (arguments, status) in [
        (vec!["info", &flawed, "-q"], 0),
        (vec!["info", &flawed, "--strict", "--quiet"], 4),
        (vec!["info", &sound, "--strict", "--quiet"], 0),
    ] {
        let found = run(&arguments);
        assert_eq!(
            (found.status, found.out.as_str(), found.err.as_str()),
            (status, "", ""),
            "{arguments:?}"
        );
    }
    let object = json(&run(&["info", &flawed, "--strict", "--json"]).out);
    assert!(object["report"]["findings"].is_array());
}

#[test]
fn programs_hear_of_a_command_line_that_cannot_be_understood() {
    let refused = run(&["info", "--json", "--units", "ft", "x.obj"]);
    assert_eq!(refused.status, 2);
    let error = &json(&refused.out)["error"];
    assert_eq!(error["kind"], "usage");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("ft"))
    );
    assert_eq!(run(&["info", "--units", "ft", "x.obj"]).out, "");
}

#[test]
fn broken_files_are_named_with_the_place() {
    let folder = Folder::new("broken");
    let cases = [
        (
            "import/pair_truncated.mesh",
            "malformed",
            &["pair_truncated.mesh", "line "][..],
        ),
        (
            "import/pair_no_tets.msh",
            "no-tets",
            &["pair_no_tets.msh", "tetrahedra"],
        ),
        ("import/manifest.json", "unknown-format", &["manifest.json"]),
        (
            "bad/nan_coordinate_positions.vec3f32bin",
            "invalid-mesh",
            &["nan_coordinate", "vertex 13", "NaN"],
        ),
        (
            "bad/one_based_indices_tet_indices.vec4u32bin",
            "invalid-mesh",
            &["one-based"],
        ),
    ];
    for (file, kind, parts) in cases {
        let path = data(file);
        for arguments in [
            vec!["info", &path, "--json"],
            vec!["convert", &path, "--json", "-o", &folder.path("x")],
        ] {
            let refused = run(&arguments);
            assert_eq!(refused.status, 1, "{arguments:?}: {}", refused.err);
            let error = &json(&refused.out)["error"];
            assert_eq!(error["kind"], kind, "{arguments:?}: {}", refused.err);
            let message = error["message"].as_str().expect("a message");
            assert_eq!(refused.err, format!("webgpu-softbody-mesh: {message}\n"));
            for part in parts {
                assert!(
                    message.contains(part),
                    "{part:?} is missing from {message:?}"
                );
            }
        }
        let plain = run(&["info", &path]);
        assert_eq!((plain.status, plain.out.as_str()), (1, ""), "{file}");
    }
    let tets = data("import/box_medit_ascii.mesh");
    let refused = run(&[
        "tetrahedralize",
        &tets,
        "--tets",
        "100",
        "--json",
        "-o",
        &folder.path("x"),
    ]);
    assert_eq!(refused.status, 1);
    assert_eq!(json(&refused.out)["error"]["kind"], "no-surface");
    assert!(
        refused.err.contains("48 tets") && refused.err.contains("convert"),
        "{}",
        refused.err
    );
    assert_eq!(folder.names(), Vec::<String>::new(), "nothing was written");
}

#[test]
fn command_lines_that_make_no_sense_are_explained() {
    let cases: [(&[&str], &str); 32] = [
        (&[], "a subcommand is needed"),
        (&["frobnicate"], "\"frobnicate\" is no subcommand"),
        (&["info"], "a FILE is needed"),
        (&["info", "a", "--wrong"], "--wrong"),
        (
            &["info", "a", "-o", "x"],
            "--output has no meaning for info",
        ),
        (&["info", "a", "--tets", "5"], "no meaning for info"),
        (&["info", "a", "--force"], "--force has no meaning"),
        (&["info", "-", "-"], "only once"),
        (&["info", "a", "--json=yes"], "--json"),
        (&["convert", "a"], "-o NAME is needed"),
        (&["convert", "a", "-o"], "-o"),
        (&["convert", "a", "-o", ""], "not a folder"),
        (&["convert", "a", "-o", "folder/"], "not a folder"),
        (&["convert", "a", "-o", "."], "not a folder"),
        (&["convert", "a", "-o", ".."], "not a folder"),
        (&["convert", "a", "-o", "folder/."], "not a folder"),
        (&["convert", "a", "-o", "folder/.."], "not a folder"),
        (
            &["convert", "a", "-o", "x", "--strict"],
            "--strict has no meaning",
        ),
        (
            &["convert", "a", "-o", "x", "--tets", "5"],
            "no meaning for convert",
        ),
        (
            &["convert", "a", "-o", "x", "--units", "ft"],
            "m, cm, mm and in",
        ),
        (
            &["convert", "a", "-o", "x", "--scale", "0"],
            "scale factor 0",
        ),
        (
            &["convert", "a", "-o", "x", "--scale", "two"],
            "--scale takes a positive number",
        ),
        (&["convert", "a", "-o", "x", "--weld=-1"], "weld = -1"),
        (
            &["tetrahedralize", "a", "-o", "x", "--tets", "many"],
            "--tets takes a whole number",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--tets", "0"],
            "from 1 to 4000000, not 0",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--tets", "4000001"],
            "from 1 to 4000000, not 4000001",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--tets", "5000000000"],
            "from 1 to 4000000, not \"5000000000\"",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--cell-size", "0"],
            "positive size in metres, not 0",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--cell-size", "nan"],
            "positive size in metres, not NaN",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--cell-size", "inf"],
            "positive size in metres, not inf",
        ),
        (
            &["tetrahedralize", "a", "-o", "x", "--cell-size", "-1"],
            "positive size",
        ),
        (
            &[
                "tetrahedralize",
                "a",
                "-o",
                "x",
                "--tets",
                "5",
                "--cell-size",
                "1",
            ],
            "only one of",
        ),
    ];
    for (arguments, part) in cases {
        let refused = run(arguments);
        assert_eq!(
            (refused.status, refused.out.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            refused.err
        );
        assert!(
            refused.err.contains(part),
            "{arguments:?}: {part:?} is missing from {:?}",
            refused.err
        );
        assert!(
            refused.err.contains("--help'"),
            "{arguments:?}: {:?}",
            refused.err
        );
    }
}

#[test]
fn help_is_a_manual() {
    let general = run(&["--help"]);
    assert_eq!((general.status, general.err.as_str()), (0, ""));
    for verb in ["info", "convert", "tetrahedralize"] {
        assert!(
            general
                .out
                .contains(&format!("webgpu-softbody-mesh {verb} ")),
            "{}",
            general.out
        );
        let help = run(&[verb, "--help"]);
        assert_eq!((help.status, help.err.as_str()), (0, ""));
        let mut place = 0;
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "FORMATS",
            "EXIT STATUS",
            "EXAMPLES",
        ] {
            let found = help.out[place..].find(&format!("{section}\n"));
            place += found.unwrap_or_else(|| panic!("{verb}: no {section} in its place"));
        }
        for line in help.out.lines() {
            assert!(
                line.chars().count() <= 112 && !line.ends_with(' '),
                "{verb}: {line:?}"
            );
        }
        assert_eq!(run(&["help", verb]).out, help.out);

        // Every option of the manual is one: a file that does not exist is the first thing wrong.
        let options = help
            .out
            .lines()
            .filter_map(|line| line.trim_start().split_once("--"))
            .map(|(_, rest)| rest);
        let mut tried = 0;
        for option in options.take_while(|rest| !rest.starts_with("version")) {
            let word: String = option
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || *c == '-')
                .collect();
            if word == "help" || help.out.find(&format!("--{word}")) < help.out.find("OPTIONS") {
                continue;
            }
            let value = match word.as_str() {
                "units" => vec!["mm"],
                "scale" | "cell-size" => vec!["2"],
                "tets" => vec!["7"],
                "output" => vec!["x"],
                _ => vec![],
            };
            let option = format!("--{word}");
            let mut arguments = vec![verb, "no such file", &option];
            arguments.extend(&value);
            if verb != "info" && word != "output" {
                arguments.extend(["-o", "no such folder/x"]);
            }
            assert_eq!(
                run(&arguments).status,
                3,
                "{arguments:?}: {}",
                run(&arguments).err
            );
            tried += 1;
        }
        assert!(tried >= 7, "{verb}: only {tried} options");
    }
    let version = run(&["--version"]);
    assert_eq!(
        (version.status, version.out),
        (
            0,
            format!("webgpu-softbody-mesh {}\n", env!("CARGO_PKG_VERSION"))
        )
    );
}

#[test]
fn standard_input_is_read_and_a_reader_that_leaves_is_no_error() {
    let bytes = fs::read(data("import/box_vtk51_binary.vtk")).expect("reads");
    let mut child = command(&["info", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(&bytes)
        .expect("is read");
    let found = ran(child.wait_with_output().expect("ends"));
    assert_eq!(found.status, 0, "{}", found.err);
    assert_eq!(json(&found.out)["report"]["tets"], 48);

    let mut child = command(&["info", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .expect("piped")
        .write_all(&bytes)
        .expect("is read");
    let found = ran(child.wait_with_output().expect("ends"));
    assert_eq!((found.status, found.err.as_str()), (0, ""));
}
