/**
 * Who reviews, and why. Pure: the same subject, candidates, routing and seed give the same bytes, and the order of
 * the candidates does not matter. Each considered reviewer is listed with every term of its score.
 */
import { nearestName, plural, showText } from "../../base/text.ts";
import { familyOf } from "../static/source-file.ts";
import { narrowSubject } from "../subject/narrow.ts";
import type { Subject } from "../subject/types.ts";
import { saysItReviews } from "./derived.ts";
import { type Look, lookAt } from "./look.ts";
import { type Effect, effectOf } from "./overrides.ts";
import { scoreTerms, sizeStep, sumOf } from "./score.ts";
import type { Candidate, Considered, ScoreTerm, Triage, TriageInput } from "./types.ts";

export const triage = (input: TriageInput): Triage => {
  const { subject, routing, seed } = input;
  const whole = lookAt(subject);
  const unique = uniqueOf(input.candidates);
  const judged = unique.map((candidate): Judged => {
    const effect = effectOf(candidate.name, routing, seed);
    const narrowed = effect.except.length > 0 ? narrowSubject(subject, effect.except) : subject;
    const look = narrowed === subject ? whole : lookAt(narrowed);
    const isStatic = candidate.kind === "static";
    const own = isStatic ? [staticTerm(narrowed)] : scoreTerms(candidate, { ...input, look });
    const terms = [...own, ...effect.terms];
    const barred = whyBarred(candidate, { narrowed, effect, terms, input });
    return {
      ...{ candidate, effect, terms, score: sumOf(terms) },
      ...(barred !== undefined && { barred }),
    };
  });
  judged.sort((a, b) => b.score - a.score || compare(a.candidate.name, b.candidate.name));
  const slots = slotsFor(input, whole);
  const decided = input.chosen
    ? asNamed(judged, input.chosen)
    : bySlots(judged, slots.count, whole);
  return {
    slots: slots.count,
    slotsWhy: slots.why,
    considered: decided,
    notes: notesOf(input, unique, decided),
  };
};

/** Under this a reviewer has nothing to say about the change; its slot stays empty. */
const scoreMin = 1;
const slotsMax = 10;

interface Judged {
  readonly candidate: Candidate;
  readonly effect: Effect;
  readonly terms: readonly ScoreTerm[];
  readonly score: number;
  /** Why it cannot be asked, whatever its score. */
  readonly barred?: string;
}

type Decision = Considered["decision"];

const bySlots = (judged: readonly Judged[], slots: number, look: Look): Considered[] => {
  const able = judged.filter(({ candidate, effect, barred }) => {
    return candidate.kind !== "static" && barred === undefined && effect.leftOut === undefined;
  });
  const isNeeded = ({ candidate }: Judged): boolean =>
    hasCode(look) && candidate.kind === "built-in" && alwaysForCode.has(candidate.name);
  const needed = able.filter(isNeeded);
  const others = able.filter((one) => !isNeeded(one) && one.score >= scoreMin);
  const chosen = new Set([...needed, ...others].slice(0, slots));
  const first = new Set([
    ...firstStage(judged.filter((one) => chosen.has(one))),
    // A second stage may never be asked.
    ...needed.filter((one) => chosen.has(one) && !one.effect.isLater),
  ]);
  return judged.map((one): Considered => {
    const { candidate, effect, barred, score } = one;
    const isStatic = candidate.kind === "static" && barred === undefined;
    if ((chosen.has(one) || isStatic) && effect.leftOut === undefined) {
      const stage = isStatic || first.has(one) ? 1 : 2;
      return toldOf(one, {
        ...{ state: "chosen", stage },
        ...(effect.floor && { floor: effect.floor }),
        // The static rules never look where a scope keeps them away.
        ...(effect.watched !== undefined &&
          !(isStatic && effect.except.length > 0) && { watched: effect.watched }),
      });
    }
    if (barred === keptAway && effect.watched !== undefined) {
      // All that changed is what the override keeps from it: that is where something would be lost.
      const { except: _, ...told } = toldOf(one, { state: "shadow", probability: effect.watched });
      return told;
    }
    if (barred !== undefined) return toldOf(one, leftOut(barred));
    if (effect.shadow !== undefined) {
      return toldOf(one, { state: "shadow", probability: effect.shadow });
    }
    if (effect.leftOut !== undefined) return toldOf(one, leftOut(effect.leftOut));
    const why =
      score < scoreMin ? `its score is under ${scoreMin}` : `all ${slots} slots are taken`;
    return toldOf(one, leftOut(why));
  });
};

/** Whoever is named is asked, also against routing: a person wants it now. */
const asNamed = (judged: readonly Judged[], names: readonly string[]): Considered[] => {
  const wanted = [...new Set(names)].flatMap((name) => {
    const found = judged.find(({ candidate }) => candidate.name === name);
    return found ? [found] : [];
  });
  const told = wanted.map((one): Considered => {
    const { floor } = one.effect;
    return toldOf(one, { state: "chosen", stage: 1, ...(floor && { floor }) });
  });
  const rest = judged.filter((one) => !wanted.includes(one));
  return [...told, ...rest.map((one) => toldOf(one, leftOut("others were asked for by name")))];
};

const toldOf = (one: Judged, decision: Decision): Considered => ({
  reviewer: one.candidate.name,
  kind: one.candidate.kind,
  score: one.score,
  terms: one.terms,
  decision,
  ...(one.effect.except.length > 0 && { except: one.effect.except }),
});

