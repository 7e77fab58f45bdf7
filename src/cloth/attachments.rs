//! Ways through the cloth to the pins: lengths for long-range attachments, and hops for the number of substeps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec2;

use super::{ClothElements, ClothMesh, NO_VERTEX};
use crate::mesh::geometry::point;
use crate::topology::incidence;

/// For each vertex the pin that holds it, and how far away it may be (Kim, Chentanez and Müller-Fischer, Long Range
/// Attachments, 2012).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attachments {
    /// The nearest pinned vertex, itself if it is pinned; [`NO_VERTEX`] if the cloth leads to none.
    pub pins: Vec<u32>,
    /// The way there through the cloth at rest, m; 0 where there is none.
    ///
    /// On grids the straight line in the sheet. On meshes the shortest way along edges and straight across edges from
    /// triangle to triangle, laid flat: never shorter than the true way, and a few percent longer.
    pub distances: Vec<f32>,
}

impl Attachments {
    /// Finds the nearest pins: O(n) time on grids (Felzenszwalb and Huttenlocher, Distance Transforms of Sampled
    /// Functions, 2012), O(n log n) on meshes (Dijkstra 1959). `pinned` has an entry per vertex.
    pub fn new(mesh: &ClothMesh, elements: &ClothElements, pinned: &[bool]) -> Self {
        match mesh.grid {
            Some((columns, rows, spacing)) => {
                on_grid(columns as usize, rows as usize, spacing, pinned)
            }
            None => on_mesh(mesh, elements, pinned),
        }
    }
}

fn on_grid(columns: usize, rows: usize, spacing: f64, pinned: &[bool]) -> Attachments {
    // The nearest pin of the same column, from above and then from below.
    let mut near = vec![NO_VERTEX; columns * rows];
    let row_of = |pin: u32| pin as usize / columns;
    for place in 0..near.len() {
        if pinned[place] {
            near[place] = place as u32;
        } else if place >= columns {
            near[place] = near[place - columns];
        }
    }
    for place in (0..near.len() - columns).rev() {
        let (above, below) = (near[place], near[place + columns]);
        let row = place / columns;
        if below != NO_VERTEX
            && (above == NO_VERTEX || row_of(below).abs_diff(row) < row - row_of(above))
        {
            near[place] = below;
        }
    }

    // Along a row the squared distance to each column's pin is a parabola; the lowest are kept, with where they begin.
    let mut found = Attachments {
        pins: Vec::with_capacity(near.len()),
        distances: Vec::with_capacity(near.len()),
    };
    let mut lowest: Vec<(u32, f64, f64)> = Vec::with_capacity(columns);
    for row in 0..rows {
        lowest.clear();
        for column in 0..columns {
            let pin = near[row * columns + column];
            if pin == NO_VERTEX {
                continue;
            }
            let (x, y) = (column as f64, row_of(pin) as f64 - row as f64);
            let height = x * x + y * y;
            let mut begin = f64::NEG_INFINITY;
            while let Some(&(other, other_height, other_begin)) = lowest.last() {
                let other_x = (other as usize % columns) as f64;
                begin = 0.5 * (height - other_height) / (x - other_x);
                if begin > other_begin {
                    break;
                }
                lowest.pop();
                begin = f64::NEG_INFINITY;
            }
            lowest.push((pin, height, begin));
        }
        let mut current = 0;
        for column in 0..columns {
            let x = column as f64;
            while lowest.get(current + 1).is_some_and(|next| next.2 < x) {
                current += 1;
            }
            let (pin, distance) = lowest.get(current).map_or((NO_VERTEX, 0.0), |&(pin, ..)| {
                let y = row_of(pin) as f64 - row as f64;
                let x = x - (pin as usize % columns) as f64;
                (pin, x.hypot(y) * spacing)
            });
            found.pins.push(pin);
            found.distances.push(distance as f32);
        }
    }
    found
}

