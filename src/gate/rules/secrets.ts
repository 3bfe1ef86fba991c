/**
 * E-26: keys of services and private keys do not go into files. Refused is what has the form of a real one; examples,
 * doubtful ones and those in tests, fixtures and documents are a note. The value itself is in no message.
 */
import { isForeignName, isTestPath } from "../../base/path-kinds.ts";
import { findSecrets, type FoundSecret } from "../../base/secrets.ts";
import { type Finding, findingsMax } from "./rule.ts";
import type { TextChange } from "./text-change.ts";

/** Over all files of a proposal: a file that moves takes its keys along, and they are nothing new. */
export const secrets = (changes: readonly TextChange[]): readonly Finding[] => {
  const old = new Set<string>();
  for (const { before } of changes) {
    if (before) for (const one of findSecrets(before.text)) old.add(value(before.text, one));
  }
  return changes.flatMap(({ path, kind, after }) => {
    if (!after || after.text.includes("\0")) return [];
    const fresh = findSecrets(after.text).filter((one) => !old.has(value(after.text, one)));
    return fresh.slice(0, findingsMax).map((one) => {
      const line = after.text.slice(0, one.from).split(/\r\n|\r|\n/).length;
      const level = isRefused(one, { path, kind }) ? "deny" : "note";
      return {
        level,
        code: "SECRET_FOUND",
        path,
        line,
        message: `line ${line} has ${level === "deny" ? one.name : `what looks like ${one.name}`}`,
        remedy:
          level === "deny"
            ? "Leave it out and read it from the environment or a secret store; if it was ever shared, revoke it."
            : "If it is real, leave it out and revoke it.",
      } as const;
    });
  });
};

const value = (text: string, { from, to }: FoundSecret): string => text.slice(from, to);

const isRefused = ({ form }: FoundSecret, { path, kind }: Pick<TextChange, "path" | "kind">) =>
  (form === "proven" || form === "real") &&
  kind !== "prose" &&
  !isTestPath(path) &&
  !isForeignName(path) &&
  !/(?:^|[/._-])(?:test\w*|fixtures?|examples?|samples?|mocks?|fakes?|dummy|fuzz)(?=[/._-])/i.test(
    path,
  );
