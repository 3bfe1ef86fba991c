/**
 * Average linkage: two clusters are one when their members are alike *on average*. (Single linkage chains A–B–C
 * where A and C have nothing in common.) Works on a sparse graph: pairs that are no candidates are not compared;
 * when their clusters meet they count as alike as any two.
 */
import type { Pairs } from "./candidates.ts";
import { Heap } from "./heap.ts";

export interface LinkageInput {
  readonly size: number;
  /** Candidates; all others count as `background`. */
  readonly pairs: Pairs;
  readonly score: (left: number, right: number) => number;
  /** What stands for the score of a pair that is no candidate. */
  readonly background: (left: number, right: number) => number;
  /** Two items that may never be together. */
  readonly isBarred: (left: number, right: number) => boolean;
  readonly threshold: number;
  /** Means from here on are told in `similar`; not above the threshold. */
  readonly edgeFrom: number;
}

export interface Linkage {
  /** Members ascending; clusters by their first member. */
  readonly clusters: readonly (readonly number[])[];
  /** Mean similarity of clusters with at least one pair from `edgeFrom` on, by index into `clusters`. */
  readonly similar: readonly (readonly [left: number, right: number, mean: number])[];
}

interface Node {
  members: readonly number[];
  /** Sum of similarities to the members of another cluster; -Infinity where they may not be together. */
  readonly sums: Map<number, number>;
  isGone: boolean;
}

interface Edge {
  readonly mean: number;
  readonly left: number;
  readonly right: number;
}

export const linkAverage = (input: LinkageInput): Linkage => {
  const { size, pairs, score, background, isBarred, threshold, edgeFrom } = input;
  const { lefts, rights } = pairs;
  const scores = Float64Array.from(lefts, (left, at) => {
    const right = rights[at] ?? 0;
    return isBarred(left, right) ? Number.NEGATIVE_INFINITY : score(left, right);
  });
  const find = finderOf(pairs, size);
  const sumOf = (one: number, two: number): number => {
    const [left, right] = one < two ? [one, two] : [two, one];
    const at = find(left, right);
    if (at >= 0) return scores[at] ?? 0;
    return isBarred(left, right) ? Number.NEGATIVE_INFINITY : background(left, right);
  };
  const nodes = Array.from({ length: size }, (_, index): Node => ({
    members: [index],
    sums: new Map(),
    isGone: false,
  }));
  const heap = new Heap<Edge>(isBefore);
  for (let at = 0; at < scores.length; at += 1) {
    const sum = scores[at] ?? 0;
    // A mean can only reach a height that one of its pairs reaches: weaker pairs need no edge.
    if (sum < edgeFrom) continue;
    const [left, right] = [lefts[at] ?? 0, rights[at] ?? 0];
    nodes[left]?.sums.set(right, sum);
    nodes[right]?.sums.set(left, sum);
    if (sum >= threshold) heap.push({ mean: sum, left, right });
  }
  for (let edge = heap.pop(); edge; edge = heap.pop()) {
    const left = nodes[edge.left];
    const right = nodes[edge.right];
    if (!left || !right || left.isGone || right.isGone) continue;
    const merged = merge(nodes, left, right, sumOf);
    const at = nodes.push(merged) - 1;
    for (const [other, sum] of merged.sums) {
      const neighbour = nodes[other];
      if (!neighbour) continue;
      neighbour.sums.delete(edge.left);
      neighbour.sums.delete(edge.right);
      const mean = sum / (merged.members.length * neighbour.members.length);
      if (mean < edgeFrom) {
        // It can rise again only with a cluster that brings an edge of its own; its sum is made anew then.
        merged.sums.delete(other);
        continue;
      }
      neighbour.sums.set(at, sum);
      if (mean >= threshold) heap.push({ mean, left: other, right: at });
    }
  }
  return describe(nodes);
};

/** Where a pair stands; -1 for those that are no candidates. */
const finderOf = ({ lefts, rights }: Pairs, size: number) => {
  const starts = new Int32Array(size + 1);
  for (const left of lefts) starts[left + 1] = (starts[left + 1] ?? 0) + 1;
  for (let at = 1; at <= size; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  return (left: number, right: number): number => {
    let low = starts[left] ?? 0;
    let high = (starts[left + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = rights[middle] ?? 0;
      if (found === right) return middle;
      if (found < right) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
};

const merge = (
  nodes: readonly Node[],
  left: Node,
  right: Node,
  sumOf: (left: number, right: number) => number,
): Node => {
  left.isGone = true;
  right.isGone = true;
  const sums = new Map<number, number>();
  for (const other of new Set([...left.sums.keys(), ...right.sums.keys()])) {
    const neighbour = nodes[other];
    if (!neighbour || neighbour.isGone) continue;
    const total = (node: Node): number => {
      const known = node.sums.get(other);
      if (known !== undefined) return known;
      let sum = 0;
      for (const one of node.members) for (const two of neighbour.members) sum += sumOf(one, two);
      return sum;
    };
    sums.set(other, total(left) + total(right));
  }
  // Nobody asks them again, and in a large review they would be most of what is held.
  left.sums.clear();
  right.sums.clear();
  const members = [...left.members, ...right.members].toSorted((a, b) => a - b);
  return { members, sums, isGone: false };
};

const describe = (nodes: readonly Node[]): Linkage => {
  const alive = [...nodes.entries()]
    .filter(([, { isGone }]) => !isGone)
    .toSorted(([, left], [, right]) => (left.members[0] ?? 0) - (right.members[0] ?? 0));
  const positions = new Map(alive.map(([number], position) => [number, position]));
  const similar: [number, number, number][] = [];
  for (const [number, { members, sums }] of alive) {
    const here = positions.get(number) ?? 0;
    for (const [other, sum] of sums) {
      const there = positions.get(other);
      if (there === undefined || there <= here) continue;
      similar.push([here, there, sum / (members.length * (nodes[other]?.members.length ?? 1))]);
    }
  }
  return { clusters: alive.map(([, { members }]) => members), similar };
};

/** The most alike first; ties go to the pair that was there first, so that the result never depends on luck. */
const isBefore = (one: Edge, two: Edge): boolean => {
  if (one.mean !== two.mean) return one.mean > two.mean;
  return one.left !== two.left ? one.left < two.left : one.right < two.right;
};
