//! The manual, as `--help` prints it.

use webgpu_softbody::import::{FormatKind, formats};

use super::arguments::Verb;

/// The program's name.
pub const PROGRAM: &str = "webgpu-softbody-mesh";

/// The manual of a subcommand, or the general one.
pub fn text(verb: Option<Verb>) -> String {
    let (head, options, tail) = match verb {
        None => (GENERAL, "", GENERAL_EXAMPLES),
        Some(Verb::Info) => (INFO, INFO_OPTIONS, INFO_EXAMPLES),
        Some(Verb::Convert) => (CONVERT, OUTPUT_OPTIONS, CONVERT_EXAMPLES),
        Some(Verb::Tetrahedralize) => (
            TETRAHEDRALIZE,
            TETRAHEDRALIZE_OPTIONS,
            TETRAHEDRALIZE_EXAMPLES,
        ),
    };
    let output = match verb {
        Some(Verb::Tetrahedralize) => OUTPUT_OPTIONS,
        _ => "",
    };
    let (volumes, surfaces) = match verb {
        None | Some(Verb::Info | Verb::Convert) => (true, true),
        Some(Verb::Tetrahedralize) => (false, true),
    };
    format!(
        "{head}\nOPTIONS\n{options}{output}{COMMON_OPTIONS}\nFORMATS\n{}{EXIT_STATUS}{tail}",
        format_list(volumes, surfaces)
    )
}

fn format_list(volumes: bool, surfaces: bool) -> String {
    let mut text = "  Files are told apart by their content; the name decides only where the content does not.\n".to_owned();
    for (kind, wanted, title) in [
        (FormatKind::Volume, volumes, "tets"),
        (FormatKind::Surface, surfaces, "surfaces"),
    ] {
        for format in formats()
            .iter()
            .filter(|format| wanted && format.kind == kind)
        {
            let extensions: Vec<String> = format
                .extensions
                .iter()
                .map(|name| format!(".{name}"))
                .collect();
            text.push_str(&format!(
                "  {title:<9} {:<42} {}\n",
                format.name,
                extensions.join(" ")
            ));
        }
    }
    text
}

const GENERAL: &str = "\
NAME
  webgpu-softbody-mesh - look into mesh files, convert them, fill surfaces with tetrahedra

SYNOPSIS
  webgpu-softbody-mesh info FILE...
  webgpu-softbody-mesh convert FILE... -o NAME
  webgpu-softbody-mesh tetrahedralize SURFACE... (--tets N | --cell-size METRES) -o NAME
  webgpu-softbody-mesh SUBCOMMAND --help
  webgpu-softbody-mesh --version

DESCRIPTION
  Makes bodies for webgpu-softbody out of the files people have, and says what is wrong with them.

  info             reads a mesh and reports its sizes, the shapes of its tets and everything suspicious
  convert          writes a mesh as the two binary files that webgpu-softbody loads; a surface is filled first
  tetrahedralize   fills a surface with tetrahedra of the resolution asked for

  FILE is a mesh or a surface; - reads standard input. Several FILEs are one mesh, as a TetGen .node with its
  .ele or a .gltf with its buffers. Files that the first one needs are found beside it by themselves.
";

const INFO: &str = "\
NAME
  webgpu-softbody-mesh info - examine a mesh

SYNOPSIS
  webgpu-softbody-mesh info [OPTIONS] FILE...

DESCRIPTION
  Reads a mesh of tets or a surface and prints its sizes and everything worth knowing about it: turned, flat,
  repeated and overlapping tets, slivers, vertices that were never welded, parts that hang together by an edge,
  cells whose diagonals do not meet, holes in surfaces, likely mistakes of units. Each line names the condition,
  how often it occurs and what was or can be done about it. 'mended' is what loading puts right by itself.

  FILE may be -, standard input. Several FILEs are one mesh. Nothing is written.
";

const CONVERT: &str = "\
NAME
  webgpu-softbody-mesh convert - write a mesh as webgpu-softbody loads it

SYNOPSIS
  webgpu-softbody-mesh convert [OPTIONS] FILE... -o NAME

