//! Material libraries (.mtl) of OBJ files: diffuse colour and its image. Nothing here can fail an import.

use std::collections::HashMap;

use super::super::NamedFile;
use super::builder::{Builder, Material, linear};
use super::companion;
use super::scan::{Scanner, number, shown};

/// Names numbered in the order in which they are first met.
#[derive(Default)]
struct Names<'a> {
    numbers: HashMap<&'a [u8], usize>,
    names: Vec<&'a [u8]>,
}

impl<'a> Names<'a> {
    /// The number of a name, and whether it is new.
    #[inline(never)]
    fn number(&mut self, name: &'a [u8]) -> (usize, bool) {
        let next = self.names.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.names.push(name);
        }
        (number, number == next)
    }
}

/// Materials that an OBJ file uses, and the libraries it says they are in.
#[derive(Default)]
pub(super) struct Materials<'a> {
    used: Names<'a>,
    libraries: Vec<&'a [u8]>,
}

#[derive(Clone, Copy)]
struct Entry<'a> {
    color: [f32; 4],
    image: Option<&'a [u8]>,
}

const WHITE: Entry = Entry {
    color: [1.0; 4],
    image: None,
};

/// The materials that libraries describe.
#[derive(Default)]
struct Library<'a> {
    names: Names<'a>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Materials<'a> {
    /// The number of a material by its name.
    pub fn used(&mut self, name: &'a [u8]) -> usize {
        self.used.number(name).0
    }

    pub fn library(&mut self, name: &'a [u8]) {
        if !self.libraries.contains(&name) && self.libraries.len() < 64 {
            self.libraries.push(name);
        }
    }

    /// The builder's material for each that is used: white where none is known.
    #[inline(never)]
    pub fn resolve(
        &self,
        files: &[NamedFile],
        own: usize,
        builder: &mut Builder,
        notes: &mut Vec<String>,
    ) -> Vec<usize> {
        let mut library = Library::default();
        for file in self.found(files, own, notes) {
            library.read(file.bytes);
        }
        let mut addresses = Names::default();
        let mut images: Vec<Option<u32>> = Vec::new();
        let mut unknown = Vec::new();
        let mut looks = Vec::new();
        for &name in &self.used.names {
            let entry = match library.names.numbers.get(name) {
                Some(&number) => library.entries[number],
                None => {
                    unknown.push(name);
                    WHITE
                }
            };
            let image = entry.image.and_then(|address| {
                let (number, new) = addresses.number(address);
                if new {
                    images.push(match image(files, own, address) {
                        Ok(image) => Some(builder.image(image)),
                        Err(why) => {
                            notes.push(why);
                            None
                        }
                    });
                }
                images[number]
            });
            looks.push(builder.material(Material {
                color: entry.color,
                image,
            }));
        }
        if !unknown.is_empty() && !library.entries.is_empty() {
            notes.push(format!(
                "{} of {} materials are in no library, {} for one: they are white",
                unknown.len(),
                self.used.names.len(),
                shown(unknown[0])
            ));
        }
        looks
    }

    /// The libraries that were given; a single .mtl file will do, whatever its name.
    #[inline(never)]
    fn found<'f>(
        &self,
        files: &[NamedFile<'f>],
        own: usize,
        notes: &mut Vec<String>,
    ) -> Vec<NamedFile<'f>> {
        let mut found = Vec::new();
        for &name in &self.libraries {
            // One name with spaces, or several names.
            match companion::find(files, own, name) {
                Some(file) => found.push(file),
                None => found.extend(
                    name.split(u8::is_ascii_whitespace)
                        .filter_map(|word| companion::find(files, own, word)),
                ),
            }
        }
        let mut libraries = files
            .iter()
            .filter(|file| file.name.to_ascii_lowercase().ends_with(".mtl"));
        if found.is_empty()
            && let (Some(only), None) = (libraries.next(), libraries.next())
        {
            found.push(*only);
        }
        if found.is_empty() && !self.used.names.is_empty() {
            notes.push(match self.libraries.first() {
                Some(name) => {
                    companion::not_given("material library", name, "the materials are white")
                }
                None => "the materials are white: the file names no library of them".to_owned(),
            });
        }
        found
    }
}

fn image(
    files: &[NamedFile],
    own: usize,
    address: &[u8],
) -> Result<crate::surface::SurfaceImage, String> {
    let file = companion::find(files, own, address).ok_or_else(|| {
        companion::not_given("image", address, "its material has its colour only")
    })?;
    companion::image(file.bytes).map_err(|kind| {
        format!(
            "the image {} is {kind}, not PNG or JPEG: its material has its colour only",
            shown(address)
        )
    })
}

impl<'a> Library<'a> {
    /// Reads `newmtl`, `Kd`, `d`, `Tr` and `map_Kd`; what is damaged is passed over.
    #[inline(never)]
    fn read(&mut self, bytes: &'a [u8]) {
        let mut scanner = Scanner::new(bytes, "MTL");
        let mut current = None;
        loop {
            let keyword = scanner
                .word()
                .map_or(Vec::new(), |word| word.text.to_ascii_lowercase());
            if keyword == b"newmtl" {
                let (number, new) = self.names.number(scanner.rest());
                if new {
                    self.entries.push(WHITE);
                }
                self.entries[number] = WHITE;
                current = Some(number);
            } else if let Some(entry) = current.map(|number| &mut self.entries[number]) {
                match keyword.as_slice() {
                    b"kd" => {
                        let mut rgb = [None; 3];
                        for channel in &mut rgb {
                            *channel = scanner.word().and_then(|word| number(word.text));
                        }
                        // Colours in sRGB, as modelling programs show them; "Kd r" alone is grey.
                        if let Some(r) = rgb[0] {
                            let rgb = rgb.map(|channel| linear(channel.unwrap_or(r) as f32));
                            entry.color = [rgb[0], rgb[1], rgb[2], entry.color[3]];
                        }
                    }
                    b"d" | b"tr" => {
                        let value = scanner.word().and_then(|word| number(word.text));
                        if let Some(value) = value {
                            let value = value.clamp(0.0, 1.0) as f32;
                            entry.color[3] = if keyword == b"d" { value } else { 1.0 - value };
                        }
                    }
                    b"map_kd" => {
                        entry.image =
                            Some(without_options(scanner.rest())).filter(|a| !a.is_empty());
                    }
                    _ => {}
                }
            }
            if !scanner.next_line() {
                return;
            }
        }
    }
}

/// The file name of a `map_Kd` statement, which options like `-s 1 1 1` may precede.
#[inline(never)]
fn without_options(statement: &[u8]) -> &[u8] {
    let mut rest = statement.trim_ascii();
    while rest.starts_with(b"-") {
        let mut words = Words { rest };
        let option = words.next();
        let (least, most) = match option {
            b"-o" | b"-s" | b"-t" => (1, 3),
            b"-mm" => (2, 2),
            _ => (1, 1),
        };
        for argument in 0..most {
            let mut ahead = Words { rest: words.rest };
            if argument >= least && number(ahead.next()).is_none() {
                break;
            }
            words.next();
        }
        rest = words.rest.trim_ascii();
    }
    rest
}

struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> &'a [u8] {
        let text = self.rest.trim_ascii_start();
        let end = text
            .iter()
            .position(u8::is_ascii_whitespace)
            .unwrap_or(text.len());
        self.rest = &text[end..];
        &text[..end]
    }
}
