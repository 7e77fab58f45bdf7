// What the baseline needs of a mesh: inverse edges, volumes, masses, valences, and the faces outside.
import type { Mesh } from "./cases";

export interface Rest {
  /** Per tet 16 words: corners, then the rows of B with V₀ and ω behind the first two. */
  tets: Float32Array;
  /** Per vertex 12 words: snapshot, 1/mass, previous position, –, velocity, –. */
  vertices: Float32Array;
  triangles: Uint32Array;
}

const FACES = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]] as const;
const at = (values: ArrayLike<number>, index: number) => values[index] as number;

type Vector = [number, number, number];
const cross = (a: Vector, b: Vector): Vector => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

export function restOf({ positions, tets }: Mesh, density: number, pinned: (x: number, y: number, z: number) => boolean): Rest {
  const vertexCount = positions.length / 3;
  const tetCount = tets.length / 4;
  const valence = new Uint32Array(vertexCount);
  for (const vertex of tets) valence[vertex] = at(valence, vertex) + 1;
  const mass = new Float64Array(vertexCount);
  const rows = new Float32Array(16 * tetCount);
  const words = new Uint32Array(rows.buffer);
  for (let tet = 0; tet < tetCount; tet++) {
    const corners = tets.subarray(4 * tet, 4 * tet + 4);
    const [a, b, c, d] = Array.from(corners, (v): Vector => [at(positions, 3 * v), at(positions, 3 * v + 1), at(positions, 3 * v + 2)]) as [Vector, Vector, Vector, Vector];
    const edge = (p: Vector): Vector => [p[0] - a[0], p[1] - a[1], p[2] - a[2]];
    const [e1, e2, e3] = [edge(b), edge(c), edge(d)];
    const n1 = cross(e2, e3);
    const six = e1[0] * n1[0] + e1[1] * n1[1] + e1[2] * n1[2];
    let most = 1;
    for (const vertex of corners) {
      mass[vertex] = at(mass, vertex) + (density * six) / 24;
      most = Math.max(most, at(valence, vertex));
    }
    words.set(corners, 16 * tet);
    [n1, cross(e3, e1), cross(e1, e2)].forEach((normal, row) => {
      rows.set(normal.map((value) => value / six), 16 * tet + 4 + 4 * row);
    });
    rows[16 * tet + 7] = six / 6;
    rows[16 * tet + 11] = Math.min(Math.max(1.8 / most, 0.08), 0.5);
  }
  const vertices = new Float32Array(12 * vertexCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const held = pinned(at(positions, 3 * vertex), at(positions, 3 * vertex + 1), at(positions, 3 * vertex + 2));
    const kilograms = at(mass, vertex);
    vertices[12 * vertex + 3] = held || kilograms === 0 ? 0 : 1 / kilograms;
  }
  return { tets: rows, vertices, triangles: surfaceOf(tets, vertexCount) };
}

/** Faces of one tet only. Faces are met in buckets by their smallest vertex. */
function surfaceOf(tets: Uint32Array, vertexCount: number): Uint32Array {
  const faces = tets.length;
  const sorted = new Uint32Array(3 * faces);
  const first = new Uint32Array(vertexCount + 1);
  const corner = (face: number, i: number) => at(tets, (face & ~3) + at(FACES[face & 3] as readonly number[], i));
  for (let face = 0; face < faces; face++) {
    const [a, b, c] = [corner(face, 0), corner(face, 1), corner(face, 2)];
    const low = Math.min(a, b, c);
    const high = Math.max(a, b, c);
    sorted[3 * face] = low;
    sorted[3 * face + 1] = a + b + c - low - high;
    sorted[3 * face + 2] = high;
    first[low + 1] = at(first, low + 1) + 1;
  }
  for (let vertex = 0; vertex < vertexCount; vertex++) first[vertex + 1] = at(first, vertex + 1) + at(first, vertex);
  const next = first.slice();
  const bucket = new Uint32Array(faces);
  for (let face = 0; face < faces; face++) {
    const low = at(sorted, 3 * face);
    const place = at(next, low);
    bucket[place] = face;
    next[low] = place + 1;
  }
  const outside: number[] = [];
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const inBucket = bucket.subarray(at(first, vertex), at(first, vertex + 1));
    for (const face of inBucket) {
      let same = 0;
      for (const other of inBucket) {
        if (at(sorted, 3 * face + 1) === at(sorted, 3 * other + 1) && at(sorted, 3 * face + 2) === at(sorted, 3 * other + 2)) same += 1;
      }
      if (same === 1) outside.push(corner(face, 0), corner(face, 1), corner(face, 2));
    }
  }
  return Uint32Array.from(outside);
}
