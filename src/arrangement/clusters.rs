//! Clusters for the mass operator: disjoint connected sets of vertices, from the tree that ordered them.

use super::Arrangement;
use super::neighbours::Rows;
use crate::sort::{sort_rows, union_root};

/// Disjoint sets of vertices in internal numbering, each connected by edges of tets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clusters {
    /// One more than there are clusters: cluster c is `vertices[offsets[c]..offsets[c + 1]]`, never empty.
    pub offsets: Vec<u32>,
    /// Internal vertices, ascending in each cluster; each vertex that a tet uses occurs once.
    pub vertices: Vec<u32>,
}

impl Arrangement {
    /// Clusters of at most about `target` vertices; `tets` in original numbering, as given to [`Arrangement::new`].
    ///
    /// They are parts of the tree behind the order of the vertices, so most are runs of internal numbers. With a target
    /// of 64, 128 or 256 they come out nearly full, with another one from half full on. Parts smaller than a quarter of
    /// `target` join the neighbour that they share the most edges of tets with, among those with which they make no more
    /// than twice `target`; where there is none they stay. No cluster spans a gap. The tree's leaves, of up to 16
    /// vertices, are the least there is: a lower `target` gives those.
    pub fn clusters(&self, tets: &[[u32; 4]], target: usize) -> Clusters {
        let mut cluster_of = vec![u32::MAX; self.original_vertices.len()];
        let mut sizes: Vec<u32> = Vec::new();
        let mut end = 0;
        for &[start, length] in &self.tree {
            // The tree lists a part before the parts it consists of.
            if start >= end && (length as usize <= target || length as usize <= super::LEAF) {
                end = start + length;
                cluster_of[start as usize..end as usize].fill(sizes.len() as u32);
                sizes.push(length);
            }
        }
        let mut parent: Vec<u32> = (0..sizes.len() as u32).collect();
        let used = end as usize;
        let target = target.min(used) as u32;
        while self.merge(tets, target, &cluster_of, &mut sizes, &mut parent) {}

        let mut numbers = vec![u32::MAX; sizes.len()];
        let mut count = 0;
        for cluster in &mut cluster_of[..used] {
            let number = &mut numbers[union_root(&mut parent, *cluster) as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *cluster = *number;
        }
        let rows = Rows::places(count as usize, &cluster_of[..used]);
        Clusters {
            offsets: rows.offsets,
            vertices: rows.values,
        }
    }

    /// Joins each small cluster to its best neighbour; whether any was joined.
    fn merge(
        &self,
        tets: &[[u32; 4]],
        target: u32,
        cluster_of: &[u32],
        sizes: &mut [u32],
        parent: &mut [u32],
    ) -> bool {
        // One row per edge of a tet that leaves a small cluster.
        let mut edges = Vec::new();
        for tet in tets {
            for vertex in tet {
                let from = self.cluster(cluster_of, parent, *vertex);
                if sizes[from as usize] >= target / 4 {
                    continue;
                }
                for other in tet {
                    let to = self.cluster(cluster_of, parent, *other);
                    if to != from {
                        edges.push([from, to, 0, 0]);
                    }
                }
            }
        }
        sort_rows(&mut edges, 2);
        let mut joined = false;
        let (mut shared, mut most, mut best) = (0, 0, 0);
        for (place, &[from, to, ..]) in edges.iter().enumerate() {
            shared += 1;
            let next = edges
                .get(place + 1)
                .map_or([u32::MAX; 2], |row| [row[0], row[1]]);
            if next == [from, to] {
                continue;
            }
            // Either may have joined another one in this round.
            let to = union_root(parent, to);
            if shared > most
                && to != from
                && sizes[from as usize] + sizes[to as usize] <= 2 * target
            {
                (most, best) = (shared, to);
            }
            shared = 0;
            if next[0] == from {
                continue;
            }
            if most > 0 && parent[from as usize] == from && sizes[from as usize] < target / 4 {
                parent[from as usize] = best;
                sizes[best as usize] += sizes[from as usize];
                joined = true;
            }
            most = 0;
        }
        joined
    }

    /// The cluster of an original vertex.
    #[inline(never)]
    fn cluster(&self, cluster_of: &[u32], parent: &mut [u32], vertex: u32) -> u32 {
        let internal = self.internal_vertices[vertex as usize] as usize;
        union_root(parent, cluster_of[internal])
    }
}
