//! PLY: what its vertices and faces mean. The header is read by `ply_header`, the rows by `ply_body`.

use super::super::{ImportError, NamedFile};
use super::builder::{Builder, Material, Vertex, linear};
use super::obj::note_fans;
use super::ply_body::{Body, Row, Rows};
use super::ply_header::{Element, Encoding, FORMAT, header};
use super::polygon::Triangulator;
use super::scan::{Scanner, shown};
use super::{companion, counted};
use crate::surface::SurfaceMesh;

/// Reads the file; its image is taken from the other files if it names one.
pub(super) fn read(
    files: &[NamedFile],
    index: usize,
    notes: &mut Vec<String>,
) -> Result<(&'static str, SurfaceMesh), ImportError> {
    let bytes = files[index].bytes;
    let mut scanner = Scanner::new(bytes, FORMAT);
    let header = header(&mut scanner)?;
    let (name, mut body) = match header.encoding {
        Encoding::Ascii => ("PLY ASCII", Body::ascii(scanner)),
        Encoding::Little => (
            "PLY binary little-endian",
            Body::binary(bytes, scanner.offset(), false),
        ),
        Encoding::Big => (
            "PLY binary big-endian",
            Body::binary(bytes, scanner.offset(), true),
        ),
    };
    let mut builder = Builder::default();
    let mut vertices = 0;
    let mut faces = Faces::default();
    for element in &header.elements {
        let rows = body.element(element)?;
        match element.name.as_slice() {
            b"vertex" => {
                read_vertices(rows, element, &mut builder, notes)?;
                vertices = builder.vertex_count();
            }
            b"face" | b"faces" => faces.read(rows, element, vertices, notes)?,
            b"tristrips" => faces.read_strips(rows, element, vertices)?,
            _ => {
                if element.count > 0 {
                    notes.push(format!(
                        "{} {} were skipped",
                        element.count,
                        shown(&element.name)
                    ));
                }
                rows.skip()?;
            }
        }
    }
    if vertices == 0 || faces.sizes.is_empty() {
        return Err(ImportError::NoTets {
            format: FORMAT,
            message: format!(
                "a point cloud of {} without faces: reconstruct a surface from it first",
                counted(vertices, "point", "points")
            ),
        });
    }
    let material = texture(files, index, header.texture, &mut builder, notes);
    faces.triangulate(&mut builder, material, notes);
    Ok((name, builder.finish(FORMAT)?))
}

#[inline(never)]
fn texture(
    files: &[NamedFile],
    index: usize,
    address: Option<&[u8]>,
    builder: &mut Builder,
    notes: &mut Vec<String>,
) -> Option<usize> {
    let address = address.filter(|_| builder.has_uvs())?;
    let image = match companion::find(files, index, address).map(|f| companion::image(f.bytes)) {
        Some(Ok(image)) => builder.image(image),
        Some(Err(kind)) => {
            notes.push(format!(
                "the image {} is {kind}, not PNG or JPEG: left out",
                shown(address)
            ));
            return None;
        }
        None => {
            notes.push(companion::not_given("image", address, "left out"));
            return None;
        }
    };
    Some(builder.material(Material {
        color: [1.0; 4],
        image: Some(image),
    }))
}

#[inline(never)]
fn read_vertices(
    mut rows: Rows,
    element: &Element,
    builder: &mut Builder,
    notes: &mut Vec<String>,
) -> Result<(), ImportError> {
    let find = |names: &[&[u8]]| element.scalar(names);
    let place = [find(&[b"x"]), find(&[b"y"]), find(&[b"z"])];
    let [Some(x), Some(y), Some(z)] = place else {
        return Err(rows.malformed(format!(
            "expected the properties x, y and z of the vertices, found {}",
            element
                .properties
                .iter()
                .map(|p| shown(&p.name))
                .collect::<Vec<_>>()
                .join(", ")
        )));
    };
    let normal = [find(&[b"nx"]), find(&[b"ny"]), find(&[b"nz"])];
    let uv = [
        find(&[b"s", b"u", b"texture_u", b"texture_s"]),
        find(&[b"t", b"v", b"texture_v", b"texture_t"]),
    ];
    let color = [
        find(&[b"red", b"diffuse_red", b"r"]),
        find(&[b"green", b"diffuse_green", b"g"]),
        find(&[b"blue", b"diffuse_blue", b"b"]),
    ];
    let alpha = find(&[b"alpha", b"diffuse_alpha", b"a"]);
    let known = [&place[..], &normal, &uv, &color, &[alpha]].concat();
    let others = (0..element.properties.len())
        .filter(|n| !known.contains(&Some(*n)))
        .count();
    if others > 0 {
        notes.push(format!(
            "{} of the vertices were skipped",
            counted(others, "further property", "further properties")
        ));
    }
    let full = |place: usize| element.properties[place].scalar.full();
    let mut row = Row::default();
    while rows.next(&mut row)? {
        let single = |place: usize| row.scalars[place] as f32;
        let position = [single(x), single(y), single(z)];
        if !position.iter().all(|x| x.is_finite()) {
            return Err(rows.malformed(format!(
                "expected finite coordinates of vertex {}, found {}, {} and {}",
                builder.vertex_count(),
                crate::text::Number::from(position[0]),
                crate::text::Number::from(position[1]),
                crate::text::Number::from(position[2]),
            )));
        }
        let channel = |place: usize| (row.scalars[place] / full(place)) as f32;
        builder.vertex(Vertex {
            position,
            normal: collect(normal).map(|normal| normal.map(single)),
            // As in OBJ, t counts from the lower edge of the image.
            uv: collect(uv).map(|[s, t]| [single(s), 1.0 - single(t)]),
            color: collect(color).map(|rgb| {
                let [r, g, b] = rgb.map(|place| linear(channel(place)));
                [
                    r,
                    g,
                    b,
                    alpha.map_or(1.0, |alpha| channel(alpha).clamp(0.0, 1.0)),
                ]
            }),
        });
    }
    Ok(())
}

