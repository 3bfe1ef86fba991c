/** The rules that read a change as text: they need no parser, so they hold where a judgement ran out of time, too. */
import { limits } from "../base/limits.ts";
import { hideSecrets } from "../base/secrets.ts";
import { characters } from "./rules/characters.ts";
import { generated } from "./rules/generated.ts";
import { lineEnds } from "./rules/line-ends.ts";
import type { Finding, RuleName } from "./rules/rule.ts";
import { secrets } from "./rules/secrets.ts";
import { type ChangedBytes, type TextChange, textChange } from "./rules/text-change.ts";
import { wrapping } from "./rules/wrapping.ts";
import type { Reason } from "./types.ts";

export interface RuleFinding {
  readonly rule: RuleName;
  readonly finding: Finding;
}

const rules: readonly {
  readonly name: RuleName;
  readonly rule: (change: TextChange) => readonly Finding[];
}[] = [
  { name: "wrapping", rule: wrapping },
  { name: "characters", rule: characters },
  { name: "lineEnds", rule: lineEnds },
  { name: "generated", rule: generated },
];

export const lookAtText = (files: readonly ChangedBytes[]): readonly RuleFinding[] => {
  const changes = files
    .filter(({ afterBytes }) => (afterBytes?.length ?? 0) <= limits.structureBytesMax)
    .map((file) => textChange(file));
  return [
    ...changes.flatMap((change) =>
      rules.flatMap(({ name, rule }) => rule(change).map((finding) => ({ rule: name, finding }))),
    ),
    ...secrets(changes).map((finding) => ({ rule: "secrets" as const, finding })),
  ];
};

/** E-26: other rules quote lines and whole symbols, in which the secret may be. */
export const withoutSecrets = (reasons: readonly Reason[]): readonly Reason[] =>
  reasons.map((reason) => ({
    ...reason,
    message: hideSecrets(reason.message),
    remedy: hideSecrets(reason.remedy),
    ...(reason.symbol !== undefined && { symbol: hideSecrets(reason.symbol) }),
    ...(reason.call && { call: safeCall(reason.call) }),
  }));

const safeCall = (call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(call).map(([name, value]) => [
      name,
      typeof value === "string" ? hideSecrets(value) : value,
    ]),
  );