fn on_mesh(mesh: &ClothMesh, elements: &ClothElements, pinned: &[bool]) -> Attachments {
    let vertices = mesh.positions().len();
    let (mut links, mut lengths) = (Vec::new(), Vec::new());
    for edge in elements.edges.iter().filter(|edge| !edge.shear) {
        links.push(edge.vertices);
        lengths.push(f64::from(edge.length));
    }
    for bend in &elements.bends {
        let [.., c, d] = bend.vertices;
        if let Some(length) = across(mesh, bend.vertices) {
            links.push([c, d]);
            lengths.push(length);
        }
    }
    let graph = Graph::new(vertices, &links);

    let mut pins = vec![NO_VERTEX; vertices];
    let mut distances = vec![f64::INFINITY; vertices];
    // Distances are not negative, so their bits order as they do.
    let mut heap = BinaryHeap::new();
    for vertex in (0..vertices).filter(|&vertex| pinned[vertex]) {
        pins[vertex] = vertex as u32;
        distances[vertex] = 0.0;
        heap.push(Reverse((0u64, vertex as u32)));
    }
    while let Some(Reverse((bits, vertex))) = heap.pop() {
        let (way, pin) = (f64::from_bits(bits), pins[vertex as usize]);
        if way > distances[vertex as usize] {
            continue;
        }
        for &[neighbour, link] in graph.at(vertex) {
            let longer = way + lengths[link as usize];
            if longer < distances[neighbour as usize] {
                distances[neighbour as usize] = longer;
                pins[neighbour as usize] = pin;
                heap.push(Reverse((longer.to_bits(), neighbour)));
            }
        }
    }
    Attachments {
        distances: distances
            .iter()
            .map(|&way| if way.is_finite() { way as f32 } else { 0.0 })
            .collect(),
        pins,
    }
}

/// The straight way between the vertices across the edge [a, b], m, with both triangles laid flat; none where it would
/// pass beside the edge.
fn across(mesh: &ClothMesh, vertices: [u32; 4]) -> Option<f64> {
    let [a, b, c, d] = vertices.map(|vertex| point(mesh.positions()[vertex as usize]));
    let along = (b - a).normalize();
    let [c, d] = [c, d].map(|corner| {
        let from_a = corner - a;
        DVec2::new(from_a.dot(along), from_a.cross(along).length())
    });
    let crossing = (c.x * d.y + d.x * c.y) / (c.y + d.y);
    let inside = (0.0..=a.distance(b)).contains(&crossing);
    inside.then(|| (c.x - d.x).hypot(c.y + d.y))
}

/// Most hops along structural springs between a vertex and the nearest pin, at least 1. Where no pin is to be reached,
/// half the largest extent of the part in hops (by two searches: exact on trees, a lower bound elsewhere). How far a
/// pull must travel decides how many substeps it takes. `pinned` has an entry per vertex.
pub fn depth(mesh: &ClothMesh, elements: &ClothElements, pinned: &[bool]) -> u32 {
    let vertices = mesh.positions().len();
    let links: Vec<[u32; 2]> = elements
        .edges
        .iter()
        .filter(|edge| !edge.shear)
        .map(|edge| edge.vertices)
        .collect();
    let graph = Graph::new(vertices, &links);
    let mut hops = vec![u32::MAX; vertices];
    let mut queue: Vec<u32> = (0..vertices as u32)
        .filter(|&vertex| pinned[vertex as usize])
        .collect();
    let mut most = graph.search(&mut queue, &mut hops).max(1);
    for start in 0..vertices as u32 {
        if hops[start as usize] != u32::MAX {
            continue;
        }
        queue.clear();
        queue.push(start);
        graph.search(&mut queue, &mut hops);
        let farthest = queue.last().copied().unwrap_or(start);
        for vertex in queue.drain(..) {
            hops[vertex as usize] = u32::MAX;
        }
        queue.push(farthest);
        most = most.max(graph.search(&mut queue, &mut hops).div_ceil(2));
    }
    most
}

/// Who is linked with whom.
struct Graph {
    offsets: Vec<u32>,
    /// Per vertex its neighbours, each with the number of the link.
    neighbours: Vec<[u32; 2]>,
}

impl Graph {
    fn new(vertices: usize, links: &[[u32; 2]]) -> Self {
        let (offsets, places) = incidence(vertices, links);
        let mut neighbours = vec![[0; 2]; 2 * links.len()];
        for ((link, &[a, b]), [at_a, at_b]) in (0u32..).zip(links).zip(places) {
            neighbours[at_a as usize] = [b, link];
            neighbours[at_b as usize] = [a, link];
        }
        Self {
            offsets,
            neighbours,
        }
    }

    fn at(&self, vertex: u32) -> &[[u32; 2]] {
        let [begin, end] = [0, 1].map(|next| self.offsets[vertex as usize + next] as usize);
        &self.neighbours[begin..end]
    }

    /// Breadth first from the vertices in the queue, which then holds all that are reached, the farthest last. Returns
    /// the hops to it; only vertices whose `hops` are `u32::MAX` are entered.
    fn search(&self, queue: &mut Vec<u32>, hops: &mut [u32]) -> u32 {
        for &vertex in queue.iter() {
            hops[vertex as usize] = 0;
        }
        let (mut next, mut far) = (0, 0);
        while let Some(&vertex) = queue.get(next) {
            next += 1;
            far = hops[vertex as usize];
            for &[neighbour, _] in self.at(vertex) {
                if hops[neighbour as usize] == u32::MAX {
                    hops[neighbour as usize] = far + 1;
                    queue.push(neighbour);
                }
            }
        }
        far
    }
}
