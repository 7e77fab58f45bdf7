//! Each way in which a VTK file, legacy or XML, can be wrong or unsupported has its own message, with the place.
#![cfg(all(feature = "mesh-tools", not(target_arch = "wasm32")))]

mod import_support;

use import_support::{check, error, folder, read};

#[test]
fn vtk() {
    let head = "# vtk DataFile Version 3.0\ntitle\nASCII\n";
    let points =
        format!("{head}DATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0 0 0 1\n");
    let cells = |text: &str| format!("{points}CELLS {text}");
    let offsets = |text: &str| {
        format!(
            "{points}CELLS 2 4\nOFFSETS vtktypeint64\n{text}\nCONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n"
        )
    };
    let cases = [
        (
            "# vtk DataFile Version 3.0\ntitle\nXML\n".to_owned(),
            "VTK: line 3, column 1: expected ASCII or BINARY, found \"XML\"",
        ),
        (
            format!("{head}DATASET POLYDATA\n"),
            "VTK: line 4, column 9: data set \"POLYDATA\"; it holds a surface",
        ),
        (
            format!("{head}DATASET STRUCTURED_GRID\n"),
            "VTK: line 4, column 9: data set \"STRUCTURED_GRID\"; only UNSTRUCTURED_GRID is read",
        ),
        (
            format!("{head}FIELD x 1\n"),
            "VTK: line 4, column 1: expected DATASET, found \"FIELD\"",
        ),
        (
            format!("{head}DATASET UNSTRUCTURED_GRID\nPOINTS 1 string\n"),
            "VTK: line 5, column 10: expected a data type such as float or int, found \"string\"",
        ),
        (
            points.clone(),
            "VTK: line 7, column 1: expected CELLS, but the file ends",
        ),
        (
            format!("{points}LINES 1 2\n"),
            "VTK: line 7, column 1: expected CELLS, found \"LINES\"",
        ),
        (
            cells("1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n"),
            "VTK: line 8, column 9: cell 0 has point 4, but there are 4 points (0 to 3)",
        ),
        (
            cells("1 5\n4 0 1 2 3\nCELL_TYPES 1\n42\n"),
            "VTK: line 10, column 1: cell 0: cell type 42 (polyhedron); tets",
        ),
        (
            cells("1 5\n4 0 1 2 3\nCELL_TYPES 1\n12\n"),
            "VTK: line 10, column 1: cell 0: a hexahedron (cell type 12) has 8, not 4 nodes",
        ),
        (
            cells("1 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n"),
            "VTK: line 9, column 12: 2 cell types for 1 cells",
        ),
        (
            cells("1 4\n4 0 1 2\nCELL_TYPES 1\n10\n"),
            "VTK: line 9, column 1: the cells end after 4 numbers, but a cell goes on",
        ),
        (
            cells("1 4\n3 0 1 2\nCELL_TYPES 1\n5\n"),
            "VTK: no tetrahedra: the file holds 4 nodes and 1 triangle",
        ),
        (
            offsets("0 5"),
            "VTK: line 9, column 3: offset 5 after 0, in a connectivity of length 4",
        ),
        (
            offsets("1 4"),
            "VTK: line 9, column 1: the first offset is 1, not 0",
        ),
        (
            "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n"
                .to_owned(),
            "VTK: byte 78: the points: 27 × 8 bytes expected, but 0 bytes are left in the file",
        ),
        (
            format!("{head}DATASET UNSTRUCTURED_GRID\nPOINTS 9000000000000000000 double\n"),
            "VTK: line 5, column 8: expected a number of points that a file can hold, found \"9000000000000000000\"",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(text, error)| (&text[..], *error))
        .collect();
    check("a.vtk", &cases);
}

#[test]
fn vtu() {
    let good = String::from_utf8(read(&folder().join("box_vtu_vtk_ascii.vtu"))).expect("text");
    let replaced = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let base64 = String::from_utf8(read(&folder().join("box_vtu_base64.vtu"))).expect("text");
    let cases = [
        (
            "<VTKFile type=\"PolyData\">".to_owned(),
            "VTU: line 1, column 1: a VTKFile of type \"PolyData\"; only UnstructuredGrid is read",
        ),
        (
            "<VTKFile type=\"PUnstructuredGrid\">".to_owned(),
            "VTU: line 1, column 1: an index of pieces",
        ),
        (
            "<!DOCTYPE VTKFile>\n<VTKFile>".to_owned(),
            "VTU: line 1, column 1: XML document types",
        ),
        (
            "<a><VTKFile type=\"UnstructuredGrid\">".to_owned(),
            "VTU: line 1, column 1: expected <VTKFile>, found <a>",
        ),
        (
            "<!-- <VTKFile".to_owned(),
            "VTU: line 1, column 1: <!-- without -->",
        ),
        (
            "<VTKFile type=\"UnstructuredGrid".to_owned(),
            "VTU: line 1, column 1: a tag that is not closed: \"<VTKFile type=\\\"UnstructuredGrid\"",
        ),
        (
            replaced("LittleEndian", "Middle"),
            "VTU: line 2, column 1: byte_order \"Middle\"",
        ),
        (
            replaced("UInt32", "UInt7"),
            "VTU: line 2, column 1: header_type \"UInt7\"",
        ),
        (
            replaced(
                "byte_order",
                "compressor=\"vtkLZ4DataCompressor\" byte_order",
            ),
            "VTU: line 2, column 1: compressor \"vtkLZ4DataCompressor\"; save the file with zlib",
        ),
        (
            replaced("NumberOfPoints=\"27\"", "NumberOfPoints=\"many\""),
            "VTU: line 4, column 5: expected a number as NumberOfPoints, found \"many\"",
        ),
        (
            replaced("NumberOfPoints=\"27\"", ""),
            "VTU: line 4, column 5: expected a number as NumberOfPoints, found nothing",
        ),
        (
            replaced("NumberOfPoints=\"27\"", "NumberOfPoints=\"26\""),
            "VTU: line 41, column 11: expected the end of array \"Points\" after 78 numbers",
        ),
        (
            replaced("NumberOfPoints=\"27\"", "NumberOfPoints=\"9000000000000\""),
            "VTU: line 27, column 9: array \"Points\": 9000000000000 entries are more than a file of",
        ),
        (
            replaced(
                "type=\"Float32\" Name=\"Points\"",
                "type=\"Float16\" Name=\"Points\"",
            ),
            "VTU: line 27, column 9: expected a type such as Float32 or Int64, found \"Float16\"",
        ),
        (
            replaced("Name=\"offsets\"", "Name=\"ofs\""),
            "VTU: line 108, column 5: the piece has no offsets array",
        ),
        (
            replaced("Name=\"types\"", "Name=\"type\""),
            "VTU: line 108, column 5: the piece has no types array",
        ),
        (replaced("</VTKFile>", ""), "ok"),
        (
            base64.replacen("NumberOfPoints=\"27\"", "NumberOfPoints=\"26\"", 1),
            "VTU: line 16, column 9: array \"Points\": 324 bytes, not the expected 312",
        ),
    ];
    let cases: Vec<(&str, &str)> = cases
        .iter()
        .map(|(text, error)| (&text[..], *error))
        .collect();
    check("a.vtu", &cases);
    // A compressed array that is cut: in its zlib data, and in its base64 text.
    let zlib = String::from_utf8(read(&folder().join("box_vtu_base64_zlib.vtu"))).expect("text");
    let points = zlib.find("Name=\"Points\"").expect("points");
    let begin = points + zlib[points..].find("AA").expect("a header");
    let line = zlib[begin..].find('\n').expect("a line");
    let cut = format!("{}{}", &zlib[..begin + line - 40], &zlib[begin + line..]);
    let message = error("a.vtu", cut.as_bytes()).to_string();
    assert!(
        message.contains("array \"Points\": its base64 text is too short"),
        "{message}"
    );
    let mut bent = zlib.clone().into_bytes();
    bent[begin + 60] ^= 4;
    let message = error("a.vtu", &bent).to_string();
    assert!(message.contains("array \"Points\": "), "{message}");
}
