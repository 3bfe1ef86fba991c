/**
 * How sure each domain is, from what was found: evidence for it is combined as if each piece were an
 * independent reason (noisy-or), what speaks against it takes a part away, and a domain that is only a
 * part or the form of another one gives way to it. docs/profile.md has the formula and its figures.
 */
import { importanceOf, type Layout, type Package, sum } from "./layout.ts";
import { impliedItems, type Item, ownFrontEnd, sharedFrom } from "./implied-items.ts";
import type { SignalIndex } from "./signal-index.ts";
import type { DomainSignals } from "./signals/schema.ts";
import {
  belowTop,
  depthFree,
  depthLoss,
  detectedFrom,
  likelyFrom,
  primaryMargin,
  type Use,
  usedFor,
  weights,
} from "./signals/weights.ts";
import type { Domain, DomainEvidence, Evidence, SignalKind } from "./types.ts";

export interface Scored {
  readonly domains: readonly Domain[];
  readonly primary: string | null;
}

export const scorePackage = (
  one: Package,
  evidence: readonly Evidence[],
  layout: Layout,
  index: SignalIndex,
): Scored => {
  const items = evidence.map(({ key, kind, path }) => ({
    key,
    kind,
    path,
    owner: one,
    share: layout.shareOf(path, one) * depthShare(kind, path, one),
  }));
  const complete = [...items, ...impliedItems(one, items)];
  return decided(candidatesFor(complete, one.counts, () => complete, index));
};

export const scoreTree = (
  evidenceOf: ReadonlyMap<Package, readonly Evidence[]>,
  layout: Layout,
  index: SignalIndex,
  packages: ReadonlyMap<Package, Scored> = new Map(),
): Scored => {
  const perPackage = new Map<Package, Item[]>();
  for (const [owner, evidence] of evidenceOf) {
    const items = evidence.map(({ key, kind, path }) => ({
      key,
      kind,
      path,
      owner,
      share: layout.shareOf(path, undefined) * owner.importance * depthShare(kind, path, owner),
    }));
    perPackage.set(owner, [...items, ...impliedItems(owner, items)]);
  }
  for (const [owner, items] of perPackage) {
    if (owner.path === "") items.push(...ownFrontEnd(owner, items, packages));
  }
  const all = together([...perPackage.values()].flat(), layout);
  // What the project says of itself at the top, and that others build on it, holds for all its parts.
  const everywhere = all.filter(
    ({ key, kind, owner, share }) =>
      (kind === "statement" && owner.path === "") ||
      (key === "entry-point:own-name" && share >= 0.5) ||
      key === "entry-point:own-front-end",
  );
  const contraries = new Map<Package, Item[]>(
    [...perPackage].map(([owner, items]) => [owner, [...items, ...everywhere]]),
  );
  const candidates = candidatesFor(
    all,
    layout.weighed,
    (item) => contraries.get(item.owner) ?? [],
    index,
  );
  liftFromPackages(candidates, packages, layout);
  return decided(candidates);
};

/** A small package says little about the whole; many small ones that say the same are as one large one. */
const together = (items: readonly Item[], layout: Layout): Item[] => {
  const files = sum(layout.counts);
  const others = layout.packages.size - 1;
  const owners = new Map<string, Set<Package>>();
  for (const { key, owner, share } of items) {
    if (owner.path === "" || share < sharedFrom) continue;
    const list = owners.get(key) ?? new Set();
    if (list.size === 0) owners.set(key, list);
    list.add(owner);
  }
  const partOf = (owner: Package): number => (files === 0 ? 0 : sum(owner.counts) / files);
  const parts = new Map<string, number>();
  for (const [key, list] of owners) {
    if (list.size < 2) continue;
    parts.set(
      key,
      [...list].reduce((total, owner) => total + partOf(owner), 0),
    );
  }
  return items.map((item) => {
    const part = parts.get(item.key);
    if (part === undefined || item.owner.path === "" || item.share < sharedFrom) return item;
    const factor = importanceOf(part, others) / importanceOf(partOf(item.owner), others);
    return { ...item, share: Math.min(1, item.share * factor) };
  });
};

export const depthShare = (kind: SignalKind, path: string, owner: Package): number => {
  if (kind !== "defining-file" && kind !== "directory") return 1;
  const depth = path.split("/").length - 1 - (owner.path === "" ? 0 : owner.path.split("/").length);
  return depthLoss ** Math.max(0, depth - depthFree[kind]);
};

const topShare = ({ key, kind, path, owner }: Item): number => {
  if (kind !== "defining-file" && kind !== "directory") return 1;
  const levels = path.split("/").length - key.split("/").length;
  const below = levels - (owner.path === "" ? 0 : owner.path.split("/").length);
  return belowTop ** Math.min(2, Math.max(0, below));
};

interface Candidate {
  readonly signals: DomainSignals;
  confidence: number;
  readonly evidence: DomainEvidence[];
}