DESCRIPTION
  Reads a mesh of tets and writes NAME_positions.vec3f32bin (three little-endian 32-bit floats a vertex, metres)
  and NAME_tet_indices.vec4u32bin (four little-endian 32-bit vertex numbers a tet). Order and winding are those
  of the file, unused vertices included. A surface is filled with about 5000 tets; see tetrahedralize.

  FILE may be -, standard input. Several FILEs are one mesh.
";

const TETRAHEDRALIZE: &str = "\
NAME
  webgpu-softbody-mesh tetrahedralize - fill a surface with tetrahedra

SYNOPSIS
  webgpu-softbody-mesh tetrahedralize [OPTIONS] SURFACE... (--tets N | --cell-size METRES) -o NAME

DESCRIPTION
  Fills a triangle surface with tetrahedra of good shape by isosurface stuffing (Labelle and Shewchuk 2007) and
  writes NAME_positions.vec3f32bin and NAME_tet_indices.vec4u32bin. Inside and outside are told apart by winding
  numbers, so holes, overlaps and fins do no harm. Parts thinner than a cell vanish: use more tets for them.
  Without --tets and --cell-size about 5000 tets are made.

  SURFACE may be -, standard input. Several files are one surface, as a .gltf with its buffers.
";

const INFO_OPTIONS: &str = "      --strict           exit with status 4 if there is any finding
";

const TETRAHEDRALIZE_OPTIONS: &str =
    "      --tets N           make about N tets (within 10 % from 2000 on)
      --cell-size METRES make cells of this size, after scaling
";

const OUTPUT_OPTIONS: &str =
    "  -o, --output NAME      beginning of the output's file names; folders in it must exist
  -f, --force            replace output files that exist
";

const COMMON_OPTIONS: &str =
    "      --units UNIT       unit of the file's coordinates: m (default), cm, mm or in
      --scale FACTOR     multiply coordinates, after --units
      --weld[=METRES]    merge vertices of tets at the same place, or at most METRES apart
      --center           move the middle of the bounding box to the origin
      --drop-to-floor    move the lowest vertex to y = 0
      --json             print one JSON object, also for errors other than status 2
  -q, --quiet            print nothing but errors and what --json asks for; no progress
  -h, --help             print this
  -V, --version          print the version
";

const EXIT_STATUS: &str = "
EXIT STATUS
  0   done; findings are no failure
  1   the file is broken, unknown or holds nothing that can be used
  2   the command line cannot be understood
  3   a file cannot be read or written, or exists already
  4   info --strict: there are findings
";

const GENERAL_EXAMPLES: &str = "
EXAMPLES
  webgpu-softbody-mesh info part.msh
  webgpu-softbody-mesh convert part.msh --units mm -o models/part
  webgpu-softbody-mesh tetrahedralize bunny.obj --tets 5000 --drop-to-floor -o models/bunny
";

const INFO_EXAMPLES: &str = "
EXAMPLES
  Is this scan closed, and how large is it in millimetres?
    webgpu-softbody-mesh info scan.stl --units mm
  Refuse a mesh with any flaw in a build:
    webgpu-softbody-mesh info part.msh --strict --quiet
  How many slivers?
    webgpu-softbody-mesh info part.vtu --json | jq '.report.findings[] | select(.code == \"slivers\").count'
";

const CONVERT_EXAMPLES: &str = "
EXAMPLES
  From TetGen (finds part.ele beside it):
    webgpu-softbody-mesh convert part.node -o models/part
  Parts that were meshed one by one, joined where they touch within a hundredth of a millimetre:
    webgpu-softbody-mesh convert parts.inp --units mm --weld=1e-5 -o models/parts
";

const TETRAHEDRALIZE_EXAMPLES: &str = "
EXAMPLES
  webgpu-softbody-mesh tetrahedralize bunny.obj --tets 5000 -o models/bunny
  webgpu-softbody-mesh tetrahedralize hand.glb --cell-size 0.004 --center --drop-to-floor -o models/hand
  gunzip -c scan.ply.gz | webgpu-softbody-mesh tetrahedralize - --units mm --tets 20000 -o scan --json
";
