//! Which format a file is: by what it begins with, and by its name where that does not decide.

use super::error::quoted;
use super::tokens::Tokens;
use super::{ImportError, NamedFile, arrays, surface, tetgen};

/// A volume format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.msh`
    Gmsh,
    /// `.mesh`
    Medit,
    /// `.vtk`
    Vtk,
    /// `.vtu`
    Vtu,
    /// `.node` and `.ele`
    TetGen,
    /// `.inp`
    Abaqus,
    /// The package's own two files.
    Arrays,
}

/// How much a file says itself about its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Evidence {
    /// Its name only: any file that is known by its content goes before.
    Name,
    /// Plain numbers: a surface format that knows the same file goes before.
    Numbers,
    /// It begins as only this format does.
    Content,
}

/// A file that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Which file.
    pub index: usize,
    /// As what.
    pub format: Format,
    /// Why.
    pub evidence: Evidence,
}

/// The first file that is a volume mesh by its content; failing that, the first by its name.
pub fn volume(files: &[NamedFile]) -> Option<Found> {
    let content = files.iter().enumerate().find_map(|(index, file)| {
        let (format, evidence) = by_content(file)?;
        Some(Found {
            index,
            format,
            evidence,
        })
    });
    content.or_else(|| {
        files.iter().enumerate().find_map(|(index, file)| {
            // What is known to be something else is better named than read.
            let other = file.bytes.is_empty() || foreign(file.bytes).is_some();
            let format = by_name(file.name).filter(|_| !other)?;
            Some(Found {
                index,
                format,
                evidence: Evidence::Name,
            })
        })
    })
}

fn by_content(file: &NamedFile) -> Option<(Format, Evidence)> {
    if arrays::named(file.name) {
        return Some((Format::Arrays, Evidence::Content));
    }
    // Its header may begin like any format.
    if surface::is_binary_stl(file.bytes) {
        return None;
    }
    let bytes = file
        .bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(file.bytes);
    if bytes.starts_with(b"# vtk DataFile Version") {
        return Some((Format::Vtk, Evidence::Content));
    }
    let start = &bytes[..bytes.len().min(4096)];
    let text = start.trim_ascii_start();
    if text.starts_with(b"$MeshFormat") || text.starts_with(b"$NOD") {
        return Some((Format::Gmsh, Evidence::Content));
    }
    if text.starts_with(b"<") && text.windows(8).any(|window| window == b"<VTKFile") {
        return Some((Format::Vtu, Evidence::Content));
    }
    let mut tokens = Tokens::new("", bytes).comments(b'#');
    if tokens.next()?.is("MeshVersionFormatted") {
        return Some((Format::Medit, Evidence::Content));
    }
    if let [b'*', b'*' | b'a'..=b'z' | b'A'..=b'Z', ..] = text {
        return Some((Format::Abaqus, Evidence::Content));
    }
    // Plain numbers.
    tetgen::part(file).map(|_| (Format::TetGen, Evidence::Numbers))
}

fn by_name(name: &str) -> Option<Format> {
    let (_, extension) = name.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "msh" => Format::Gmsh,
        "mesh" => Format::Medit,
        "vtk" => Format::Vtk,
        "vtu" => Format::Vtu,
        "node" | "ele" => Format::TetGen,
        "inp" => Format::Abaqus,
        _ => return None,
    })
}

/// Beginnings of files that are not read, with their names and what to do.
const FOREIGN: [(&[u8], &str); 22] = [
    (
        b"\x89HDF",
        "HDF5 (MED, CGNS or XDMF data); save it as Gmsh .msh or VTU",
    ),
    (b"CDF\x01", "NetCDF (Exodus); save it as VTU"),
    (b"CDF\x02", "NetCDF (Exodus); save it as VTU"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\x1f\x8b", "gzip; unpack it first"),
    (b"\xfd7zXZ", "xz; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd; unpack it first"),
    (b"7z\xbc\xaf", "7-Zip; unpack it first"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
    (b"Kaydara FBX Binary", "FBX; export it as GLB"),
    (b"; FBX", "FBX; export it as GLB"),
    (b"BLENDER", "a Blender file; export it as GLB"),
    (b"PXR-USDC", "USD; export it as GLB"),
    (b"#usda", "USD; export it as GLB"),
    (
        b"ISO-10303-21",
        "STEP; mesh it first, with Gmsh for example",
    ),
    (b"OFF", "OFF; convert it to PLY or OBJ"),
    (b"%PDF", "PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (
        b"\x01\0\0\0",
        "a binary .meshb file of Medit; convert it to the ASCII .mesh format",
    ),
    (
        b"\0\0\0\x01",
        "a binary .meshb file of Medit; convert it to the ASCII .mesh format",
    ),
];
/// The version of a `.meshb` follows its byte order mark.
const MESHB: [&[u8]; 2] = [b"\x01\0\0\0", b"\0\0\0\x01"];

/// Whether it is a web page: what a server sends in the place of a file that it does not have.
pub fn is_html(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    ["<!doctype html", "<html"].iter().any(|start| {
        text.get(..start.len())
            .is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
    })
}

fn foreign(bytes: &[u8]) -> Option<&'static str> {
    if is_html(bytes) {
        return Some("an HTML page; check the address that it came from");
    }
    let (beginning, name) = FOREIGN
        .iter()
        .find(|(beginning, _)| bytes.starts_with(beginning))?;
    if MESHB.contains(beginning) {
        let version = bytes.get(4..8)?;
        if !version.contains(&0) || !version.iter().all(|&byte| byte <= 4) {
            return None;
        }
    }
    Some(name)
}

/// The error for files that are nothing known: about the first of them.
pub fn unknown(files: &[NamedFile]) -> ImportError {
    let Some(file) = files.first() else {
        return ImportError::UnknownFormat {
            name: "no file".to_owned(),
            bytes: 0,
            hint: "none was given".to_owned(),
        };
    };
    let text = file
        .bytes
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(file.bytes)
        .trim_ascii_start();
    let looks = if file.bytes.is_empty() {
        "the file is empty".to_owned()
    } else if let Some(name) = foreign(file.bytes) {
        format!("it looks like {name}")
    } else if text.starts_with(b"<") {
        format!("it is XML that begins with {}", quoted(text))
    } else if std::str::from_utf8(&file.bytes[..file.bytes.len().min(64)])
        .map_or_else(|error| error.error_len().is_none(), |_| true)
        && !file.bytes.iter().take(64).any(|&byte| byte < b'\t')
    {
        format!("it is text that begins with {}", quoted(text))
    } else {
        "it is binary".to_owned()
    };
    let known: Vec<&str> = super::FORMATS
        .iter()
        .flat_map(|format| format.extensions)
        .copied()
        .collect();
    ImportError::UnknownFormat {
        name: if file.name.is_empty() {
            "a file without a name".to_owned()
        } else {
            file.name.to_owned()
        },
        bytes: file.bytes.len(),
        hint: format!("{looks}; what can be read: .{}", known.join(", .")),
    }
}