/// All of the places, or nothing.
fn collect<const N: usize>(places: [Option<usize>; N]) -> Option<[usize; N]> {
    places
        .iter()
        .all(Option::is_some)
        .then(|| places.map(|place| place.unwrap_or_default()))
}

/// Polygons, checked but not yet triangulated.
#[derive(Default)]
struct Faces {
    corners: Vec<u32>,
    sizes: Vec<u32>,
    /// Faces of fewer than three corners.
    small: usize,
}

impl Faces {
    fn corner(&mut self, rows: &Rows, value: f64, vertices: usize) -> Result<(), ImportError> {
        if value >= 0.0 && value < vertices as f64 && value.fract() == 0.0 {
            self.corners.push(value as u32);
            return Ok(());
        }
        Err(rows.malformed(format!(
            "{} refers to vertex {}, but there are {vertices} before it",
            rows.name(),
            crate::text::Number::from(value)
        )))
    }

    fn read(
        &mut self,
        mut rows: Rows,
        element: &Element,
        vertices: usize,
        notes: &mut Vec<String>,
    ) -> Result<(), ImportError> {
        let Some(indices) = element.list(&[b"vertex_indices", b"vertex_index"]) else {
            if element.count == 0 {
                return rows.skip();
            }
            return Err(rows.malformed(
                "expected a list vertex_indices or vertex_index of the faces, found none"
                    .to_owned(),
            ));
        };
        if element.list(&[b"texcoord"]).is_some() {
            notes.push(
                "texture coordinates per face corner were skipped: only those per vertex are read"
                    .to_owned(),
            );
        }
        if element.scalar(&[b"red", b"r"]).is_some() {
            notes.push("colours of faces were skipped: only those of vertices are read".to_owned());
        }
        rows.want(indices);
        let mut row = Row::default();
        while rows.next(&mut row)? {
            if row.list.len() < 3 {
                self.small += 1;
                continue;
            }
            for &value in &row.list {
                self.corner(&rows, value, vertices)?;
            }
            self.sizes.push(row.list.len() as u32);
        }
        Ok(())
    }

    /// Triangle strips, one after the other, with −1 between them.
    fn read_strips(
        &mut self,
        mut rows: Rows,
        element: &Element,
        vertices: usize,
    ) -> Result<(), ImportError> {
        let Some(indices) = element.list(&[b"vertex_indices", b"vertex_index"]) else {
            return rows.skip();
        };
        rows.want(indices);
        let mut row = Row::default();
        while rows.next(&mut row)? {
            for strip in row.list.split(|&value| value == -1.0) {
                for (number, corners) in strip.windows(3).enumerate() {
                    let [a, b, c] = [corners[0], corners[1], corners[2]];
                    // Every other triangle is wound the other way; repeated corners only join strips.
                    let corners = if number % 2 == 0 {
                        [a, b, c]
                    } else {
                        [b, a, c]
                    };
                    for value in corners {
                        self.corner(&rows, value, vertices)?;
                    }
                    if a == b || b == c || c == a {
                        self.corners.truncate(self.corners.len() - 3);
                    } else {
                        self.sizes.push(3);
                    }
                }
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn triangulate(self, builder: &mut Builder, material: Option<usize>, notes: &mut Vec<String>) {
        let mut triangulator = Triangulator::new();
        let mut rest = self.corners.as_slice();
        for size in self.sizes {
            let (polygon, others) = rest.split_at(size as usize);
            rest = others;
            let triangles =
                triangulator.triangulate(polygon.len(), |n| builder.position(polygon[n]));
            for triangle in triangles {
                builder.triangle(triangle.map(|corner| polygon[corner]), material);
            }
        }
        if self.small > 0 {
            notes.push(format!(
                "{} of fewer than 3 corners were skipped",
                counted(self.small, "face", "faces")
            ));
        }
        note_fans(&triangulator, notes);
    }
}
