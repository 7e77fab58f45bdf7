//! Reports for people and for programs.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use webgpu_softbody::conversion::{Converted, Inspected, Inspection};
use webgpu_softbody::diagnosis::SurfaceReport;
use webgpu_softbody::mesh::Finding;
use webgpu_softbody::rest_state::{Bounds, MeshReport};

const WIDTH: usize = 100;

/// `info`, as one JSON object.
pub fn inspection_json(inspection: &Inspection) -> Value {
    let (content, report) = match &inspection.content {
        Inspected::Tets(report) => ("tets", json!(report)),
        Inspected::Surface(report) => ("surface", json!(report)),
    };
    json!({
        "format": inspection.format,
        "notes": inspection.notes,
        "content": content,
        "report": report,
    })
}

/// What was written, as one JSON object.
pub fn converted_json(converted: &Converted, files: &[impl AsRef<Path>]) -> Value {
    let files: Vec<_> = files
        .iter()
        .map(|path| path.as_ref().to_string_lossy())
        .collect();
    let mut object = json!({
        "format": converted.format,
        "notes": converted.notes,
        "files": files,
        "report": converted.report,
    });
    if let Some(filling) = converted.filling {
        let (min, max) = filling.dihedral_degrees;
        object["filling"] = json!({
            "cellSize": filling.cell_size,
            "minDihedralDegrees": min,
            "maxDihedralDegrees": max,
            "removedTets": filling.removed_tets,
        });
    }
    object
}

/// An error, as one JSON object.
pub fn error_json(kind: &str, message: &str) -> Value {
    json!({ "error": { "kind": kind, "message": message } })
}

/// `info`, for people.
pub fn inspection_text(inspection: &Inspection) -> String {
    let mut text = String::new();
    row(&mut text, "format", &inspection.format);
    match &inspection.content {
        Inspected::Tets(report) => tets(&mut text, report),
        Inspected::Surface(report) => surface(&mut text, report),
    }
    notes(&mut text, &inspection.notes);
    findings(
        &mut text,
        match &inspection.content {
            Inspected::Tets(report) => &report.findings,
            Inspected::Surface(report) => &report.findings,
        },
    );
    text
}

/// What was written, for people.
pub fn converted_text(converted: &Converted, files: &[impl AsRef<Path>]) -> String {
    let mut text = String::new();
    row(&mut text, "format", &converted.format);
    if let Some(filling) = converted.filling {
        row(
            &mut text,
            "filled with",
            &format!("cells of {} m", short(filling.cell_size)),
        );
    }
    tets(&mut text, &converted.report);
    notes(&mut text, &converted.notes);
    findings(&mut text, &converted.report.findings);
    for path in files {
        row(&mut text, "written", &path.as_ref().display().to_string());
    }
    text
}

fn tets(text: &mut String, report: &MeshReport) {
    row(text, "vertices", &report.vertices.to_string());
    row(text, "tets", &report.tets.to_string());
    row(
        text,
        "surface",
        &format!("{} triangles", report.surface_triangles),
    );
    if report.components > 1 {
        row(text, "parts", &report.components.to_string());
    }
    sizes(text, report.bounds);
    row(text, "volume", &format!("{} m³", short(report.volume)));
    if let Some(shape) = &report.shape {
        row(
            text,
            "dihedral angles",
            &format!(
                "{:.1}° to {:.1}°",
                shape.min_dihedral_degrees, shape.max_dihedral_degrees
            ),
        );
        let counts: Vec<String> = shape
            .dihedral_histogram
            .iter()
            .map(u32::to_string)
            .collect();
        row(text, "  in tens of 0-180°", &counts.join(" "));
        let numbers = shape.condition_numbers;
        row(
            text,
            "condition numbers",
            &format!(
                "median {}, 99 % within {}, worst {}",
                short(numbers.median),
                short(numbers.p99),
                short(numbers.worst)
            ),
        );
    }
}

fn surface(text: &mut String, report: &SurfaceReport) {
    row(text, "vertices", &report.vertices.to_string());
    row(text, "triangles", &report.triangles.to_string());
    row(text, "parts", &report.components.to_string());
    row(text, "closed", if report.closed { "yes" } else { "no" });
    sizes(text, report.bounds);
    row(text, "area", &format!("{} m²", short(report.area)));
    row(text, "volume", &format!("{} m³", short(report.volume)));
}

fn sizes(text: &mut String, bounds: Bounds) {
    let side = |axis: usize| short(f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]));
    row(
        text,
        "size",
        &format!("{} × {} × {} m", side(0), side(1), side(2)),
    );
    let corner = |p: [f32; 3]| p.map(|x| short(f64::from(x))).join(", ");
    row(
        text,
        "from, to",
        &format!("({}), ({})", corner(bounds.min), corner(bounds.max)),
    );
}

fn notes(text: &mut String, notes: &[String]) {
    for note in notes {
        wrapped(text, &format!("note: {note}"), 6);
    }
}

fn findings(text: &mut String, findings: &[Finding]) {
    for finding in findings {
        let kind = if finding.mended { "mended" } else { "warning" };
        wrapped(
            text,
            &format!("{kind}: {}: {}", finding.code, finding.message),
            9,
        );
        if !finding.examples.is_empty() {
            let numbers: Vec<String> = finding.examples.iter().map(u32::to_string).collect();
            wrapped(
                text,
                &format!("         examples: {}", numbers.join(", ")),
                9,
            );
        }
    }
}

fn row(text: &mut String, name: &str, value: &str) {
    writeln!(text, "{name:<19} {value}").expect("invariant: writing to a string works");
}

/// Breaks a sentence at spaces; all lines but the first are indented.
fn wrapped(text: &mut String, sentence: &str, indent: usize) {
    let mut width = 0;
    let leading = sentence.len() - sentence.trim_start().len();
    text.push_str(&sentence[..leading]);
    width += leading;
    for (place, word) in sentence.split_whitespace().enumerate() {
        let length = word.chars().count();
        if place > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            width = indent;
        } else if place > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}

/// Four significant digits.
fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let exponent = x.abs().log10().floor() as i32;
    if !(-5..7).contains(&exponent) {
        return format!("{x:.3e}");
    }
    let digits = format!("{x:.*}", (3 - exponent).max(0) as usize);
    if digits.contains('.') {
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    } else {
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_with_four_digits() {
        for (x, expected) in [
            (0.0, "0"),
            (1.0, "1"),
            (0.153_49, "0.1535"),
            (150.0, "150"),
            (-12_345.6, "-12346"),
            (1.2e-7, "1.200e-7"),
            (3e9, "3.000e9"),
            (9.999_96, "10"),
        ] {
            assert_eq!(short(x), expected);
        }
    }

    #[test]
    fn sentences_break_at_spaces() {
        let mut text = String::new();
        wrapped(&mut text, &"word ".repeat(50), 4);
        assert!(text.lines().count() > 2);
        for (number, line) in text.lines().enumerate() {
            assert!(
                line.chars().count() <= WIDTH && !line.ends_with(' '),
                "{line:?}"
            );
            assert_eq!(line.starts_with("    word"), number > 0, "{line:?}");
        }
    }
}
