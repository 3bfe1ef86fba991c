/** What code hosts and editors are told, whether it comes from a synthesis or from the ledger. */
import { contextOf, readSource, type Source } from "../ledger/context.ts";
import type { Finished } from "../ledger/ledger.ts";
import type { FindingState, LedgerFinding } from "../ledger/types.ts";
import { normalise } from "../synthesis/normalise.ts";
import type { Finding, FindingPlace, Severity, Synthesis } from "../types.ts";

export interface Problem {
  readonly severity: Severity;
  readonly title: string;
  readonly body?: string;
  readonly fix?: string;
  readonly path?: string;
  readonly line?: number;
  readonly symbol?: string;
  /** Where else the same problem is. */
  readonly others?: readonly FindingPlace[];
  /** Of the synthesis; results of one rule at several places share it. */
  readonly problem?: string;
  readonly rule?: string;
  readonly kind?: string;
  readonly identity: string;
  readonly reviewers: readonly string[];
  readonly models?: readonly string[];
  /** Independent sightings. */
  readonly convergence?: number;
  readonly probability?: number;
  readonly needsVerification?: boolean;
  /** In the ledger. */
  readonly finding?: string;
  readonly state?: FindingState;
  readonly dismissal?: string;
}

/** Contents by path, as they were reviewed. */
export type Sources = ReadonlyMap<string, string>;

export interface ProblemsInput {
  readonly synthesis: Synthesis;
  /** Those that were synthesised. */
  readonly findings: readonly Finding[];
  readonly sources?: Sources;
  /** What the ledger says about them; what it calls fixed is told as absent. */
  readonly ledger?: Pick<Finished, "byCluster" | "states" | "fixed">;
  /** By reviewer. */
  readonly models?: ReadonlyMap<string, string>;
}

/** In the order of the synthesis, most severe first; fixed ones last. */
export const problemsOf = (input: ProblemsInput): Problem[] => {
  const { synthesis, findings, sources, ledger, models } = input;
  const byId = new Map(
    normalise(findings).map(({ finding }) => [`${finding.review}\0${finding.id}`, finding]),
  );
  const read = sourceReader(sources);
  const nth = counter();
  const seen = synthesis.clusters.flatMap((cluster): Problem[] => {
    const { severity, title, reviewers, independent, probability } = cluster;
    const members = cluster.members.flatMap((id) => byId.get(`${cluster.review}\0${id}`) ?? []);
    const shown = members.find(({ id }) => id === cluster.shown) ?? members[0];
    const isRule = members.every(({ rule }) => rule !== undefined);
    const known = ledger?.byCluster.get(cluster.id);
    const rule = members.find((one) => one.rule !== undefined)?.rule;
    const kind = members.find((one) => one.kind !== undefined)?.kind;
    const used = [...new Set(reviewers.flatMap((name) => models?.get(name) ?? []))];
    const toProblem = (
      place: FindingPlace,
      finding: Finding | undefined,
      isFirst: boolean,
    ): Problem => {
      const others = isRule ? [] : cluster.places.filter((one) => !isSamePlace(one, place));
      const row = isFirst ? known : undefined;
      return {
        ...{ severity, title, ...placeParts(place) },
        ...(finding?.body !== undefined && { body: finding.body }),
        ...(finding?.fix !== undefined && { fix: finding.fix }),
        ...(others.length > 0 && { others }),
        ...(rule !== undefined && { rule }),
        ...(kind !== undefined && { kind }),
        identity: row?.identity ?? nth(identityOf(finding, read)),
        ...{ reviewers, problem: cluster.id },
        ...(used.length > 0 && { models: used }),
        convergence: independent,
        probability,
        needsVerification: cluster.needsVerification,
        ...(known && told(known, ledger?.states.get(known.id))),
      };
    };
    const first = toProblem(cluster, shown, true);
    if (!isRule) return [first];
    // Code hosts show a result at one place: each place of a rule is a result of its own.
    const rest = cluster.places.filter((place) => !isSamePlace(place, cluster));
    return [
      first,
      ...rest.map((place) =>
        toProblem(place, members.find((member) => isSamePlace(member, place)) ?? shown, false),
      ),
    ];
  });
  return [...seen, ...(ledger?.fixed ?? []).map((one) => fromLedger(one))];
};

const isSamePlace = (left: FindingPlace, right: FindingPlace): boolean =>
  left.path === right.path && left.line === right.line;

const placeParts = ({ path, line, symbol }: FindingPlace): FindingPlace => ({
  ...(path !== undefined && { path }),
  ...(line !== undefined && { line }),
  ...(symbol !== undefined && { symbol }),
});

/** A finding of the ledger as it stands. */
export const fromLedger = (finding: LedgerFinding): Problem => {
  const { severity, title, body, path, line, rule, kind, identity, reviewers } = finding;
  return {
    severity,
    title,
    ...(body !== undefined && { body }),
    ...(path !== null && { path }),
    ...(line !== null && { line }),
    ...(rule !== null && { rule }),
    ...(kind !== undefined && { kind }),
    identity,
    reviewers,
    ...told(finding, finding.state),
  };
};

const told = (known: LedgerFinding, state: FindingState = known.state) => ({
  finding: known.id,
  state,
  ...(state === "dismissed" && { dismissal: dismissalOf(known) }),
});

const dismissalOf = ({ decision }: LedgerFinding): string => {
  const reason = decision?.reason ?? "dismissed";
  return decision?.note ? `${reason}: ${decision.note}` : reason;
};

/** As the ledger would name it, for what it has not seen. */
const identityOf = (
  finding: Finding | undefined,
  read: (path: string) => Source | undefined,
): string => {
  if (!finding) return "";
  const [key = ""] = contextOf(finding, read(finding.path ?? "")).keys;
  return key.split(":")[1] ?? key;
};

const counter = (): ((identity: string) => string) => {
  const counts = new Map<string, number>();
  return (identity) => {
    const count = (counts.get(identity) ?? 0) + 1;
    counts.set(identity, count);
    return count === 1 ? identity : `${identity}~${count}`;
  };
};

const sourceReader = (sources: Sources | undefined): ((path: string) => Source | undefined) => {
  const known = new Map<string, Source>();
  return (path) => {
    const text = sources?.get(path);
    if (text === undefined) return undefined;
    let source = known.get(path);
    if (!source) known.set(path, (source = readSource(text)));
    return source;
  };
};
