//! Rare but valid ways of writing each format, written here: byte orders, numberings, orders of sections, parts.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_support;

use import_support::{folder, read, reference};
use webgpu_softbody::import::{Content, Imported, NamedFile, import};

fn read_one(name: &str, bytes: &[u8]) -> Imported {
    import(&[NamedFile { name, bytes }]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The mesh must be the stored pair of tets.
fn assert_pair(imported: &Imported) {
    let (positions, tets) = reference("ref_pair");
    assert_eq!(imported.content, Content::Tets { positions, tets });
}

/// A binary file under construction, in either byte order.
struct Writer {
    bytes: Vec<u8>,
    big: bool,
}

impl Writer {
    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes.extend(text.as_bytes());
        self
    }

    fn put<const N: usize>(&mut self, mut little: [u8; N]) {
        if self.big {
            little.reverse();
        }
        self.bytes.extend(little);
    }

    fn ints(&mut self, values: &[i32]) -> &mut Self {
        values
            .iter()
            .for_each(|value| self.put(value.to_le_bytes()));
        self
    }

    fn sizes(&mut self, values: &[u64]) -> &mut Self {
        values
            .iter()
            .for_each(|value| self.put(value.to_le_bytes()));
        self
    }

    fn reals(&mut self, values: &[f32]) -> &mut Self {
        values
            .iter()
            .for_each(|&value| self.put(f64::from(value).to_le_bytes()));
        self
    }
}

/// Node tags that are neither sorted nor consecutive.
const TAGS: [u64; 5] = [70, 3, 1_000_000, 12, 11];

#[test]
fn gmsh_binary_in_both_byte_orders() {
    let (positions, tets) = reference("ref_pair");
    for big in [false, true] {
        let mut file = Writer {
            bytes: Vec::new(),
            big,
        };
        file.text("$MeshFormat\n2.2 1 8\n")
            .ints(&[1])
            .text("\n$EndMeshFormat\n");
        file.text("$PhysicalNames\n1\n3 1 \"all\"\n$EndPhysicalNames\n$Nodes\n5\n");
        for (tag, position) in TAGS.iter().zip(&positions) {
            file.ints(&[*tag as i32]).reals(position);
        }
        // A triangle with three tags, then two tets in one block with two.
        file.text("\n$EndNodes\n$Elements\n3\n");
        file.ints(&[2, 1, 3, 1, 9, 9, 9, 70, 3, 11, 4, 2, 2]);
        for (n, tet) in tets.iter().enumerate() {
            file.ints(&[n as i32 + 2, 9, 9]);
            file.ints(&tet.map(|vertex| TAGS[vertex as usize] as i32));
        }
        file.text("\n$EndElements\n");
        let imported = read_one("pair.msh", &file.bytes);
        assert_pair(&imported);
        assert_eq!(imported.format, "Gmsh 2.2 binary");
        assert_eq!(
            imported.notes,
            ["1 triangle was skipped: only solid cells are simulated"]
        );

        let mut file = Writer {
            bytes: Vec::new(),
            big,
        };
        file.text("$MeshFormat\n4.1 1 8\n")
            .ints(&[1])
            .text("\n$EndMeshFormat\n");
        file.text("$Entities\n")
            .sizes(&[0, 0, 0, 0])
            .text("\n$EndEntities\n$Nodes\n");
        file.sizes(&[4, 5, 3, 1_000_000]);
        // Blocks of two and two nodes, the second parametric on a surface, an empty one, and the last node.
        file.ints(&[3, 1, 0])
            .sizes(&[2, TAGS[0], TAGS[1]])
            .reals(&positions[0])
            .reals(&positions[1]);
        file.ints(&[2, 4, 1]).sizes(&[2, TAGS[2], TAGS[3]]);
        file.reals(&positions[2])
            .reals(&[0.1, 0.2])
            .reals(&positions[3])
            .reals(&[0.3, 0.4]);
        file.ints(&[1, 1, 1]).sizes(&[0]);
        file.ints(&[0, 1, 1])
            .sizes(&[1, TAGS[4]])
            .reals(&positions[4]);
        file.text("\n$EndNodes\n$Elements\n").sizes(&[3, 3, 1, 9]);
        file.ints(&[3, 1, 4])
            .sizes(&[1, 9])
            .sizes(&tets[0].map(|v| TAGS[v as usize]));
        file.ints(&[0, 1, 15]).sizes(&[1, 2, 70]);
        file.ints(&[3, 2, 4])
            .sizes(&[1, 5])
            .sizes(&tets[1].map(|v| TAGS[v as usize]));
        file.text("\n$EndElements\n");
        let imported = read_one("pair.msh", &file.bytes);
        assert_pair(&imported);
        assert_eq!(imported.format, "Gmsh 4.1 binary");
    }
}

#[test]
fn gmsh_2_with_parametric_nodes() {
    let (positions, tets) = reference("ref_pair");
    // One node each on a point, a curve, a surface and in the volume, and one more on a surface.
    let entities: [(i32, &[f32]); 5] = [
        (0, &[]),
        (1, &[0.5]),
        (2, &[0.25, 0.75]),
        (3, &[]),
        (2, &[-1.0, 2.0]),
    ];
    for binary in [false, true] {
        let mut file = Writer {
            bytes: Vec::new(),
            big: false,
        };
        if binary {
            file.text("$MeshFormat\n2.2 1 8\n").ints(&[1]);
        } else {
            file.text("$MeshFormat\n2.2 0 8");
        }
        file.text("\n$EndMeshFormat\n$ParametricNodes\n5\n");
        for ((tag, position), (dimension, parameters)) in TAGS.iter().zip(&positions).zip(entities)
        {
            if binary {
                file.ints(&[*tag as i32]).reals(position);
                file.ints(&[dimension, 7]).reals(parameters);
            } else {
                let [x, y, z] = position;
                file.text(&format!("{tag} {x} {y} {z} {dimension} 7"));
                parameters.iter().for_each(|parameter| {
                    file.text(&format!(" {parameter}"));
                });
                file.text("\n");
            }
        }
        file.text("\n$EndParametricNodes\n$Elements\n2\n");
        for (n, tet) in tets.iter().enumerate() {
            let [a, b, c, d] = tet.map(|vertex| TAGS[vertex as usize] as i32);
            if binary {
                file.ints(&[4, 1, 2, n as i32 + 1, 9, 9, a, b, c, d]);
            } else {
                file.text(&format!("{} 4 2 9 9 {a} {b} {c} {d}\n", n + 1));
            }
        }
        file.text("\n$EndElements\n");
        assert_pair(&read_one("pair.msh", &file.bytes));
    }
}

#[test]
fn medit_with_cells_before_vertices_and_other_sections() {
    let text = "# a comment\r\nMeshVersionFormatted 1 Dimension 3 tetrahedra 2\r\n1 2 3 4 0 2 3 4 5 0\r\n\
        Normals 1\n0 0 1\nRequiredVertices\n2\n1\n2\nVERTICES 5 0 0 0 0 0.5 0 0 0 0 .5 0 0 +0 0 5e-1 0 # end\n\
        0.5 0.5 0.5D0 7\nCorners 0\nEnd";
    assert_pair(&read_one("", text.as_bytes()));
    // After a byte order mark too.
    let marked = format!("\u{feff}{text}").replace("# a comment\r\n", "");
    assert_pair(&read_one("", marked.as_bytes()));
}

#[test]
fn tetgen_with_ten_nodes_and_any_first_number() {
    let node = "# by hand\n\n10 3 2 1 # ten\n5 0 0 0 1 2 0\n6 1 0 0 1 2 0\r\n7 0 1 0\n8 0 0 1\n\
        9 .5 0 0\n10 .5 .5 0\n11 0 .5 0\n12 0 0 .5\n13 .5 0 .5\n14 0 .5 .5\n";
    let ele = "1 10 1\n# the only one\n1 5 6 7 8 9 10 11 12 13 14 77\n";
    let files = [("x.ELE", ele), ("y.node", node)].map(|(name, text)| NamedFile {
        name,
        bytes: text.as_bytes(),
    });
    let imported = import(&files).expect("a tet");
    let Content::Tets { positions, tets } = imported.content else {
        panic!("a surface");
    };
    assert_eq!((positions.len(), tets), (10, vec![[0, 1, 2, 3]]));
    assert_eq!(
        imported.notes,
        ["1 10-node tet was reduced to the corners; the further nodes stay as unused vertices"]
    );
}

#[test]
fn files_of_the_program_triangle_are_told_from_tets() {
    let ele: NamedFile = NamedFile {
        name: "t.ele",
        bytes: b"1 3 0\n1 1 2 3\n",
    };
    let (flat, solid) = (
        b"3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n".as_slice(),
        b"3 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n".as_slice(),
    );
    let refused = |files: &[NamedFile]| import(files).expect_err("triangles").to_string();
    assert_eq!(refused(&[ele]), "TetGen: t.ele needs t.node beside it");
    for (node, expected) in [
        (flat, "TetGen: line 1, column 1: nodes in 2 dimensions"),
        (
            solid,
            "TetGen: line 1, column 3: triangles, as the program Triangle writes them",
        ),
    ] {
        let node = NamedFile {
            name: "t.node",
            bytes: node,
        };
        for files in [[ele, node], [node, ele]] {
            let message = refused(&files);
            assert!(message.starts_with(expected), "{message}");
        }
    }
}

#[test]
fn abaqus_in_the_ways_people_write_it() {
    // Elements before nodes, small letters, keywords over two lines, blank coordinates, comments, other elements.
    let text = "*heading\n a, b\n** a comment\n*Element, type=c3d4h,\n  elset=all\n1, 1, 2,\n** inside\n3, 4\n\
        2, 2, 3, 4, 5\n*Element, type=S3\n9, 1, 2,\n 3\n*Node, nset=n\n1\n2, 0.5\n3,,0.5\n4, , , 5D-1\n\
        5, 0.5, 0.5, 0.5, 1, 0, 0\n*node print\n u\n*step\n*end step\n";
    let imported = read_one("", text.as_bytes());
    assert_pair(&imported);
    assert_eq!(
        imported.notes,
        ["1 S3 element was skipped: only solid cells are simulated"]
    );
}

#[test]
fn abaqus_parts_number_their_own_nodes() {
    let part = |name: &str| {
        format!(
            "*Part, name={name}\n*Node\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n\
             *Element, type=DC3D4\n1, 1, 2, 3, 4\n*End Part\n"
        )
    };
    let text = format!(
        "*Node\n6, 8, 8, 8\n7, 7, 7, 7\n8, 6, 6, 6\n{}{}*Assembly, name=A\n*Instance, name=i1, part=\"Left\"\n*End Instance\n\
         *Instance, name=i2, part=right\n 0., 0.25, 2.\n*End Instance\n\
         *Instance, name=i3, part=left-copy\n3, 0, 0\n*Node\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n\
         *Element, type=C3D4\n1, 4, 3, 2, 1\n*End Instance\n*Node\n1, 9, 9, 9\n*End Assembly\n\
         *Element, type=C3D4\n1, 1, 8, 7, 6\n",
        part("Left"),
        part("Right") + "*Part, name=left-copy\n*End Part\n",
    );
    let imported = read_one("a.inp", text.as_bytes());
    let Content::Tets { positions, tets } = imported.content else {
        panic!("a surface");
    };
    assert_eq!(
        tets,
        [[3, 4, 5, 6], [7, 8, 9, 10], [14, 13, 12, 11], [15, 2, 1, 0]]
    );
    assert_eq!(positions[6], [0.0, 0.0, 1.0]);
    assert_eq!(positions[8], [1.0, 0.25, 2.0]);
    assert_eq!(positions[11], [3.0, 0.0, 0.0]);
    assert_eq!(positions[15], [9.0; 3]);
    assert_eq!(
        imported.notes,
        [
            "3 parts were read as one mesh",
            "2 parts were moved by the translation of the instance"
        ]
    );
}

#[test]
fn an_abaqus_instance_turned_by_0_degrees_is_in_place() {
    let placed = |rotation: &str| {
        let text = format!(
            "*Part, name=A\n*Node\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*Element, type=C3D4\n1, 1, 2, 3, 4\n\
             *End Part\n*Assembly, name=W\n*Instance, name=I, part=A\n0, 0, 2\n{rotation}*End Instance\n*End Assembly\n"
        );
        import(&[NamedFile {
            name: "a.inp",
            bytes: text.as_bytes(),
        }])
        .map(|imported| imported.content)
        .map_err(|error| error.to_string())
    };
    let plain = placed("").expect("a tet");
    for rotation in ["0, 0, 2, 1, 0, 2, 0.\n", "0,0,2, 0,0,3, -0\n"] {
        assert_eq!(placed(rotation).as_ref(), Ok(&plain), "{rotation:?}");
    }
    for rotation in [
        "0, 0, 2, 1, 0, 2, 1e-3\n",
        "0, 0, 2, 1, 0, 2\n",
        "0, 0, 2, 1, 0, 2,\n",
    ] {
        let refused = placed(rotation).expect_err(rotation);
        assert!(
            refused.contains("a rotated instance of part \"A\""),
            "{refused}"
        );
    }
}

#[test]
fn vtk_with_fields_before_the_data_set() {
    let fields = [
        "FIELD FieldData 2\nTIME 1 1 double\n0.5\nCYCLE 1 1 int\n7\n",
        "FIELD FieldData 0\n",
        "METADATA\nINFORMATION 0\n\nFIELD FieldData 1\nname 1 1 string\nthe%20DATASET\n\n",
    ];
    for name in ["box_vtk42_ascii.vtk", "box_vtk51_binary.vtk"] {
        let file = read(&folder().join(name));
        let plain = read_one(name, &file);
        let at = file.windows(8).position(|window| window == b"DATASET ");
        let (before, after) = file.split_at(at.expect("a data set"));
        let mut fields = fields.map(|text| text.as_bytes().to_vec()).to_vec();
        if name.contains("binary") {
            fields = vec![b"FIELD FieldData 1\nTIME 1 1 double\n\x3f\xe0\0\0\n\0\0\0\n".to_vec()];
        }
        for field in fields {
            let imported = read_one(name, &[before, &field, after].concat());
            assert_eq!(imported.content, plain.content, "{name}");
        }
    }
}

#[test]
fn vtu_pieces_and_arrays_with_more_around() {
    let piece = |points: &str, cells: &str| {
        format!(
            "<Piece NumberOfPoints='4' NumberOfCells='1'><!-- a > b --><PointData><DataArray type='String' \
             Name='connectivity'>1</DataArray></PointData><Points><DataArray type='Float64' Name='Points' \
             NumberOfComponents='3'><!-- not this --> {points} <InformationKey name='x'>7</InformationKey>\
             </DataArray></Points><Cells><DataArray Name='offsets' type='UInt8'>4</DataArray><DataArray type='Int32' \
             Name='connectivity' format='ascii'>{cells}</DataArray><DataArray type='UInt8' Name='types'>10\
             </DataArray><DataArray type='Int64' Name='faces'>-1</DataArray></Cells></Piece>"
        )
    };
    let text = format!(
        "<?xml version='1.0'?>\n<VTKFile type='UnstructuredGrid'>\n<UnstructuredGrid>{}{}</UnstructuredGrid></VTKFile>",
        piece("0 0 0 1 0 0 0 1 0 0 0 1", "3 2 1 0"),
        piece("5 0 0 6 0 0 5 1 0 5 0 1", "0 1 2 3"),
    );
    let imported = read_one("a.vtu", text.as_bytes());
    let Content::Tets { positions, tets } = imported.content else {
        panic!("a surface");
    };
    assert_eq!(tets, [[3, 2, 1, 0], [4, 5, 6, 7]]);
    assert_eq!((positions.len(), positions[5]), (8, [6.0, 0.0, 0.0]));
}

#[test]
fn windows_line_ends_do_not_matter() {
    for name in [
        "box_abaqus.inp",
        "box_gmsh22_ascii.msh",
        "box_gmsh41_ascii.msh",
        "box_vtk42_ascii.vtk",
        "box_vtk51_ascii.vtk",
        "box_vtu_ascii.vtu",
        "box_vtu_base64_zlib.vtu",
        "ball2_gmsh.inp",
    ] {
        let text = String::from_utf8(read(&folder().join(name))).expect("text");
        let windows = text.replace('\n', "\r\n");
        assert_ne!(text, windows);
        let content = |text: &str| read_one(name, text.as_bytes()).content;
        assert_eq!(content(&windows), content(&text), "{name}");
    }
}

#[test]
fn lines_may_end_with_a_carriage_return_alone() {
    for name in [
        "box_medit_ascii.mesh",
        "box_gmsh22_ascii.msh",
        "box_gmsh41_ascii.msh",
        "box_vtk42_ascii.vtk",
        "box_vtk51_ascii.vtk",
        "box_abaqus.inp",
        "ball_gmsh.inp",
        "sfepy_beam_t42.mesh",
    ] {
        let bytes = read(&folder().join(name));
        let old: Vec<u8> = bytes
            .iter()
            .filter(|&&byte| byte != b'\r')
            .map(|&byte| if byte == b'\n' { b'\r' } else { byte })
            .collect();
        assert!(old != bytes, "{name}");
        assert_eq!(read_one(name, &old), read_one(name, &bytes), "{name}");
    }
    let [node, ele] = ["box_tetgen.node", "box_tetgen.ele"].map(|name| {
        String::from_utf8(read(&folder().join(name)))
            .expect("text")
            .replace('\n', "\r")
    });
    let pair = |node: &str, ele: &str| {
        import(&[
            NamedFile {
                name: "a.node",
                bytes: node.as_bytes(),
            },
            NamedFile {
                name: "a.ele",
                bytes: ele.as_bytes(),
            },
        ])
    };
    let unix = |text: &str| text.replace('\r', "\n");
    let read = pair(&node, &ele);
    assert!(read.is_ok(), "{read:?}");
    assert_eq!(read, pair(&unix(&node), &unix(&ele)));
    // Errors count such lines too, and a pair of both bytes once.
    for end in ["\n", "\r", "\r\n"] {
        let text = [
            "MeshVersionFormatted 1",
            "Dimension 3",
            "Vertices",
            "1",
            "0 0 what 0",
        ]
        .join(end);
        let error = import(&[NamedFile {
            name: "a.mesh",
            bytes: text.as_bytes(),
        }])
        .unwrap_err();
        assert!(
            error.to_string().contains("line 5, column 5"),
            "{end:?}: {error}"
        );
    }
}
