//! The command line of the bench.

use lexopt::Arg::{Long, Short};
use lexopt::ValueExt;
use std::ffi::OsString;
use std::path::PathBuf;
use webgpu_softbody::settings::SolverSettings;

/// What `--help` prints.
pub const HELP: &str = "\
bench: ms per frame of the solver and of the scheme it is compared with, on this machine's adapter

  --cases LIST     separated by commas: cube torus beam bunny hand box-4k box-10k box-100k box-1m box-3m largest, box:N for
                   N cells a side; cloth-64 cloth-256 cloth-1024, cloth:N for N particles a side; pick for the time that
                   an answer takes; or the groups presets, boxes, cloths, all (on a software adapter the usual choice is
                   presets,box-4k,cloth-64,pick; otherwise all)
  --moduli LIST    Young's moduli in Pa instead of those of each case (presets 1e5 1e6; boxes 1e5 1e6 1e7)
  --scheme NAME    explicit (usual) or xpbd
  --substeps N     instead of those the solver chooses
  --frames N       most frames timed per case (usual 120)
  --seconds N      most seconds per measurement (usual 15)
  --quick          a few frames per case: --frames 12 --seconds 3
  --no-baseline    without the scheme that it is compared with
  --json PATH      also write everything as JSON
";

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    Help,
    Run(Arguments),
}

/// What to measure, and for how long.
#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    /// As given; empty for the usual choice of the adapter.
    pub cases: Vec<String>,
    /// Instead of those of the cases, Pa.
    pub moduli: Option<Vec<f64>>,
    pub settings: SolverSettings,
    pub frames: u32,
    pub seconds: f64,
    pub baseline: bool,
    pub json: Option<PathBuf>,
}

/// Reads the command line; the first argument is the program.
///
/// # Errors
/// A sentence that names the argument at fault.
pub fn parse(line: impl IntoIterator<Item = OsString>) -> Result<Task, String> {
    let mut arguments = Arguments {
        cases: Vec::new(),
        moduli: None,
        settings: SolverSettings::default(),
        frames: 120,
        seconds: 15.0,
        baseline: true,
        json: None,
    };
    let mut substeps = None;
    let mut parser = lexopt::Parser::from_iter(line);
    let text = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Short('h') | Long("help") => return Ok(Task::Help),
            Long("quick") => (arguments.frames, arguments.seconds) = (12, 3.0),
            Long("no-baseline") => arguments.baseline = false,
            Long(name @ ("cases" | "moduli" | "scheme" | "substeps" | "frames" | "seconds")) => {
                let name = name.to_owned();
                let value = parser.value().and_then(|v| v.string()).map_err(text)?;
                let wrong = |expected: &str| format!("--{name} {value}: expected {expected}");
                match name.as_str() {
                    "cases" => {
                        arguments.cases = value
                            .split(',')
                            .map(|case| case.trim().to_owned())
                            .collect();
                    }
                    "moduli" => {
                        let moduli: Option<Vec<f64>> = value
                            .split(',')
                            .map(|pascals| pascals.trim().parse().ok())
                            .map(|pascals| pascals.filter(|p| (1.0..=1e12).contains(p)))
                            .collect();
                        arguments.moduli =
                            Some(moduli.ok_or_else(|| wrong("numbers from 1 to 1e12 Pa"))?);
                    }
                    "scheme" => {
                        arguments.settings = match value.as_str() {
                            "explicit" => SolverSettings::explicit(None),
                            "xpbd" => SolverSettings::xpbd(20, 4),
                            _ => return Err(wrong("explicit or xpbd")),
                        };
                    }
                    "substeps" => {
                        let count: Option<u32> = value.parse().ok();
                        substeps = count.filter(|count| (1..=200).contains(count));
                        if substeps.is_none() {
                            return Err(wrong("a whole number from 1 to 200"));
                        }
                    }
                    "frames" => {
                        let frames: Option<u32> = value.parse().ok();
                        arguments.frames = frames
                            .filter(|frames| (3..=2000).contains(frames))
                            .ok_or_else(|| wrong("a whole number from 3 to 2000"))?;
                    }
                    _ => {
                        let seconds: Option<f64> = value.parse().ok();
                        arguments.seconds = seconds
                            .filter(|seconds| (0.1..=600.0).contains(seconds))
                            .ok_or_else(|| wrong("a number from 0.1 to 600"))?;
                    }
                }
            }
            Long("json") => arguments.json = Some(parser.value().map_err(text)?.into()),
            other => return Err(other.unexpected().to_string()),
        }
    }
    arguments.settings.substeps = substeps.or(arguments.settings.substeps);
    Ok(Task::Run(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;
    use webgpu_softbody::settings::Scheme;

    fn parsed(line: &str) -> Result<Task, String> {
        parse(
            std::iter::once("bench")
                .chain(line.split_whitespace())
                .map(OsString::from),
        )
    }

    #[test]
    fn a_line_sets_what_it_names() {
        let line = "--quick --cases cube,box:3 --moduli 1e5,2e6 --scheme xpbd --substeps 7 --json a.json --no-baseline";
        let Ok(Task::Run(arguments)) = parsed(line) else {
            panic!("{line} is refused")
        };
        assert_eq!(arguments.cases, ["cube", "box:3"]);
        assert_eq!(arguments.moduli, Some(vec![1e5, 2e6]));
        assert_eq!(arguments.settings.scheme, Scheme::Xpbd);
        assert_eq!(arguments.settings.substeps, Some(7));
        assert_eq!((arguments.frames, arguments.seconds), (12, 3.0));
        assert!(!arguments.baseline);
        assert_eq!(arguments.json, Some(PathBuf::from("a.json")));
        assert_eq!(parsed("--cases cube --help"), Ok(Task::Help));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, part) in [
            ("--moduli 1e5,soft", "--moduli 1e5,soft"),
            ("--moduli 0", "1 to 1e12"),
            ("--scheme implicit", "explicit or xpbd"),
            ("--substeps 0", "1 to 200"),
            ("--frames 2", "3 to 2000"),
            ("--seconds inf", "0.1 to 600"),
            ("--frames", "--frames"),
            ("--fast", "--fast"),
            ("cube", "cube"),
        ] {
            let message = parsed(line).expect_err(line);
            assert!(message.contains(part), "{line}: {message}");
        }
    }
}
