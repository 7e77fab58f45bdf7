//! Reading the files that are named and those they need, and writing the two binary files whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};

use webgpu_softbody::import::NamedFile;

/// A file that could not be read or written.
#[derive(Debug)]
pub struct FileError(pub String);

fn failed(path: &Path, error: &io::Error) -> FileError {
    FileError(format!("{}: {error}", path.display()))
}

/// A file in memory.
pub struct Input {
    name: String,
    bytes: Vec<u8>,
    folder: PathBuf,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|error| failed(Path::new("standard input"), &error))?;
            return Ok(Self {
                name: "standard input".to_owned(),
                bytes,
                folder: PathBuf::new(),
            });
        }
        File::open(path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|error| failed(path, &error))?;
        Ok(Self {
            name: path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy()
                .into_owned(),
            bytes,
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
        })
    }

    /// As the importers take it.
    pub fn named(&self) -> NamedFile<'_> {
        NamedFile {
            name: &self.name,
            bytes: &self.bytes,
        }
    }

    /// Reads the file of this name beside this one, if there is one. Only below this file's folder: a mesh may not
    /// point anywhere else.
    pub fn companion(&self, name: &str) -> Result<Option<Self>, FileError> {
        // Files from Windows may name others with its separators.
        let relative = name.replace('\\', "/");
        let relative = Path::new(&relative);
        let below = relative
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let path = self.folder.join(relative);
        if name.is_empty() || !below || !path.is_file() {
            return Ok(None);
        }
        Self::read(&path).map(|input| {
            Some(Self {
                name: name.to_owned(),
                ..input
            })
        })
    }
}

/// The two files of a body.
pub struct Outputs {
    paths: [PathBuf; 2],
    force: bool,
}

impl Outputs {
    /// `NAME_positions.vec3f32bin` and `NAME_tet_indices.vec4u32bin`; refused if they exist, unless forced, and if there
    /// is no folder for them: before any work, not after it.
    pub fn new(name: &OsStr, force: bool) -> Result<Self, FileError> {
        let paths = ["_positions.vec3f32bin", "_tet_indices.vec4u32bin"].map(|suffix| {
            let mut path = name.to_owned();
            path.push(suffix);
            PathBuf::from(path)
        });
        if let Some(folder) = paths[0].parent()
            && !folder.as_os_str().is_empty()
            && !folder.is_dir()
        {
            return Err(FileError(format!(
                "{}: there is no folder {}; make it first",
                paths[0].display(),
                folder.display()
            )));
        }
        let outputs = Self { paths, force };
        outputs.refuse_existing()?;
        Ok(outputs)
    }

    pub fn paths(&self) -> &[PathBuf; 2] {
        &self.paths
    }

    /// Neither may be a folder, forced or not, and without force neither may exist.
    fn refuse_existing(&self) -> Result<(), FileError> {
        let folder = |path: &&PathBuf| path.symlink_metadata().is_ok_and(|found| found.is_dir());
        if let Some(path) = self.paths.iter().find(folder) {
            return Err(FileError(format!(
                "{} is a folder; choose another NAME",
                path.display()
            )));
        }
        match self
            .paths
            .iter()
            .find(|path| path.symlink_metadata().is_ok())
        {
            Some(path) if !self.force => Err(FileError(format!(
                "{} exists; --force replaces it",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Writes both files beside their places first, and moves them there only when both are complete.
    pub fn write(&self, positions: &[[f32; 3]], tets: &[[u32; 4]]) -> Result<(), FileError> {
        let contents: [Vec<u8>; 2] = [
            positions
                .as_flattened()
                .iter()
                .flat_map(|x| x.to_le_bytes())
                .collect(),
            tets.as_flattened()
                .iter()
                .flat_map(|index| index.to_le_bytes())
                .collect(),
        ];
        let mut temporary = Vec::new();
        let result = self.write_through(&contents, &mut temporary);
        if result.is_err() {
            for path in &temporary {
                // The error that counts is the first; what is not there need not be removed.
                let _ = fs::remove_file(path);
            }
        }
        result
    }

    fn write_through(
        &self,
        contents: &[Vec<u8>; 2],
        temporary: &mut Vec<PathBuf>,
    ) -> Result<(), FileError> {
        for (path, bytes) in self.paths.iter().zip(contents) {
            let beside = path.with_file_name(hidden(path));
            temporary.push(beside.clone());
            File::create(&beside)
                .and_then(|mut file| {
                    file.write_all(bytes)?;
                    file.sync_all()
                })
                .map_err(|error| failed(path, &error))?;
        }
        self.refuse_existing()?;
        let [first, second] = &self.paths;
        put(&temporary[0], first, || {
            fs::rename(&temporary[1], second).map_err(|error| failed(second, &error))
        })
    }
}

/// Moves a file to its place and goes on with `then`; if either fails, what stood there before stands there again.
fn put(
    file: &Path,
    place: &Path,
    then: impl FnOnce() -> Result<(), FileError>,
) -> Result<(), FileError> {
    let mut name = hidden(place);
    name.push(".old");
    let kept = place.with_file_name(name);
    let replaces = place.symlink_metadata().is_ok();
    if replaces {
        fs::rename(place, &kept).map_err(|error| failed(place, &error))?;
    }
    let moved = fs::rename(file, place).map_err(|error| failed(place, &error));
    let new = moved.is_ok();
    let Err(FileError(message)) = moved.and_then(|()| then()) else {
        if replaces {
            // Both new files are in their places: what is left of the old one is no failure.
            let _ = fs::remove_file(&kept);
        }
        return Ok(());
    };
    let undone = match (replaces, new) {
        (true, _) => fs::rename(&kept, place),
        (false, true) => fs::remove_file(place),
        (false, false) => Ok(()),
    };
    Err(FileError(match undone {
        Ok(()) => message,
        Err(error) if replaces => format!(
            "{message}; what {} held is now in {}: {error}",
            place.display(),
            kept.display()
        ),
        Err(error) => format!("{message}; {} was written: {error}", place.display()),
    }))
}

/// The name of the file while it is written: hidden, and nobody else's.
fn hidden(path: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}", std::process::id()));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn if_the_second_file_cannot_be_moved_the_first_is_as_it_was() {
        let folder = std::env::temp_dir().join(format!("softbody-put-{}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let (new, place) = (folder.join("new"), folder.join("place"));
        let names = || {
            let entries = fs::read_dir(&folder).expect("reads");
            let mut names: Vec<_> = entries
                .map(|entry| entry.expect("an entry").file_name())
                .collect();
            names.sort();
            names
        };
        let fails = || Err(FileError("no".to_owned()));
        for old in [None, Some("old")] {
            fs::write(&new, "new").expect("writes");
            if let Some(old) = old {
                fs::write(&place, old).expect("writes");
            }
            assert_eq!(put(&new, &place, fails).expect_err("fails").0, "no");
            assert_eq!(fs::read_to_string(&place).ok().as_deref(), old);
            assert_eq!(names().len(), usize::from(old.is_some()), "{:?}", names());
        }
        // The first itself cannot be moved: it is not there.
        assert!(put(&new, &place, || panic!("too far")).is_err());
        assert_eq!(fs::read_to_string(&place).expect("reads"), "old");

        fs::write(&new, "new").expect("writes");
        put(&new, &place, || Ok(())).expect("moves");
        assert_eq!(fs::read_to_string(&place).expect("reads"), "new");
        assert_eq!(names(), ["place"]);
        fs::remove_dir_all(&folder).expect("removes");
    }
}
