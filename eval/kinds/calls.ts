/** Calls to what exists must pass, calls to what exists nowhere should not. Python, JavaScript, TypeScript. */
import { readFileSync } from "node:fs";
import type { JudgeContext } from "../../src/gate/index.ts";
import { type Analyser, familyOf, SymbolUniverse } from "../../src/structure/index.ts";
import { hasImportTwice } from "./legal.ts";
import { fit } from "../profiles/index.ts";
import type { Attempt } from "../types.ts";
import {
  append,
  type Bench,
  callables,
  insertAt,
  lastOf,
  type Maker,
  pickClass,
  textOf,
  toAttempt,
} from "./make.ts";

export type Further = NonNullable<JudgeContext["further"]>;

/** The rule as the product would use it, with these files as the project's dependencies. */
export const loadCallRule = async (
  language: string,
  files: readonly string[],
): Promise<((attempt: Attempt, analyser: Analyser) => Further) | undefined> => {
  if (!["python", "javascript", "typescript", "tsx"].includes(language)) return undefined;
  const rules = await import("../../src/gate/rules/references.ts").catch(() => undefined);
  if (!rules) return undefined;
  const universe = new SymbolUniverse();
  await universe.addLibrary(familyOf(language), "evaluation", {
    list: () => files,
    read: (path) => readFileSync(path),
  });
  return ({ proposal, tree }, analyser) => {
    const { path } = proposal.writes[0]!;
    const now = tree.read(path);
    const rule = rules.references({
      universe: async () => {
        universe.setFile(path, now);
        return universe;
      },
      outlineOf: async (one) => (one === path && now ? analyser.outline(now, path) : undefined),
    });
    return [{ name: "references", rule }];
  };
};

const call = (
  bench: Bench,
  kind: string,
  expect: "refuse" | "pass",
  after: string,
  excerpt: string,
) => toAttempt(bench, { group: "calls", kind, expect, codes: ["CALL_UNKNOWN"], after, excerpt });

const isPython = ({ language }: Bench): boolean => language === "python";

const calling = (bench: Bench, called: string): string => {
  const name = bench.fresh();
  const code = isPython(bench)
    ? `def ${name}(self):\n\treturn ${called}()`
    : `${name}() {\n\treturn ${called}();\n}`;
  return code;
};

const inClass = (bench: Bench, kind: string, expect: "refuse" | "pass", called: string) => {
  const holder = pickClass(bench, ({ members }) => members.some((one) => !one.isStatic));
  const last = holder && lastOf(holder);
  if (!holder || !last) return undefined;
  const member = bench.random.pick(holder.members.filter((one) => !one.isStatic))!;
  const receiver = isPython(bench) ? "self" : "this";
  const name = called === "" ? member.name : called;
  if (name === "constructor") return undefined;
  const code = fit(calling(bench, `${receiver}.${name}`), last.indent, bench.profile.unit);
  return call(bench, kind, expect, insertAt(bench.source.text, last.to, `\n\n${code}`), code);
};

const missingMember: Maker = (bench) =>
  inClass(bench, "missing member", "refuse", `missing_${bench.fresh()}`);

const existingMember: Maker = (bench) => inClass(bench, "existing member", "pass", "");

const inFunction = (bench: Bench, kind: string, expect: "refuse" | "pass", called: string) => {
  const name = bench.fresh();
  const code = isPython(bench)
    ? `def ${name}():\n\treturn ${called}()`
    : `function ${name}() {\n\treturn ${called}();\n}`;
  const fitted = fit(code, "", bench.profile.unit);
  return call(bench, kind, expect, append(bench.source.text, fitted), fitted);
};

const missingFunction: Maker = (bench) =>
  inFunction(bench, "missing function", "refuse", `missing_${bench.fresh()}`);

const existingFunction: Maker = (bench) => {
  const one = bench.random.pick(bench.source.located.functions);
  return one && inFunction(bench, "existing function", "pass", one.name);
};

/** All calls of real code, as if it were new. */
const realMember: Maker = (bench) => {
  const { source, random } = bench;
  const one = random.pick(callables(bench));
  if (!one) return undefined;
  const without = source.text.slice(0, one.from) + source.text.slice(one.to + 1);
  return toAttempt(bench, {
    group: "calls",
    kind: "real member put in",
    expect: "pass",
    after: source.text,
    now: Buffer.from(without),
    excerpt: textOf(bench, one),
  });
};

const realFile: Maker = (bench) =>
  hasImportTwice(bench)
    ? undefined
    : toAttempt(bench, {
        group: "calls",
        kind: "real file created",
        expect: "pass",
        after: bench.source.text,
        now: null,
        excerpt: bench.source.path,
      });

export const callMakers: readonly Maker[] = [
  missingMember,
  missingFunction,
  existingMember,
  existingFunction,
  realMember,
  realMember,
  realFile,
];
