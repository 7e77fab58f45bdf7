//! Values as flat lists of words and back: how a body that one thread has prepared gets to another.

use bytemuck::{Pod, cast_vec, pod_collect_to_vec};

/// Lists of 32-bit words, written in one order and read in the same. One function does both for each type, so that the two
/// directions cannot differ.
#[derive(Debug, Default)]
pub struct Sections {
    lists: Vec<Vec<u32>>,
    /// The next to read; `None` while writing.
    next: Option<usize>,
}

impl Sections {
    /// To read what another `Sections` was written to, list by list.
    pub fn reading(lists: Vec<Vec<u32>>) -> Self {
        Self {
            lists,
            next: Some(0),
        }
    }

    /// What was written.
    pub fn into_lists(self) -> Vec<Vec<u32>> {
        self.lists
    }

    /// Writes the words and gives back none, or gives back what is read.
    #[inline(never)]
    fn words(&mut self, words: Vec<u32>) -> Vec<u32> {
        match &mut self.next {
            None => {
                self.lists.push(words);
                Vec::new()
            }
            Some(next) => {
                *next += 1;
                std::mem::take(&mut self.lists[*next - 1])
            }
        }
    }

    /// Takes the list while writing, fills it while reading, without a copy. Its elements are made of words.
    ///
    /// # Panics
    /// If fewer lists were written than are read, or one of other elements.
    #[inline(never)]
    pub fn list<T: Pod>(&mut self, list: &mut Vec<T>) {
        *list = cast_vec(self.words(cast_vec(std::mem::take(list))));
    }

    /// The same with a copy, for elements that are aligned otherwise; their bytes come to whole words.
    #[inline(never)]
    pub fn packed<T: Pod>(&mut self, list: &mut Vec<T>) {
        let words = self.words(pod_collect_to_vec(list));
        *list = pod_collect_to_vec(&words);
    }

    /// The same for one number.
    #[inline(never)]
    pub fn count(&mut self, count: &mut u32) {
        let read = self.words(vec![*count]);
        if let [read] = read[..] {
            *count = read;
        }
    }

    /// The same for one number.
    #[inline(never)]
    pub fn number(&mut self, number: &mut f64) {
        let bits = number.to_bits();
        let read = self.words(vec![bits as u32, (bits >> 32) as u32]);
        if let [low, high] = read[..] {
            *number = f64::from_bits(u64::from(high) << 32 | u64::from(low));
        }
    }

    /// Whether there is a value, which is then exchanged in turn; while reading, `blank` is what it is read into.
    pub fn option<'a, T>(
        &mut self,
        option: &'a mut Option<T>,
        blank: impl FnOnce() -> T,
    ) -> Option<&'a mut T> {
        let mut there = u32::from(option.is_some());
        self.count(&mut there);
        match there {
            0 => None,
            _ => Some(option.get_or_insert_with(blank)),
        }
    }

    /// The same for text, which is empty after writing.
    #[inline(never)]
    pub fn text(&mut self, text: &mut String) {
        let bytes = std::mem::take(text).into_bytes();
        let words = self.words(bytes.into_iter().map(u32::from).collect());
        let bytes = words.into_iter().map(|word| word as u8).collect();
        // What was text is text again.
        *text = String::from_utf8(bytes).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(
        s: &mut Sections,
        wide: &mut Vec<f64>,
        small: &mut Vec<[u8; 4]>,
        text: &mut String,
    ) {
        s.packed(wide);
        s.packed(small);
        s.text(text);
    }

    #[test]
    fn what_is_written_is_read() {
        let (wide, small) = (
            vec![0.1, -0.0, f64::MAX],
            vec![[1, 2, 3, 4], [5, 6, 7, 255]],
        );
        let text = "3 × 4 µm".to_owned();
        let mut writing = Sections::default();
        exchange(
            &mut writing,
            &mut wide.clone(),
            &mut small.clone(),
            &mut text.clone(),
        );
        let lists = writing.into_lists();
        assert_eq!(lists[0].len(), 6);
        let mut reading = Sections::reading(lists);
        let (mut read_wide, mut read_small, mut read_text) = Default::default();
        exchange(
            &mut reading,
            &mut read_wide,
            &mut read_small,
            &mut read_text,
        );
        assert_eq!((read_wide, read_small, read_text), (wide, small, text));
    }
}
