//! Whatever a file claims to hold, reading it takes no more memory than a small multiple of its size.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

#[path = "import_support/counting.rs"]
mod counting;
#[path = "import_support/mutate.rs"]
mod mutate;
#[path = "import_support/seeds.rs"]
mod seeds;

use std::io::Write;

use counting::{Counting, allowed, peak_of};
use mutate::{Random, mutate};
use seeds::seeds;
use webgpu_softbody::import::{NamedFile, import};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn check(files: &[(String, Vec<u8>)]) -> f64 {
    let named: Vec<NamedFile> = files
        .iter()
        .map(|(name, bytes)| NamedFile { name, bytes })
        .collect();
    let input: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let (_, peak) = peak_of(|| import(&named).map_err(|error| error.to_string()));
    assert!(
        peak <= allowed(input),
        "{}: {peak} bytes held for {input} bytes: {:?}",
        files[0].0,
        String::from_utf8_lossy(&files[0].1[..files[0].1.len().min(300)])
    );
    peak as f64 / input.max(1) as f64
}

/// Files of about a megabyte made to be costly: the constant of the bound must not hide the multiple.
fn costly() -> Vec<(&'static str, String)> {
    let lines = |line: &str| line.repeat((1 << 20) / line.len());
    let count = 1 << 16;
    let gmsh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n";
    let medit = "MeshVersionFormatted 1\nVertices 1\n0 0 0 0\n";
    let vtk = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
    let piece = "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>";
    vec![
        (
            "nodes.msh",
            format!(
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9000000000\n{}",
                (0..100_000)
                    .rev()
                    .map(|n| format!("{n} 0 0 0\n"))
                    .collect::<String>()
            ),
        ),
        (
            "hexes.msh",
            format!(
                "{gmsh}$Elements\n9000000000\n{}",
                lines("1 5 0 1 1 1 1 1 1 1 1\n")
            ),
        ),
        (
            "tets.msh",
            format!("{gmsh}$Elements\n9000000000\n{}", lines("1 4 0 1 1 1 1\n")),
        ),
        ("sections.msh", format!("{gmsh}{}", lines("$a\n$Enda\n"))),
        (
            "vertices.mesh",
            format!(
                "MeshVersionFormatted 1\nVertices 9000000000\n{}",
                lines("0 0 0 0\n")
            ),
        ),
        ("sections.mesh", format!("{medit}{}", lines("Prisms 0\n"))),
        (
            "hexes.mesh",
            format!(
                "{medit}Hexahedra 9000000000\n{}",
                lines("1 1 1 1 1 1 1 1 0\n")
            ),
        ),
        (
            "points.vtk",
            format!("{vtk}POINTS 9000000000 float\n{}", lines("0 0 0\n")),
        ),
        (
            "tets.vtk",
            format!(
                "{vtk}POINTS 1 float\n0 0 0\nCELLS {count} {}\n{}CELL_TYPES {count}\n{}",
                5 * count,
                "4 0 0 0 0\n".repeat(count),
                "10\n".repeat(count)
            ),
        ),
        ("hexes.vtk", {
            let points = "0 0 0\n".repeat(8);
            format!(
                "{vtk}POINTS 8 float\n{points}CELLS {count} {}\n{}CELL_TYPES {count}\n{}",
                9 * count,
                "8 0 1 2 3 4 5 6 7\n".repeat(count),
                "12\n".repeat(count)
            )
        }),
        (
            "pieces.vtu",
            format!(
                "{piece}{}",
                lines("<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>")
            ),
        ),
        (
            "claims.vtu",
            format!(
                "{piece}{}",
                lines(
                    "<Piece NumberOfPoints=\"90000\" NumberOfCells=\"0\"><Points><DataArray type=\"Float32\">0</DataArray></Points></Piece>"
                )
            ),
        ),
        (
            "nodes.inp",
            format!(
                "*NODE\n{}",
                (0..150_000)
                    .rev()
                    .map(|n| format!("{n}\n"))
                    .collect::<String>()
            ),
        ),
        (
            "parts.inp",
            (0..60_000)
                .map(|n| format!("*PART,NAME={n}\n"))
                .collect::<String>(),
        ),
        (
            "blocks.inp",
            format!("*NODE\n1\n{}", lines("*ELEMENT,TYPE=C3D4\n")),
        ),
        (
            "types.inp",
            format!(
                "*NODE\n1\n{}",
                (0..50_000)
                    .map(|n| format!("*ELEMENT,TYPE=S{n}\n1\n"))
                    .collect::<String>()
            ),
        ),
        (
            "hexes.inp",
            format!(
                "*NODE\n1\n2\n3\n4\n5\n6\n7\n8\n*ELEMENT,TYPE=C3D8\n{}",
                lines("1,1,2,3,4,5,6,7,8\n")
            ),
        ),
    ]
}

