//! What was found of curtains, for people and as JSON.

use super::{ClothReport, Stretch, Stretched, Way};
use crate::measure::Pair;
use crate::report::{align, digits, frame_times};
use serde_json::{Value, json};

impl ClothReport {
    fn ratio(&self, way: &Way) -> Option<f64> {
        let article = self.article.as_ref()?;
        Some(Pair::new(&way.times, &article.times).ratio(self.software))
    }

    /// Edges relaxed in a second.
    fn edge_solves_per_second(&self, way: &Way) -> f64 {
        self.edges as f64 * f64::from(self.substeps) / (way.times.best().median * 1e-3)
    }

    fn bytes_per_particle(&self) -> Option<f64> {
        Some(self.memory? as f64 / self.particles as f64)
    }
}

/// One curtain as soon as it is done.
pub fn progress_line(report: &ClothReport) -> String {
    let ratio = report
        .ratio(&report.tiles)
        .map_or(String::new(), |ratio| format!(", {ratio:.1}× the baseline"));
    format!(
        "{}: {} substeps, {} ms a frame{ratio}",
        report.name,
        report.substeps,
        digits(report.tiles.times.best().median)
    )
}

/// Two rows for each curtain, tile by tile and batch by batch.
pub fn table(reports: &[ClothReport]) -> String {
    let mut rows = vec![
        [
            "curtain",
            "by",
            "S",
            "disp",
            "ms",
            "p95",
            "wall ms",
            "Medges/s",
            "B/part.",
            "MB",
            "load s",
            "base disp",
            "base ms",
            "ratio",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for report in reports {
        for (name, way) in [("tiles", &report.tiles), ("batches", &report.batches)] {
            let none = || "–".to_owned();
            let best = way.times.best();
            let article = report.article.as_ref();
            let base = article.map(|article| Pair::new(&way.times, &article.times).baseline);
            rows.push(vec![
                report.name.clone(),
                name.to_owned(),
                report.substeps.to_string(),
                way.dispatches.to_string(),
                digits(best.median),
                digits(best.p95),
                digits(way.times.wall.median),
                digits(report.edge_solves_per_second(way) * 1e-6),
                report
                    .bytes_per_particle()
                    .map_or_else(none, |bytes| format!("{bytes:.0}")),
                report
                    .memory
                    .map_or_else(none, |bytes| digits(bytes as f64 * 1e-6)),
                digits(report.load_seconds),
                article.map_or_else(none, |article| article.dispatches.to_string()),
                base.map_or_else(none, |times| digits(times.median)),
                report
                    .ratio(way)
                    .map_or_else(none, |ratio| format!("{ratio:.2}")),
            ]);
        }
    }
    let mut text = String::from("\n");
    align(&mut text, &rows);
    text += "ms, p95: per frame of 1/60 s, by GPU timestamps where there are some; wall: from submission to completion.\n\n";
    align(&mut text, &stretch_rows(reports));
    text + "After 2 s: strain of the thread that is stretched most, its mean, threads beyond 2 %, and how far the hem then hangs below a flat curtain's.\n"
}

fn stretch_rows(reports: &[ClothReport]) -> Vec<Vec<String>> {
    let mut rows = vec![
        [
            "curtain", "scheme", "air", "most %", "mean %", "beyond %", "sag m",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for report in reports {
        let ours = Some(("ours", report.stretched));
        let article = report.article.as_ref();
        for (scheme, stretched) in ours
            .into_iter()
            .chain(article.map(|article| ("base", article.stretched)))
        {
            for (air, stretch) in [("still", stretched.still), ("wind", stretched.windy)] {
                rows.push(vec![
                    report.name.clone(),
                    scheme.to_owned(),
                    air.to_owned(),
                    digits(100.0 * stretch.largest),
                    digits(100.0 * stretch.mean),
                    digits(100.0 * stretch.beyond_limit),
                    digits(stretch.sag),
                ]);
            }
        }
    }
    rows
}

fn stretch(stretched: &Stretched) -> Value {
    let of = |stretch: &Stretch| {
        json!({
            "largestStrain": stretch.largest,
            "meanStrain": stretch.mean,
            "shareBeyondLimit": stretch.beyond_limit,
            "sag": stretch.sag,
        })
    };
    json!({ "seconds": 2.0, "still": of(&stretched.still), "wind": of(&stretched.windy) })
}

/// One curtain, in SI units unless the name says otherwise.
pub fn json(report: &ClothReport) -> Value {
    let way = |way: &Way| {
        json!({
            "msPerFrame": frame_times(&way.times),
            "dispatchesPerFrame": way.dispatches,
            "edgeSolvesPerSecond": report.edge_solves_per_second(way),
            "ratio": report.ratio(way),
        })
    };
    json!({
        "case": report.name,
        "particles": report.particles,
        "edges": report.edges,
        "bends": report.bends,
        "substeps": report.substeps,
        "tiles": way(&report.tiles),
        "batches": way(&report.batches),
        "stretch": stretch(&report.stretched),
        "gpuBytes": report.memory,
        "gpuBytesPerParticle": report.bytes_per_particle(),
        "loadSeconds": report.load_seconds,
        "baseline": report.article.as_ref().map(|article| json!({
            "msPerFrame": frame_times(&article.times),
            "dispatchesPerFrame": article.dispatches,
            "springSolvesPerFrame": article.solves,
            "stretch": stretch(&article.stretched),
            "gpuBytes": article.memory,
        })),
    })
}
