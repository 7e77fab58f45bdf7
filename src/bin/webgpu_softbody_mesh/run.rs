//! Does what the command line asks for and turns every outcome into output and an exit status.

use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use webgpu_softbody::conversion::{
    self, ConvertError, Converted, Inspected, convert_imported, inspect,
};
use webgpu_softbody::import::surface::look_file_not_given;
use webgpu_softbody::import::{ImportError, NamedFile};
use webgpu_softbody::meshing::Resolution;

use super::arguments::{Common, Task, Usage, Verb, parse};
use super::files::{FileError, Input, Outputs};
use super::progress::Bar;
use super::{help, report};

/// A mesh that cannot be used, an unusable command line, trouble with files, and findings where none may be.
const BROKEN: u8 = 1;
const USAGE: u8 = 2;
const IO: u8 = 3;
const FINDINGS: u8 = 4;

/// A file may name another that it needs, which may name a third; no format needs more than a glTF's buffers and images.
const MAX_COMPANIONS: usize = 256;

/// Why the command fails.
enum Failure {
    File(FileError),
    Mesh { kind: &'static str, message: String },
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Self {
        Self::Mesh {
            kind: error.kind(),
            message: error.to_string(),
        }
    }
}

pub fn main() -> ExitCode {
    let task = match parse(std::env::args_os().skip(1)) {
        Ok(task) => task,
        Err(Usage { message, verb }) => {
            let topic = verb.map_or(String::new(), |verb| format!(" {}", verb.name()));
            complain(&format!(
                "{message}\nTry '{} --help'.",
                help::PROGRAM.to_owned() + &topic
            ));
            let options = std::env::args_os().skip(1);
            if options
                .take_while(|word| word != "--")
                .any(|word| word == "--json")
            {
                let _ = print(&format!("{:#}\n", report::error_json("usage", &message)));
            }
            return ExitCode::from(USAGE);
        }
    };
    let json = match &task {
        Task::Info { common, .. } | Task::Make { common, .. } => common.json,
        Task::Help(_) | Task::Version => false,
    };
    let outcome = match task {
        Task::Help(verb) => print(&help::text(verb)).map(|()| 0),
        Task::Version => print(&format!(
            "{} {}\n",
            help::PROGRAM,
            env!("CARGO_PKG_VERSION")
        ))
        .map(|()| 0),
        Task::Info {
            files,
            strict,
            common,
        } => info(&files, strict, common),
        Task::Make {
            verb,
            files,
            output,
            resolution,
            force,
            common,
        } => make(verb, &files, &output, resolution, force, common),
    };
    let (kind, message, status) = match outcome {
        Ok(status) => return ExitCode::from(status),
        Err(Failure::File(FileError(message))) => ("io", message, IO),
        Err(Failure::Mesh { kind, message }) => (kind, message, BROKEN),
    };
    complain(&message);
    if json {
        // Standard output is where a program looks; if it is gone too, the exit status still tells.
        let _ = print(&format!("{:#}\n", report::error_json(kind, &message)));
    }
    ExitCode::from(status)
}

fn info(files: &[PathBuf], strict: bool, common: Common) -> Result<u8, Failure> {
    let mut inputs = read(files)?;
    let found = with_companions(&mut inputs, |files| {
        let found = inspect(files, &common.options)?;
        let notes = found.notes.clone();
        Ok((found, notes))
    })?;
    if common.json {
        print(&format!("{:#}\n", report::inspection_json(&found)))?;
    } else if !common.quiet {
        print(&report::inspection_text(&found))?;
    }
    let findings = match &found.content {
        Inspected::Tets(report) => &report.findings,
        Inspected::Surface(report) => &report.findings,
    };
    Ok(if strict && !findings.is_empty() {
        FINDINGS
    } else {
        0
    })
}

fn make(
    verb: Verb,
    files: &[PathBuf],
    output: &OsString,
    resolution: Option<Resolution>,
    force: bool,
    common: Common,
) -> Result<u8, Failure> {
    let outputs = Outputs::new(output, force)?;
    let mut inputs = read(files)?;
    let mut bar = Bar::new(!common.quiet);
    // Read until nothing is missing, and only then filled.
    let imported = with_companions(&mut inputs, |files| {
        let imported = conversion::read(files)?;
        let notes = imported.notes.clone();
        Ok((imported, notes))
    })?;
    let names: Vec<&str> = inputs.iter().map(|input| input.named().name).collect();
    let converted = convert_imported(
        &names.join(", "),
        imported,
        resolution,
        &common.options,
        &mut |share| {
            bar.update(share);
            ControlFlow::Continue(())
        },
    );
    bar.finish();
    let converted: Converted = converted?;
    if verb == Verb::Tetrahedralize && converted.filling.is_none() {
        return Err(Failure::Mesh {
            kind: "no-surface",
            message: format!(
                "{}: {} with {} tets, not a surface; '{} convert' takes it as it is",
                files[0].display(),
                converted.format,
                converted.tets.len(),
                help::PROGRAM
            ),
        });
    }
    outputs.write(&converted.positions, &converted.tets)?;
    if common.json {
        let object = report::converted_json(&converted, outputs.paths());
        print(&format!("{object:#}\n"))?;
    } else if !common.quiet {
        print(&report::converted_text(&converted, outputs.paths()))?;
    }
    Ok(0)
}

fn read(files: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    Ok(files
        .iter()
        .map(|path| Input::read(path))
        .collect::<Result<_, _>>()?)
}

/// Tries with the files given, and again with each file that is missing, or that notes miss, and stands beside the
/// first. An attempt gives its notes too.
fn with_companions<T>(
    inputs: &mut Vec<Input>,
    mut attempt: impl FnMut(&[NamedFile<'_>]) -> Result<(T, Vec<String>), ConvertError>,
) -> Result<T, Failure> {
    for _ in 0..MAX_COMPANIONS {
        let named: Vec<NamedFile<'_>> = inputs.iter().map(Input::named).collect();
        let error = match attempt(&named) {
            Ok((done, notes)) => {
                let mut found = Vec::new();
                for name in notes.iter().filter_map(|note| look_file_not_given(note)) {
                    found.extend(beside(&inputs[0], &named, name)?);
                }
                if found.is_empty() {
                    return Ok(done);
                }
                inputs.append(&mut found);
                continue;
            }
            Err(error) => error,
        };
        let companion = match &error {
            ConvertError::Import {
                source: ImportError::MissingCompanion { missing, .. },
                ..
            } => beside(&inputs[0], &named, missing)?,
            _ => None,
        };
        match companion {
            Some(found) => inputs.push(found),
            None => return Err(error.into()),
        }
    }
    Err(Failure::File(FileError(format!(
        "more than {MAX_COMPANIONS} files belong to the first"
    ))))
}

/// The file that is missing, if it stands beside the first. The importers may quote the name and say behind it what
/// it is for.
fn beside(
    first: &Input,
    given: &[NamedFile<'_>],
    missing: &str,
) -> Result<Option<Input>, FileError> {
    let bare = missing.rsplit_once(" (").map_or(missing, |(name, _)| name);
    for name in [missing, bare.trim_matches('"')] {
        if given.iter().any(|file| file.name == name) {
            continue;
        }
        if let Some(found) = first.companion(name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Writes to standard output. A reader that has seen enough (`| head`) is no error.
fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::File(FileError(
            format!("standard output: {error}"),
        ))),
        _ => Ok(()),
    }
}

/// Writes to standard error, where there may be nobody to read it.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "{}: {message}", help::PROGRAM);
}