/// A VTU file of hexahedra in single bytes: the densest of all.
fn dense() -> Vec<u8> {
    let cells = 1 << 17;
    let mut file = format!(
        "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"8\" NumberOfCells=\"{cells}\">\
         <Points><DataArray type=\"Int8\" format=\"appended\" offset=\"0\"/></Points><Cells>\
         <DataArray Name=\"connectivity\" type=\"Int8\" format=\"appended\" offset=\"28\"/>\
         <DataArray Name=\"types\" type=\"Int8\" format=\"appended\" offset=\"{}\"/>\
         <DataArray Name=\"offsets\" type=\"Int32\" format=\"appended\" offset=\"{}\"/>\
         </Cells></Piece></UnstructuredGrid><AppendedData encoding=\"raw\">_",
        32 + 8 * cells,
        36 + 9 * cells,
    )
    .into_bytes();
    let mut array = |bytes: &[u8]| {
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(bytes);
    };
    array(&[0; 24]);
    array(&[0, 1, 2, 3, 4, 5, 6, 7].repeat(cells));
    array(&vec![12; cells]);
    array(
        &(1..=cells as u32)
            .flat_map(|cell| (8 * cell).to_le_bytes())
            .collect::<Vec<u8>>(),
    );
    file
}

/// A VTU file whose cells are zeros that compress a thousandfold.
fn bomb() -> Vec<u8> {
    let cells = 10_000_000;
    let zeros = |bytes: usize| {
        let data = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; bytes], 9);
        let mut block = Vec::new();
        for number in [1, bytes as u32, 0, data.len() as u32] {
            block
                .write_all(&number.to_le_bytes())
                .expect("a vector takes bytes");
        }
        block.extend(data);
        block
    };
    let parts = [zeros(12), zeros(cells), zeros(cells), zeros(cells)];
    let offsets: Vec<usize> = parts
        .iter()
        .scan(0, |sum, part| {
            *sum += part.len();
            Some(*sum - part.len())
        })
        .collect();
    let array = |name: &str, kind: &str, n: usize| {
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"appended\" offset=\"{}\"/>",
            offsets[n]
        )
    };
    let mut file = format!(
        "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\"><UnstructuredGrid>\
         <Piece NumberOfPoints=\"1\" NumberOfCells=\"{cells}\"><Points>{}</Points><Cells>{}{}{}</Cells></Piece>\
         </UnstructuredGrid><AppendedData encoding=\"raw\">_",
        array("Points", "Float32", 0), array("connectivity", "UInt8", 1), array("offsets", "UInt8", 2), array("types", "UInt8", 3),
    )
    .into_bytes();
    file.extend(parts.concat());
    file
}

// One test: the counters are those of the whole process.
#[test]
fn memory_stays_within_a_small_multiple_of_the_input() {
    let mut worst = (0.0, "");
    for (name, text) in costly() {
        let ratio = check(&[(name.to_owned(), text.into_bytes())]);
        println!("{name}: {ratio:.1}");
        if ratio > worst.0 {
            worst = (ratio, name);
        }
    }
    let dense = dense();
    let (outcome, peak) = peak_of(|| {
        import(&[NamedFile {
            name: "",
            bytes: &dense,
        }])
    });
    let ratio = peak as f64 / dense.len() as f64;
    println!("dense.vtu: {ratio:.1}");
    assert!(
        outcome.is_ok() && ratio < 20.0,
        "{ratio} {:?}",
        outcome.err()
    );
    // The counters count: the densest of these files cannot be held in less than it expands to.
    assert!(
        worst.0 > 4.0,
        "only {} times the input, for {}",
        worst.0,
        worst.1
    );

    let file = bomb();
    let length = file.len();
    let (outcome, peak) = peak_of(|| {
        import(&[NamedFile {
            name: "bomb.vtu",
            bytes: &file,
        }])
    });
    let message = outcome.expect_err("a bomb").to_string();
    assert!(message.contains("more than a file of"), "{message}");
    assert!(
        length < 100_000 && peak < allowed(length),
        "{peak} bytes held for {length}"
    );

    let seeds = seeds(&[]);
    assert!(seeds.len() > 40, "{} seeds", seeds.len());
    let mut random = Random(3);
    for round in 0..40 {
        for n in 0..seeds.len() {
            let mut files = seeds[n].files.clone();
            if round > 0 {
                let other = &seeds[random.below(seeds.len())].files[0].1;
                let target = random.below(files.len());
                mutate(&mut files[target].1, other, &mut random);
            }
            check(&files);
        }
    }
}
