//! Hostile files made from good ones, always the same for a seed; and a small random number generator.

/// Numbers that break careless readers.
const NUMBERS: [&str; 18] = [
    "0",
    "-1",
    "1",
    "2",
    "7",
    "255",
    "256",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999999",
    "1e308",
    "-1e-320",
    "nan",
];

/// SplitMix64 (Steele, Lea & Flood 2014).
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 for none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % (end.max(1) as u64)) as usize
    }

    fn range(&mut self, length: usize, longest: usize) -> std::ops::Range<usize> {
        let begin = self.below(length + 1);
        let size = self.below(longest + 1).min(length - begin);
        begin..begin + size
    }
}

/// The run of bytes of a kind at or after a random place.
fn run(bytes: &[u8], random: &mut Random, is: fn(u8) -> bool) -> Option<std::ops::Range<usize>> {
    if bytes.is_empty() {
        return None;
    }
    let start = random.below(bytes.len());
    let begin = start + bytes[start..].iter().position(|&byte| is(byte))?;
    let length = bytes[begin..].iter().position(|&byte| !is(byte));
    Some(begin..begin + length.unwrap_or(bytes.len() - begin))
}

/// One to four changes to a file; `other` is another good file to take pieces from.
pub fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let length = bytes.len();
        match random.below(12) {
            0 => {
                for _ in 0..=random.below(8) {
                    let place = random.below(length);
                    if let Some(byte) = bytes.get_mut(place) {
                        *byte ^= 1 << random.below(8);
                    }
                }
            }
            1 => bytes.truncate(random.below(length + 1)),
            2 => {
                let range = random.range(length, 200);
                bytes.drain(range);
            }
            3 => {
                let piece = bytes[random.range(length, 400)].to_vec();
                let place = random.below(bytes.len() + 1);
                bytes.splice(place..place, piece);
            }
            4 => {
                let piece = other[random.range(other.len(), 400)].to_vec();
                let place = random.range(length, 400);
                bytes.splice(place, piece);
            }
            5..=7 => {
                if let Some(range) = run(bytes, random, |byte| byte.is_ascii_digit()) {
                    let number = NUMBERS[random.below(NUMBERS.len())];
                    bytes.splice(range, number.bytes());
                }
            }
            8 => {
                // A binary number.
                let place = random.below(length);
                let value = [
                    0,
                    1,
                    u64::MAX,
                    u64::from(u32::MAX),
                    1 << 31,
                    1 << 40,
                    random.bits(),
                ];
                let value = value[random.below(value.len())].to_le_bytes();
                let width = 1 << random.below(4);
                for (byte, new) in bytes[place.min(length)..].iter_mut().zip(&value[..width]) {
                    *byte = *new;
                }
            }
            9 => {
                // A line many times over.
                if let Some(range) = run(bytes, random, |byte| byte != b'\n') {
                    let mut line = bytes[range.clone()].to_vec();
                    line.push(b'\n');
                    let times = (8192 / line.len()).min(random.below(200) + 1);
                    bytes.splice(range.start..range.start, line.repeat(times));
                }
            }
            10 => {
                // A word in the place of another.
                let is = |byte: u8| !byte.is_ascii_whitespace();
                if let (Some(from), Some(to)) = (run(bytes, random, is), run(bytes, random, is)) {
                    let word = bytes[from].to_vec();
                    bytes.splice(to, word);
                }
            }
            _ => {
                let place = random.below(length + 1);
                let byte = random.bits() as u8;
                bytes.insert(place, byte);
            }
        }
    }
}
