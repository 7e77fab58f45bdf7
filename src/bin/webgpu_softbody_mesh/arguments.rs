//! The command line: what is asked for, or why it cannot be understood.

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use lexopt::Arg::{Long, Short, Value};
use lexopt::{Parser, ValueExt};
use webgpu_softbody::diagnosis::{DoctorOptions, Unit};
use webgpu_softbody::meshing::{MAX_TETS, Resolution};

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Print the help of a subcommand, or the general one.
    Help(Option<Verb>),
    Version,
    Info {
        files: Vec<PathBuf>,
        strict: bool,
        common: Common,
    },
    /// Convert files; `verb` is `Convert` or `Tetrahedralize`.
    Make {
        verb: Verb,
        files: Vec<PathBuf>,
        output: OsString,
        resolution: Option<Resolution>,
        force: bool,
        common: Common,
    },
}

/// The subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Info,
    Convert,
    Tetrahedralize,
}

impl Verb {
    const ALL: [Self; 3] = [Self::Info, Self::Convert, Self::Tetrahedralize];

    pub fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Convert => "convert",
            Self::Tetrahedralize => "tetrahedralize",
        }
    }
}

/// What every subcommand takes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Common {
    pub options: DoctorOptions,
    pub json: bool,
    pub quiet: bool,
}

/// A command line that cannot be understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    pub message: String,
    /// The subcommand whose help explains it.
    pub verb: Option<Verb>,
}

/// Options as they are read, before they are checked against the subcommand.
#[derive(Default)]
struct Raw {
    files: Vec<PathBuf>,
    output: Option<OsString>,
    resolution: Option<Resolution>,
    unit: Option<Unit>,
    scale: Option<f64>,
    strict: bool,
    force: bool,
    common: Common,
}

/// Reads the command line without the program's name.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Task, Usage> {
    let mut parser = Parser::from_args(arguments);
    let mut verb = None;
    let mut raw = Raw::default();
    let task = read(&mut parser, &mut verb, &mut raw);
    match task {
        Ok(Some(task)) => Ok(task),
        Ok(None) => finish(verb, raw).map_err(|message| Usage { message, verb }),
        Err(error) => Err(Usage {
            message: error.to_string(),
            verb,
        }),
    }
}

/// Goes through the arguments; a request for help or the version ends it.
fn read(
    parser: &mut Parser,
    verb: &mut Option<Verb>,
    raw: &mut Raw,
) -> Result<Option<Task>, lexopt::Error> {
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Some(Task::Help(*verb))),
            Short('V') | Long("version") => return Ok(Some(Task::Version)),
            Value(word) if verb.is_none() => {
                let known = Verb::ALL.into_iter().find(|verb| word == verb.name());
                if known.is_none() && word == "help" {
                    let topic = parser.next()?;
                    return Ok(Some(Task::Help(Verb::ALL.into_iter().find(
                        |verb| matches!(&topic, Some(Value(word)) if *word == verb.name()),
                    ))));
                }
                *verb = Some(known.ok_or_else(|| {
                    format!("{word:?} is no subcommand; there are info, convert and tetrahedralize")
                })?);
            }
            Value(file) => raw.files.push(file.into()),
            Short('o') | Long("output") => raw.output = Some(parser.value()?),
            Long("tets") => {
                let tets = number::<u32>("--tets", &parser.value()?, &tets_wanted())?;
                once(
                    &mut raw.resolution,
                    Resolution::Tets(tets),
                    "--tets and --cell-size",
                )?;
            }
            Long("cell-size") => {
                let size = number("--cell-size", &parser.value()?, "a size in metres")?;
                once(
                    &mut raw.resolution,
                    Resolution::CellSize(size),
                    "--tets and --cell-size",
                )?;
            }
            Long("units") => {
                let value = parser.value()?.string()?;
                raw.unit = Some(
                    Unit::from_symbol(&value)
                        .ok_or_else(|| format!("--units {value:?} is none of m, cm, mm and in"))?,
                );
            }
            Long("scale") => {
                raw.scale = Some(number("--scale", &parser.value()?, "a positive number")?);
            }
            Long("weld") => {
                raw.common.options.weld = Some(match parser.optional_value() {
                    Some(value) => number("--weld", &value, "a distance in metres")?,
                    None => 0.0,
                });
            }
            Long("center") => raw.common.options.center = true,
            Long("drop-to-floor") => raw.common.options.drop_to_floor = true,
            Long("json") => raw.common.json = true,
            Short('q') | Long("quiet") => raw.common.quiet = true,
            Long("strict") => raw.strict = true,
            Short('f') | Long("force") => raw.force = true,
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(None)
}

