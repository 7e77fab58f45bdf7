//! Accessors: typed, strided, perhaps sparse arrays in the buffers, checked once and then read element by element.

use super::super::super::ImportError;
use super::container::{Buffers, View};
use super::json::Object;
use super::malformed;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn of(object: &Object) -> Result<Self, ImportError> {
        Ok(match object.required_index("componentType")? {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            other => {
                return Err(malformed(format!(
                    "expected 5120 to 5123, 5125 or 5126 as {}, found {other}",
                    object.path("componentType")
                )));
            }
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The component at a place. Bytes past the end, which the checks rule out, read as 0.
    fn read(self, bytes: &[u8], at: usize) -> f64 {
        let mut word = [0; 4];
        if let Some(raw) = bytes.get(at..at + self.size()) {
            word[..raw.len()].copy_from_slice(raw);
        }
        let [a, b, ..] = word;
        match self {
            Self::I8 => f64::from(a as i8),
            Self::U8 => f64::from(a),
            Self::I16 => f64::from(i16::from_le_bytes([a, b])),
            Self::U16 => f64::from(u16::from_le_bytes([a, b])),
            Self::U32 => f64::from(u32::from_le_bytes(word)),
            Self::F32 => f64::from(f32::from_le_bytes(word)),
        }
    }

    /// The largest value, which normalised integers divide by.
    fn full(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 | Self::F32 => 1.0,
        }
    }
}

/// Elements that stand in for some of the array's own.
struct Sparse {
    indices: Array,
    values: Array,
    count: usize,
}

/// Components in a view.
struct Array {
    view: View,
    offset: usize,
    stride: usize,
    component: Component,
}

impl Array {
    fn read(&self, buffers: &Buffers, element: usize, place: usize) -> f64 {
        let at = self.offset + element * self.stride + place * self.component.size();
        self.component.read(buffers.bytes(&self.view), at)
    }

    /// Checks that `count` elements of `width` components lie within the view.
    #[inline(never)]
    fn new(
        object: &Object,
        view: View,
        component: Component,
        width: usize,
        count: usize,
    ) -> Result<Self, ImportError> {
        let offset = object.index("byteOffset")?.unwrap_or(0);
        let size = component.size() * width;
        let stride = view.stride.unwrap_or(size);
        if stride < size {
            return Err(malformed(format!(
                "{}: elements of {size} bytes are {stride} bytes apart",
                object.here()
            )));
        }
        let needed = (count as u64 - 1)
            .checked_mul(stride as u64)
            .and_then(|bytes| bytes.checked_add(size as u64))
            .and_then(|bytes| bytes.checked_add(offset as u64));
        if needed.is_none_or(|needed| needed > view.length as u64) {
            return Err(malformed(format!(
                "{}: {count} elements of {size} bytes, {stride} apart from byte {offset} on, do not fit its view of {} bytes",
                object.here(),
                view.length
            )));
        }
        Ok(Self {
            view,
            offset,
            stride,
            component,
        })
    }
}

/// An array of vectors.
pub(super) struct Accessor {
    pub count: usize,
    pub width: usize,
    /// Where errors say it is.
    pub path: String,
    /// `None`: all zeros.
    array: Option<Array>,
    sparse: Option<Sparse>,
    divisor: f64,
}

impl Accessor {
    /// Checks an accessor. `most` bounds the elements of one that no bytes stand behind.
    #[inline(never)]
    pub fn open(
        root: &Object,
        buffers: &mut Buffers,
        index: usize,
        most: usize,
    ) -> Result<Self, ImportError> {
        let object = root.item("accessors", index)?;
        let component = Component::of(&object)?;
        let width = match object.text("type")? {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4" | "MAT2") => 4,
            Some("MAT3") => 9,
            Some("MAT4") => 16,
            other => {
                return Err(malformed(format!(
                    "expected SCALAR, VEC2 to VEC4 or MAT2 to MAT4 as {}, found {}",
                    object.path("type"),
                    other.map_or_else(
                        || "nothing".to_owned(),
                        |t| super::super::scan::shown(t.as_bytes())
                    )
                )));
            }
        };
        let count = object.required_index("count")?;
        if count == 0 {
            return Err(malformed(format!(
                "expected at least 1 as {}, found 0",
                object.path("count")
            )));
        }
        let array = match object.index("bufferView")? {
            Some(view) => {
                let view = buffers.locate(view)?;
                Some(Array::new(&object, view, component, width, count)?)
            }
            None if count > most => {
                return Err(malformed(format!(
                    "{} has no bufferView, and {count} elements are more than a file of this size has use for",
                    object.here()
                )));
            }
            None => None,
        };
        let sparse = object
            .object("sparse")?
            .map(|sparse| Sparse::open(&sparse, buffers, component, width, count))
            .transpose()?;
        Ok(Self {
            count,
            width,
            path: object.here().to_owned(),
            array,
            sparse,
            divisor: if object.flag("normalized")? {
                component.full()
            } else {
                1.0
            },
        })
    }

    /// A vector as stored, integers not yet divided; components the type lacks are left as they are.
    #[inline(never)]
    fn raw(&self, buffers: &Buffers, element: usize, vector: &mut [f64]) {
        let replaced = self
            .sparse
            .as_ref()
            .and_then(|sparse| Some((&sparse.values, sparse.find(buffers, element)?)));
        let (array, element) = match (replaced, &self.array) {
            (Some(replaced), _) => replaced,
            (None, Some(array)) => (array, element),
            (None, None) => {
                let width = self.width.min(vector.len());
                vector[..width].fill(0.0);
                return;
            }
        };
        for (place, x) in vector.iter_mut().take(self.width).enumerate() {
            *x = array.read(buffers, element, place);
        }
    }

    /// An element as a vector, normalised integers divided by their range.
    pub fn vector<const N: usize>(
        &self,
        buffers: &Buffers,
        element: usize,
        default: f64,
    ) -> [f64; N] {
        let mut vector = [default; N];
        self.raw(buffers, element, &mut vector);
        for x in vector.iter_mut().take(self.width) {
            // −128 of 127 is −1 as well.
            *x = (*x / self.divisor).max(if self.divisor == 1.0 {
                f64::NEG_INFINITY
            } else {
                -1.0
            });
        }
        vector
    }

    /// An element as a colour: integers count from 0 to their range whether or not they say so.
    pub fn color(&self, buffers: &Buffers, element: usize) -> [f32; 4] {
        let full = self
            .array
            .as_ref()
            .or(self.sparse.as_ref().map(|sparse| &sparse.values))
            .map_or(1.0, |array| array.component.full());
        let mut color = [full; 4];
        self.raw(buffers, element, &mut color);
        color.map(|x| (x / full) as f32)
    }

    /// An element as a vertex number.
    pub fn index(&self, buffers: &Buffers, element: usize) -> u64 {
        let mut index = [0.0];
        self.raw(buffers, element, &mut index);
        index[0] as u64
    }

    /// Whether the elements are what vertex numbers may be.
    pub fn is_index(&self) -> bool {
        let integers = self.array.as_ref().is_none_or(|array| {
            matches!(
                array.component,
                Component::U8 | Component::U16 | Component::U32
            )
        });
        self.width == 1 && integers
    }
}

impl Sparse {
    /// The place among the values of an element that has one.
    fn find(&self, buffers: &Buffers, element: usize) -> Option<usize> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            let index = self.indices.read(buffers, middle, 0) as usize;
            match index.cmp(&element) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn open(
        object: &Object,
        buffers: &mut Buffers,
        component: Component,
        width: usize,
        elements: usize,
    ) -> Result<Self, ImportError> {
        let count = object.required_index("count")?;
        if count == 0 || count > elements {
            return Err(malformed(format!(
                "expected 1 to {elements} as {}, found {count}",
                object.path("count")
            )));
        }
        let part = |key: &str| object.object(key)?.ok_or_else(|| object.missing(key));
        let (indices, values) = (part("indices")?, part("values")?);
        let of = Component::of(&indices)?;
        if !matches!(of, Component::U8 | Component::U16 | Component::U32) {
            return Err(malformed(format!(
                "expected 5121, 5123 or 5125 as {}, found another component type",
                indices.path("componentType")
            )));
        }
        let view = buffers.locate(indices.required_index("bufferView")?)?;
        let index_array = Array::new(&indices, view, of, 1, count)?;
        let mut last = -1.0;
        for n in 0..count {
            let index = index_array.read(buffers, n, 0);
            if !(index > last && index < elements as f64) {
                return Err(malformed(format!(
                    "{}: entry {n} is {}, expected rising numbers below {elements}",
                    indices.here(),
                    crate::text::Number::from(index)
                )));
            }
            last = index;
        }
        let view = buffers.locate(values.required_index("bufferView")?)?;
        let values = Array::new(&values, view, component, width, count)?;
        Ok(Self {
            indices: index_array,
            values,
            count,
        })
    }
}
