//! Units, scale and place: the options that move a mesh as a whole, and advice on which of them it needs.

use super::{DoctorOptions, finding_mut};
use crate::error::MeshError;
use crate::mesh::{Finding, USUAL_EXTENT};
use crate::rest_state::MeshReport;
use crate::text::Number;

/// A unit of length that files are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Metres.
    Metre,
    /// Centimetres.
    Centimetre,
    /// Millimetres.
    Millimetre,
    /// Inches of 25.4 mm.
    Inch,
}

impl Unit {
    /// All units, the largest first.
    pub const ALL: [Self; 4] = [Self::Metre, Self::Inch, Self::Centimetre, Self::Millimetre];

    /// Metres per unit.
    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
        }
    }

    /// `m`, `cm`, `mm` or `in`.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
            Self::Inch => "in",
        }
    }

    /// The unit of this symbol.
    pub fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.symbol() == symbol)
    }
}

/// How positions were moved: `p ↦ scale·p + shift`, rounded to single precision after each of the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Metres per unit of the file.
    pub scale: f64,
    /// Metres.
    pub shift: [f64; 3],
}

/// Refuses factors that are not positive and finite.
pub fn check_scale(factor: f64) -> Result<(), MeshError> {
    if factor.is_finite() && factor > 0.0 {
        Ok(())
    } else {
        Err(MeshError::InvalidScale { factor })
    }
}

/// Multiplies in double precision and rounds once; a factor of 1 touches nothing.
pub fn scale(positions: &mut [[f32; 3]], factor: f64) {
    if factor != 1.0 {
        for x in positions.as_flattened_mut() {
            *x = (f64::from(*x) * factor) as f32;
        }
    }
}

/// Adds in double precision and rounds once; a shift of 0 touches nothing.
pub fn translate(positions: &mut [[f32; 3]], shift: [f64; 3]) {
    if shift == [0.0; 3] {
        return;
    }
    for position in positions {
        for (x, by) in position.iter_mut().zip(shift) {
            *x = (f64::from(*x) + by) as f32;
        }
    }
}

/// The shift that the options ask for, by the smallest and largest coordinates of what is to be placed.
pub fn shift((low, high): ([f32; 3], [f32; 3]), options: &DoctorOptions) -> [f64; 3] {
    let mut shift = [0.0; 3];
    if options.center {
        shift = std::array::from_fn(|axis| -0.5 * (f64::from(low[axis]) + f64::from(high[axis])));
    }
    if options.drop_to_floor {
        shift[1] = -f64::from(low[1]);
    }
    shift
}

/// What a thing of this size, in metres, is taken for: it fits on a table or in a room.
const PLAUSIBLE_EXTENT: std::ops::RangeInclusive<f64> = 0.01..=10.0;

/// Names the unit that a mesh of suspicious size was probably written in, if loading found its size suspicious.
pub fn advise_units(report: &mut MeshReport, used: f64) {
    let extent = extent(report.bounds.min, report.bounds.max);
    if let Some(finding) = finding_mut(&mut report.findings, Finding::SUSPICIOUS_SCALE) {
        finding.message = advice("mesh", extent, used);
    }
}

/// The same for a surface, by the limits of [`TetMesh`](crate::mesh::TetMesh).
pub fn surface_scale(low: [f32; 3], high: [f32; 3], used: f64) -> Option<Finding> {
    let extent = extent(low, high);
    (!USUAL_EXTENT.contains(&extent)).then(|| {
        Finding::new(
            Finding::SUSPICIOUS_SCALE,
            1,
            &[],
            false,
            advice("surface", extent, used),
        )
    })
}

fn extent(low: [f32; 3], high: [f32; 3]) -> f64 {
    (0..3).fold(0.0, |extent: f64, axis| {
        extent.max(f64::from(high[axis]) - f64::from(low[axis]))
    })
}

fn advice(what: &str, extent: f64, used: f64) -> String {
    let across = format!("the {what} is {} m across", rounded(extent));
    // Sizes in the file's own unit, whatever it was taken for.
    let units = extent / used;
    let candidates: Vec<Unit> = Unit::ALL
        .into_iter()
        .rev()
        .filter(|unit| unit.metres() != used && PLAUSIBLE_EXTENT.contains(&(units * unit.metres())))
        .collect();
    let reading = |unit: &Unit| {
        format!(
            "`units` {} makes it {} m",
            unit.symbol(),
            rounded(units * unit.metres())
        )
    };
    match &candidates[..] {
        [] if extent > 1.0 => format!(
            "{across}, more than 100 m, and no usual unit makes it the size of a thing: set `scale` to the metres per \
             unit of the file"
        ),
        [] => format!(
            "{across}, less than 1 mm, and no usual unit makes it the size of a thing: set `scale` to the metres per \
             unit of the file (1000 for kilometres)"
        ),
        [first, others @ ..] => {
            let mut text = format!(
                "{across}, {}, so the file is probably not in {}: {}",
                if extent > 1.0 {
                    "more than 100 m"
                } else {
                    "less than 1 mm"
                },
                if used == 1.0 {
                    "metres".to_owned()
                } else {
                    format!("units of {} m", Number::from(used))
                },
                reading(first)
            );
            for other in others {
                text.push_str(", ");
                text.push_str(&reading(other));
            }
            text
        }
    }
}

/// Four digits are enough for a size in a sentence.
fn rounded(x: f64) -> Number {
    let magnitude = 10f64.powi(3 - x.abs().log10().floor() as i32);
    let near = (x * magnitude).round() / magnitude;
    Number::from(if near.is_finite() { near } else { x })
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn a_bunny_of_150_metres_is_in_millimetres() {
        assert_eq!(
            advice("mesh", 150.0, 1.0),
            "the mesh is 150 m across, more than 100 m, so the file is probably not in metres: `units` mm makes it 0.15 m, \
             `units` cm makes it 1.5 m, `units` in makes it 3.81 m"
        );
    }

    #[test]
    fn millimetres_by_mistake_are_named_too() {
        let text = advice("mesh", 0.000_15, 0.001);
        assert!(
            text.contains("less than 1 mm") && text.contains("`units` m makes it 0.15 m"),
            "{text}"
        );
        assert!(!text.contains("`units` mm"), "{text}");
    }

    #[test]
    fn sizes_of_no_unit_ask_for_a_scale() {
        assert!(advice("mesh", 1e6, 1.0).contains("`scale`"));
        assert!(advice("mesh", 1e-9, 1.0).contains("1000 for kilometres"));
    }

    #[test]
    fn symbols_name_their_units() {
        for unit in Unit::ALL {
            assert_eq!(Unit::from_symbol(unit.symbol()), Some(unit));
        }
        assert_eq!(Unit::from_symbol("ft"), None);
    }
}