const candidatesFor = (
  items: readonly Item[],
  counts: ReadonlyMap<string, number>,
  contraryTo: (item: Item) => readonly Item[],
  index: SignalIndex,
): Map<string, Candidate> => {
  const candidates = new Map<string, Candidate>();
  const said = new Set(
    items
      .filter(({ kind, share }) => kind === "statement" && share === 1)
      .map(({ key }) => key.slice("statement:".length)),
  );
  const taken = new Map<readonly Item[], Map<string, Taken>>();
  const found = bestPieces(
    items,
    (item, signals) => {
      const contrary = contraryTo(item);
      const known = taken.get(contrary) ?? new Map<string, Taken>();
      taken.set(contrary, known);
      const before = known.get(signals.domain) ?? takenAway(signals, contrary);
      known.set(signals.domain, before);
      return before;
    },
    index,
  );
  for (const signals of index.signals) {
    const pieces = [...(found.get(signals.domain)?.values() ?? [])];
    pieces.push(...languagePieces(signals, counts));
    if (pieces.length === 0) continue;
    const isUnsaid = said.size > 0 && !said.has(signals.domain);
    candidates.set(signals.domain, {
      signals,
      confidence: combine(pieces) * (isUnsaid ? 1 - weights.unsaid : 1),
      evidence: [
        ...shown(pieces),
        ...(isUnsaid ? [{ signal: "unsaid", path: ".", weight: -weights.unsaid }] : []),
      ],
    });
  }
  addCombinations(candidates, index);
  giveWay(candidates);
  return candidates;
};

interface Taken {
  /** What is left of the confidence, 0–1. */
  readonly left: number;
  readonly by: readonly DomainEvidence[];
}

const takenAway = (signals: DomainSignals, items: readonly Item[]): Taken => {
  let left = 1;
  const by: DomainEvidence[] = [];
  for (const [key, part] of Object.entries(signals.against ?? {})) {
    let best: Item | undefined;
    for (const item of items) if (item.key === key && item.share > (best?.share ?? 0)) best = item;
    if (!best) continue;
    left *= 1 - part * best.share;
    by.push({ signal: key, path: best.path, weight: -round(part * best.share) });
  }
  return { left, by };
};

interface Piece {
  readonly signal: string;
  readonly path: string;
  readonly weight: number;
  /** What is left of it after what speaks against the domain. */
  readonly left: number;
  readonly group: "strong" | "hint" | "keyword";
  readonly against: readonly DomainEvidence[];
}

/** Per domain and signal the weightiest piece: the same thing found twice is one reason. */
const bestPieces = (
  items: readonly Item[],
  takenFor: (item: Item, signals: DomainSignals) => Taken,
  index: SignalIndex,
): Map<string, Map<string, Piece>> => {
  const domains = new Map(index.signals.map((signals) => [signals.domain, signals]));
  const found = new Map<string, Map<string, Piece>>();
  for (const item of items) {
    const [key = "", use] = item.key.split("?");
    for (const { domain, weight, isHint } of index.byKey.get(key) ?? []) {
      const signals = domains.get(domain);
      if (!signals) continue;
      const part = signals.isAtTop === true ? topShare(item) : 1;
      const own = weight * item.share * part * (use === undefined ? 1 : usedFor[use as Use]);
      const { left, by } = takenFor(item, signals);
      const pieces = found.get(domain) ?? new Map<string, Piece>();
      found.set(domain, pieces);
      if ((pieces.get(key)?.weight ?? 0) * (pieces.get(key)?.left ?? 0) >= own * left) continue;
      const group = item.kind === "keyword" ? "keyword" : isHint ? "hint" : "strong";
      pieces.set(key, { signal: item.key, path: item.path, weight: own, left, group, against: by });
    }
  }
  return found;
};

const languagePieces = (signals: DomainSignals, counts: ReadonlyMap<string, number>): Piece[] => {
  const all = sum(counts);
  if (all === 0) return [];
  const piece = (extensions: string | undefined, factor: number): Piece[] => {
    const names = extensions?.split(" ") ?? [];
    const files = names.reduce((total, name) => total + (counts.get(name) ?? 0), 0);
    if (files === 0) return [];
    const { extensionSlope, extensionMax } = weights;
    const weight = Math.min(extensionMax, (extensionSlope * files) / all) * factor;
    const largest = names.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];
    const signal = `extension-share:.${largest}`;
    return weight < 0.01
      ? []
      : [{ signal, path: ".", weight, left: 1, group: "strong", against: [] }];
  };
  return [
    ...piece(signals.extensions, 1),
    ...piece(signals.generalExtensions, weights.generalLanguage),
  ];
};

