//! Each way in which a Gmsh, Medit, TetGen or Abaqus file can be wrong or unsupported has its own message, with the place.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_support;

use import_support::{check, error};
use webgpu_softbody::import::{ImportError, NamedFile, import};

const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
const GMSH41: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
const NODES: &str = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";

#[test]
fn gmsh() {
    let with = |rest: &str| format!("{GMSH}{rest}");
    let with_nodes = |rest: &str| format!("{GMSH}{NODES}{rest}");
    let v4 = |rest: &str| format!("{GMSH41}{rest}");
    let cases = [
        (
            "$NOD\n1\n".to_owned(),
            "Gmsh: line 1, column 1: format 1.0; save",
        ),
        (
            "$MeshFormat\n4 0 8\n".to_owned(),
            "Gmsh: line 2, column 1: format 4; save the mesh as format 4.1 or 2.2",
        ),
        (
            "$MeshFormat\nx 0 8\n".to_owned(),
            "Gmsh: line 2, column 1: expected a format version such as 4.1, found \"x\"",
        ),
        (
            "$MeshFormat\n2.2 2 8\n".to_owned(),
            "Gmsh: line 2, column 5: expected 0 (ASCII) or 1 (binary), found \"2\"",
        ),
        (
            "$MeshFormat\n2.2 1 4\n".to_owned(),
            "Gmsh: line 2, column 7: binary numbers of \"4\" bytes",
        ),
        (
            "$MeshFormat\n2.2 1 8\n\x02\0\0\0".to_owned(),
            "Gmsh: byte 20: expected the number 1 as byte order mark, found 2",
        ),
        (
            "$MeshFormat\n2.2 1 8\n\x01\0".to_owned(),
            "Gmsh: byte 20: the byte order mark: 1 × 4 bytes expected, but 2 bytes are left",
        ),
        (
            "$MeshFormat\n2.2 0 8\n$Nodes".to_owned(),
            "Gmsh: line 3, column 1: expected $EndMeshFormat, found \"$Nodes\"",
        ),
        (
            with(""),
            "Gmsh: line 4, column 1: expected a $Nodes section, but the file ends",
        ),
        (
            with("nodes"),
            "Gmsh: line 4, column 1: expected a section such as $Nodes, found \"nodes\"",
        ),
        (
            with("$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n"),
            "Gmsh: node number 1 is given twice: to node 1 and node 2",
        ),
        (
            with("$Nodes\n2\n1 0 0 0\n2 1 0"),
            "Gmsh: line 7, column 6: expected z, but the file ends (node 2 of 2)",
        ),
        (
            with("$Nodes\n1\n1 0 zero 0\n"),
            "Gmsh: line 6, column 5: expected y, found \"zero\" (node 1 of 1)",
        ),
        (
            with("$Nodes\n1\n1 0 1e39 0\n"),
            "Gmsh: line 6, column 5: y is \"1e39\", more than single precision holds",
        ),
        (
            with("$Nodes\n1\n-1 0 0 0\n"),
            "Gmsh: line 6, column 1: a node number is -1 (node 1 of 1)",
        ),
        (
            with("$Nodes\n1\n1 0 0 0\n2 0 0 0\n"),
            "Gmsh: line 7, column 1: expected $EndNodes, found \"2\"",
        ),
        (
            with("$Elements\n0\n$EndElements\n"),
            "Gmsh: line 4, column 1: $Elements before $Nodes",
        ),
        (
            with("$NOD\n"),
            "Gmsh: line 4, column 1: this section belongs to another format; save the mesh as format 4.1 or 2.2",
        ),
        (
            with("$ParametricNodes\n1\n1 0 0 0 4 1\n"),
            "Gmsh: line 6, column 9: an entity of dimension 4 (node 1 of 1)",
        ),
        (
            with("$ParametricNodes\n1\n1 0 0 0 1 1 0.5\n$EndNodes\n"),
            "Gmsh: line 7, column 1: expected $EndParametricNodes, found",
        ),
        (
            with("$Physical\nnames"),
            "Gmsh: line 5, column 6: expected $EndPhysical, but the file ends",
        ),
        (
            with_nodes(""),
            "Gmsh: line 11, column 1: expected an $Elements section",
        ),
        (
            with_nodes(NODES),
            "Gmsh: line 11, column 1: a second $Nodes section",
        ),
        (
            with_nodes("$Elements\n1\n7 4 0 1 2 3 9\n"),
            "Gmsh: line 13, column 13: element 7 has node 9, which is not given: the 4 nodes are numbered from 1 to 4 (element 1 of 1)",
        ),
        (
            with_nodes("$Elements\n1\n7 35 0 1\n"),
            "Gmsh: line 13, column 3: element type 35; ",
        ),
        (
            with_nodes("$Elements\n2\n7 4 0 1 2 3 4\n$EndElements\n"),
            "Gmsh: line 14, column 1: expected an element number, found \"$EndElements\" (element 2 of 2)",
        ),
        (
            v4("$Nodes\n1 1 1 1\n5 1 0 1\n"),
            "Gmsh: line 6, column 1: an entity of dimension 5 (node block 1 of 1)",
        ),
        (
            v4("$Nodes\n1 1 1 1\n3 1 7 1\n"),
            "Gmsh: line 6, column 5: expected 0 or 1 for parametric nodes, found 7",
        ),
        (
            v4(
                "$Nodes\n1 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n$Elements\n1 1 1 1\n3 1 4 1\n1 1 1 1 2\n",
            ),
            "Gmsh: line 13, column 9: element 1 has node 2, which is not given: the only node is number 1 (element block 1 of 1)",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(text, error)| (&text[..], *error))
        .collect();
    check("a.msh", &cases);
    // By name alone: Fluent's meshes have the same extension.
    check(
        "a.msh",
        &[(
            "(0 \"Fluent\")",
            "Gmsh: line 1, column 1: expected $MeshFormat, found \"(0\"",
        )],
    );
}

#[test]
fn medit() {
    let head = "MeshVersionFormatted 2\nDimension 3\n";
    let vertices = format!("{head}Vertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n");
    let cases = [
        (
            "MeshVersionFormatted two\n".to_owned(),
            "Medit: line 1, column 22: expected a version number, found \"two\"",
        ),
        (
            "MeshVersionFormatted 2\nDimension 4\n".to_owned(),
            "Medit: line 2, column 1: dimension 4; a mesh has 2 or 3",
        ),
        (
            head.to_owned(),
            "Medit: line 3, column 1: expected a Vertices section, but the file ends",
        ),
        (
            format!("{head}7\n"),
            "Medit: line 3, column 1: expected a keyword such as Vertices, found \"7\"",
        ),
        (
            format!("{vertices}Vertices\n0\n"),
            "Medit: line 9, column 1: a second Vertices section",
        ),
        (
            format!("{vertices}Tetrahedra\n1\n1 2 3 5 0\n"),
            "Medit: line 11, column 7: tet 1 of 1 has vertex 5, but there are 4 vertices (1 to 4)",
        ),
        (
            format!("{vertices}Tetrahedra\n1\n0 1 2 3 0\n"),
            "Medit: line 11, column 1: tet 1 of 1 has vertex 0",
        ),
        (
            format!("{vertices}Tetrahedra\n2\n1 2 3 4 0\nEnd\n"),
            "Medit: line 12, column 1: expected a vertex number, found \"End\" (tet 2 of 2)",
        ),
        (
            format!("{vertices}HexahedraQ2\n1\n"),
            "Medit: line 9, column 1: HexahedraQ2 are not read",
        ),
        (
            format!("{vertices}Triangles\n1\n1 2 3 0\nEnd\n"),
            "Medit: no tetrahedra: the file holds 4 nodes and 1 triangle",
        ),
        (
            format!("{vertices}End\n"),
            "Medit: no tetrahedra: the file holds 4 nodes and no cells at all",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(text, error)| (&text[..], *error))
        .collect();
    check("a.mesh", &cases);
}

#[test]
fn tetgen() {
    let node = b"4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n".as_slice();
    let both = |node: &[u8], ele: &[u8]| {
        let files = [
            NamedFile {
                name: "a.node",
                bytes: node,
            },
            NamedFile {
                name: "a.ele",
                bytes: ele,
            },
        ];
        import(&files).map_or_else(|error| error.to_string(), |_| "ok".to_owned())
    };
    let cases: [(&[u8], &[u8], &str); 9] = [
        (node, b"1 4 0\n1 1 2 3 4\n", "ok"),
        (
            node,
            b"1 4 0\n1 1 2 3 5\n",
            "TetGen: line 2, column 9: node 5 is not given: the 4 nodes are numbered from 1 to 4 (tet 1 of 1) (a.ele)",
        ),
        (
            node,
            b"1 4 0\n1 1 2 3\n",
            "TetGen: line 2, column 8: expected a node number, but the line ends (tet 1 of 1)",
        ),
        (
            node,
            b"2 4 0\n1 1 2 3 4\n",
            "TetGen: line 3, column 1: expected the number of a tet, but the file ends (tet 2 of 2)",
        ),
        (
            node,
            b"1 5 0\n1 1 2 3 4\n",
            "TetGen: line 1, column 3: expected the nodes of a tet, 4 or 10, found \"5\"",
        ),
        (
            node,
            b"0 4 0\n",
            "TetGen: no tetrahedra: the file holds 4 nodes and no cells at all",
        ),
        (
            b"4 2 0 0\n1 0 0\n",
            b"1 4 0\n1 1 2 3 4\n",
            "TetGen: line 1, column 1: nodes in 2 dimensions",
        ),
        (
            b"0 3 0 0\n",
            b"1 4 0\n1 1 2 3 4\n",
            "TetGen: line 1, column 1: 0 nodes: they are in the .poly file",
        ),
        (
            b"2 3 0 0\n1 0 0 0\n1 1 0 0\n",
            b"1 4 0\n1 1 2 3 4\n",
            "TetGen: node number 1 is given twice",
        ),
    ];
    for (node, ele, expected) in cases {
        let found = both(node, ele);
        assert!(found.starts_with(expected), "{found:?}\n not {expected:?}");
    }
    let alone = error("a.node", node);
    assert_eq!(
        alone,
        ImportError::MissingCompanion {
            format: "TetGen",
            name: "a.node".to_owned(),
            missing: "a.ele".to_owned(),
        }
    );
    let ele = b"1 4 0\n1 1 2 3 4\n".as_slice();
    let files = [
        NamedFile {
            name: "a.node",
            bytes: node,
        },
        NamedFile {
            name: "b.ele",
            bytes: ele,
        },
        NamedFile {
            name: "c.ele",
            bytes: ele,
        },
    ];
    let message = import(&files).expect_err("two companions").to_string();
    assert_eq!(
        message,
        "TetGen: a.node needs a.ele (several others were given) beside it"
    );
}

#[test]
fn abaqus() {
    let nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n";
    let element = "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n";
    let part = format!("*Part, name=A\n{nodes}{element}*End Part\n*Assembly, name=W\n");
    let cases = [
        (
            "*HEADING\nx\n".to_owned(),
            "Abaqus: line 3, column 1: expected a *NODE keyword, but the file ends",
        ),
        (
            "*NODE\nx, 0, 0, 0\n".to_owned(),
            "Abaqus: line 2, column 1: expected a node number and a comma, found \"x\"",
        ),
        (
            "*NODE\n1, 0, x, 0\n".to_owned(),
            "Abaqus: line 2, column 7: expected a coordinate, found \"x\"",
        ),
        (
            "*NODE\n1, 0\n1, 1\n*ELEMENT, TYPE=C3D4\n".to_owned(),
            "Abaqus: node number 1 is given twice",
        ),
        (
            "*NODE, SYSTEM=C\n".to_owned(),
            "Abaqus: line 1, column 1: *NODE with SYSTEM=C; write the nodes in rectangular",
        ),
        (
            "*NODE, INPUT=n.dat\n".to_owned(),
            "Abaqus: line 1, column 1: data in the file \"n.dat\"; put",
        ),
        (
            format!("{nodes}*Include, input=a.inp\n"),
            "Abaqus: line 6, column 1: *INCLUDE; put the included file",
        ),
        (
            format!("{nodes}*nGen\n1, 4\n"),
            "Abaqus: line 6, column 1: *NGEN; write the nodes out",
        ),
        (
            format!("{nodes}*ELEMENT\n1, 1, 2, 3, 4\n"),
            "Abaqus: line 6, column 1: *ELEMENT without TYPE=",
        ),
        (
            format!("{nodes}*ELEMENT, TYPE=C3D27\n"),
            "Abaqus: line 6, column 1: element type \"C3D27\"; C3D4, ",
        ),
        (
            format!("{nodes}*ELEMENT, TYPE=C3D15V\n"),
            "Abaqus: line 6, column 1: element type \"C3D15V\"; ",
        ),
        (
            format!("{nodes}*ELEMENT, TYPE=SC8R\n"),
            "Abaqus: line 6, column 1: element type \"SC8R\"; ",
        ),
        (
            format!("{nodes}*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 5\n"),
            "Abaqus: line 7, column 13: element 1 has node 5, which is not given: the 4 nodes are numbered from 1 to 4",
        ),
        (
            format!("{nodes}*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n*STEP\n"),
            "Abaqus: line 7, column 1: element 1 ends before node 4 of 4 (a tet)",
        ),
        (
            format!("{nodes}*ELEMENT, TYPE=S3\n1, 1, 2, 3\n"),
            "Abaqus: no tetrahedra: the file holds 4 nodes and 1 S3 element",
        ),
        (
            "*PART\n".to_owned(),
            "Abaqus: line 1, column 1: *PART without NAME=",
        ),
        (
            "*PART, NAME=a\n*END PART\n*PART, NAME=A\n".to_owned(),
            "Abaqus: line 3, column 1: a second part \"A\"",
        ),
        (
            format!("{part}*Instance, name=I, part=B\n"),
            "Abaqus: line 11, column 1: an instance of part \"B\", which is not given",
        ),
        (
            format!("{part}*Instance, name=I\n"),
            "Abaqus: line 11, column 1: an *INSTANCE without PART=",
        ),
        (
            format!("{part}*Instance, name=I, part=A\n0, 0, 1\n0,0,0, 1,0,0, 90\n"),
            "Abaqus: line 13, column 1: a rotated instance of part \"A\"",
        ),
        (
            format!("{part}*Instance, name=I, part=A\n*End Instance\n*Instance, name=J, part=a\n"),
            "Abaqus: line 13, column 1: a second instance of part \"a\"",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(text, error)| (&text[..], *error))
        .collect();
    check("a.inp", &cases);
}