fn tets_wanted() -> String {
    format!("a whole number from 1 to {MAX_TETS}")
}

fn number<T: FromStr>(option: &str, value: &OsString, wanted: &str) -> Result<T, lexopt::Error> {
    value
        .to_str()
        .and_then(|text| text.parse().ok())
        .ok_or_else(|| format!("{option} takes {wanted}, not {value:?}").into())
}

fn once<T>(slot: &mut Option<T>, value: T, names: &str) -> Result<(), lexopt::Error> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("only one of {names} can be given, and only once").into()),
    }
}

/// Checks what was read against the subcommand.
fn finish(verb: Option<Verb>, mut raw: Raw) -> Result<Task, String> {
    let verb = verb.ok_or("a subcommand is needed: info, convert or tetrahedralize")?;
    raw.common.options.scale = raw.unit.unwrap_or(Unit::Metre).metres() * raw.scale.unwrap_or(1.0);
    raw.common
        .options
        .check()
        .map_err(|error| error.to_string())?;
    if raw.files.is_empty() {
        return Err("a FILE is needed".to_owned());
    }
    if raw
        .files
        .iter()
        .filter(|file| file.as_os_str() == "-")
        .count()
        > 1
    {
        return Err("standard input can be read only once".to_owned());
    }
    let refuse = |given: bool, option: &str| match given {
        true => Err(format!("{option} has no meaning for {}", verb.name())),
        false => Ok(()),
    };
    if verb == Verb::Info {
        refuse(raw.output.is_some(), "--output")?;
        refuse(raw.force, "--force")?;
        refuse(raw.resolution.is_some(), "--tets or --cell-size")?;
        return Ok(Task::Info {
            files: raw.files,
            strict: raw.strict,
            common: raw.common,
        });
    }
    refuse(raw.strict, "--strict")?;
    if verb == Verb::Convert {
        refuse(raw.resolution.is_some(), "--tets or --cell-size")?;
    }
    let output = raw
        .output
        .ok_or("-o NAME is needed: the beginning of the output's file names")?;
    let text = output.to_string_lossy();
    // Nothing after the last separator, or what always is a folder. `Path` would leave out a last `.`.
    if matches!(
        text.rsplit(std::path::is_separator).next(),
        None | Some("" | "." | "..")
    ) {
        return Err(format!(
            "-o {output:?}: a NAME is needed, not a folder: the files are called NAME_positions.vec3f32bin and \
             NAME_tet_indices.vec4u32bin"
        ));
    }
    if let Some(Resolution::Tets(tets)) = raw.resolution
        && !(1..=MAX_TETS).contains(&tets)
    {
        return Err(format!("--tets takes {}, not {tets}", tets_wanted()));
    }
    if let Some(Resolution::CellSize(size)) = raw.resolution
        && !(size.is_finite() && size > 0.0)
    {
        return Err(format!(
            "--cell-size takes a positive size in metres, not {size}"
        ));
    }
    Ok(Task::Make {
        verb,
        files: raw.files,
        output,
        resolution: raw.resolution,
        force: raw.force,
        common: raw.common,
    })
}