const combine = (pieces: readonly Piece[]): number => {
  // The name of a folder supports what else is found; alone it is a guess.
  const isGuess = !pieces.some(
    ({ group, signal, weight, left }) =>
      group === "strong" && !signal.startsWith("directory:") && weight * left >= weights.support,
  );
  const together = (group: Piece["group"], max: number): number => {
    const own = pieces.filter(
      (piece) =>
        (isGuess && piece.signal.startsWith("directory:") ? "hint" : piece.group) === group,
    );
    const sorted = own.toSorted((a, b) => b.weight * b.left - a.weight * a.left);
    const seen = new Map<string, number>();
    let doubt = 1;
    for (const { signal, weight, left } of sorted) {
      const kind = signal.slice(0, signal.indexOf(":"));
      const before = group === "strong" ? (seen.get(kind) ?? 0) : 0;
      seen.set(kind, before + 1);
      // Reasons of one kind come in company (who uses one framework uses its sisters): each counts less.
      doubt *= 1 - (weight * left) / (before + 1);
    }
    return Math.min(1 - doubt, max);
  };
  return (
    1 -
    (1 - together("strong", 1)) *
      (1 - together("hint", weights.hintsMax)) *
      (1 - together("keyword", weights.keywordsMax))
  );
};

/** The weightiest first, then what was held against them. */
const shown = (pieces: readonly Piece[]): DomainEvidence[] => {
  const against = new Map<string, DomainEvidence>();
  for (const piece of pieces) for (const one of piece.against) against.set(one.signal, one);
  return [
    ...pieces
      .map(({ signal, path, weight }) => ({ signal, path, weight: round(weight) }))
      .filter(({ weight }) => weight > 0)
      .toSorted((a, b) => b.weight - a.weight || (a.signal < b.signal ? -1 : 1)),
    ...against.values(),
  ];
};

const addCombinations = (candidates: Map<string, Candidate>, index: SignalIndex): void => {
  for (const signals of index.signals) {
    if (!signals.combines) continue;
    const [first, second] = signals.combines.map((name) => candidates.get(name)?.confidence ?? 0);
    const lesser = Math.min(first ?? 0, second ?? 0);
    // Two guesses make no third.
    if (lesser < detectedFrom) continue;
    const weight = lesser * weights.combination;
    const known = candidates.get(signals.domain) ?? { signals, confidence: 0, evidence: [] };
    known.confidence = 1 - (1 - known.confidence) * (1 - weight);
    const signal = `combination:${signals.combines.join("+")}`;
    known.evidence.unshift({ signal, path: ".", weight: round(weight) });
    candidates.set(signals.domain, known);
  }
};

const giveWay = (candidates: Map<string, Candidate>): void => {
  const before = new Map([...candidates].map(([name, { confidence }]) => [name, confidence]));
  for (const [name, candidate] of candidates) {
    const { givesWay } = candidate.signals;
    if (!givesWay) continue;
    const names = givesWay.to === "all" ? [...before.keys()] : givesWay.to;
    let strongest = { name: "", confidence: 0 };
    for (const other of names) {
      const confidence = before.get(other) ?? 0;
      if (other === name || givesWay.except?.includes(other)) continue;
      if (confidence > strongest.confidence) strongest = { name: other, confidence };
    }
    const part = givesWay.by * strongest.confidence;
    if (part < 0.01) continue;
    candidate.confidence *= 1 - part;
    candidate.evidence.push({
      signal: `gives-way:${strongest.name}`,
      path: ".",
      weight: -round(part),
    });
  }
};

/** A part that is clearly something makes the whole that too, though not first of all. */
const liftFromPackages = (
  candidates: Map<string, Candidate>,
  packages: ReadonlyMap<Package, Scored>,
  layout: Layout,
): void => {
  for (const [one, { primary, domains }] of packages) {
    if (one.path === "" || primary === null) continue;
    const found = domains.find(({ name }) => name === primary);
    const candidate = candidates.get(primary);
    if (!found || !candidate) continue;
    const share = one.importance * layout.shareOf(`${one.path}/x`, undefined);
    const confidence = Math.min(weights.fromPackage, found.confidence * share);
    if (confidence <= candidate.confidence) continue;
    candidate.confidence = confidence;
    candidate.evidence.push({ signal: "package", path: one.path, weight: round(confidence) });
  }
};

const decided = (candidates: ReadonlyMap<string, Candidate>): Scored => {
  const domains = [...candidates]
    .map(([name, { confidence, evidence }]) => ({ name, confidence: round(confidence), evidence }))
    .filter(({ confidence }) => confidence >= likelyFrom)
    .toSorted((a, b) => b.confidence - a.confidence)
    .map(({ name, confidence, evidence }): Domain => {
      const state = confidence >= detectedFrom ? "detected" : "likely";
      return { name, confidence, state, evidence };
    });
  const [first, second] = domains;
  const isClear =
    first?.state === "detected" && first.confidence - (second?.confidence ?? 0) >= primaryMargin;
  return { domains, primary: isClear ? first.name : null };
};

const round = (value: number): number => Math.round(value * 1000) / 1000;