const leftOut = (why: string): Decision => ({ state: "left-out", why });

/** The best 40 %, at least two and at most five; an override can hold one back. */
const firstStage = (chosen: readonly Judged[]): Set<Judged> => {
  const count = Math.min(5, Math.max(2, Math.ceil(chosen.length * 0.4)));
  return new Set(chosen.filter(({ effect }) => !effect.isLater).slice(0, count));
};

/** What can destroy or let somebody in is looked at in every change of code. */
const alwaysForCode: ReadonlySet<string> = new Set(["safety", "correctness"]);

const hasCode = ({ roles }: Look): boolean => roles.has("code") || roles.has("tests");

interface Circumstances {
  readonly narrowed: Subject;
  readonly effect: Effect;
  readonly terms: readonly ScoreTerm[];
  readonly input: TriageInput;
}

const keptAway = "it looks at none of the changed paths";

const whyBarred = (candidate: Candidate, about: Circumstances): string | undefined => {
  const { kind, domain, qualified } = candidate;
  const { narrowed, effect, terms, input } = about;
  if (narrowed.files.length === 0) {
    return effect.except.length > 0 ? keptAway : "nothing changed";
  }
  if (kind === "static") return terms[0]?.value === 0 ? terms[0].why : undefined;
  if (qualified === false) return "it did not find the faults that were planted to try it";
  if (kind === "generated" && domain !== undefined) {
    const isHere = input.domains.length === 0 || input.domains.some(({ name }) => name === domain);
    if (!isHere) return `the project is no ${domain}`;
  }
  if (kind === "own" && !saysItReviews(candidate))
    return "its description does not say that it reviews";
  return undefined;
};

/** It costs nothing and takes no slot. */
const staticTerm = ({ files }: Subject): ScoreTerm => {
  const known = files.filter(({ language, after }) => {
    return after !== undefined && language !== undefined && familyOf(language) !== undefined;
  });
  return known.length === 0
    ? { term: "static", value: 0, why: "no file in a language that the rules know" }
    : {
        term: "static",
        value: 1,
        why: `${plural(known.length, "file")} in languages that the rules know`,
      };
};

const slotsFor = (
  { slots, domains, chosen }: TriageInput,
  look: Look,
): { readonly count: number; readonly why: string } => {
  if (chosen) return { count: chosen.length, why: "those asked for by name" };
  if (slots !== undefined) return { count: Math.max(1, Math.floor(slots)), why: "as told" };
  const sure = domains.filter(({ confidence }) => confidence >= 0.5);
  const [size, more] = [sizeStep(look), Math.min(2, sure.length)];
  const why = `4, ${size} for ${plural(look.lines, "line")} in ${plural(look.files.length, "file")}, ${more} for ${plural(sure.length, "domain")}`;
  return { count: Math.min(slotsMax, 4 + size + more), why };
};

const notesOf = (
  { routing, chosen = [] }: TriageInput,
  candidates: readonly Candidate[],
  considered: readonly Considered[],
): string[] => {
  const names = candidates.map(({ name }) => name);
  const notes: string[] = [];
  const { problem } = routing;
  if (problem !== undefined) notes.push(`routing overrides are ignored: ${showText(problem)}`);
  for (const name of new Set(chosen)) {
    if (names.includes(name)) continue;
    const nearest = nearestName(name, names);
    notes.push(
      `no reviewer ${showText(name)}${nearest === undefined ? "" : `; nearest: ${nearest}`}`,
    );
  }
  for (const { reviewer, decision, terms } of considered) {
    const told = terms.filter(({ term }) => term === "override").map(({ why }) => showText(why));
    if (told.length === 0) continue;
    const isNamed = chosen.includes(reviewer) && decision.state === "chosen";
    const after = isNamed
      ? "; asked nevertheless, by name"
      : decision.state === "shadow"
        ? "; runs in shadow"
        : "";
    notes.push(`${reviewer}: ${told.join("; ")}${watchOf(routing, reviewer)}${after}`);
  }
  // Without a runner nobody but the static rules is a candidate; that says nothing about names.
  const isAsking = candidates.some(({ kind }) => kind !== "static");
  const overridden =
    problem === undefined && isAsking ? routing.overrides.map(({ reviewer }) => reviewer) : [];
  for (const name of new Set(overridden.toSorted())) {
    if (!names.includes(name))
      notes.push(`an override names ${showText(name)}, which nobody is called`);
  }
  return notes;
};

/** "canary 7/18": shadows that were run, of those it takes to pass. */
const watchOf = ({ canaries }: TriageInput["routing"], reviewer: string): string => {
  const watch = canaries.find((one) => one.reviewer === reviewer);
  if (!watch) return "";
  const { state, shadows, needed } = watch;
  const isOpen = state === "MONITORING" || state === "WARN";
  const far = needed === null ? `${shadows}` : `${shadows}/${shadows + needed}`;
  return isOpen ? `, canary ${far}${state === "WARN" ? " WARN" : ""}` : `, canary ${state}`;
};

/** Of two with one name the nearer to us stays; which that is does not depend on their order. */
const uniqueOf = (candidates: readonly Candidate[]): Candidate[] => {
  const kinds = ["static", "built-in", "generated", "own"];
  const ordered = candidates.toSorted(
    (a, b) =>
      compare(a.name, b.name) ||
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      compare(JSON.stringify(a), JSON.stringify(b)),
  );
  return ordered.filter(({ name }, at) => ordered[at - 1]?.name !== name);
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
