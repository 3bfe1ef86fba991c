/**
 * T-06: a change must not make a file unreadable for the gate, because then every other rule is silent about it. Refused
 * is source that could be looked into and cannot any more, and new source that holds NUL or ends its parser. A file that could
 * not be looked into before is named, and so is one that is only too large.
 */
import { languageOf, lookUnread, type UnreadSource } from "../../structure/index.ts";
import type { FileCase } from "../file-case.ts";
import type { Finding } from "./rule.ts";

export const judgeable = async (one: FileCase): Promise<readonly Finding[]> => {
  const { before, after } = one;
  if (!after || after.outline.language === "text") return [];
  const now = after.outline.unread ?? (await one.syntaxAfter())?.unread;
  if (!now) return [];
  // A file that had no language then is as good as new.
  const isKnown = before !== undefined && before.outline.language !== "text";
  const old = isKnown ? (before.outline.unread ?? (await one.syntaxBefore())?.unread) : undefined;
  return compare(one, { now, old, wasRead: isKnown && !old });
};

/** The same where there is no time for a parser: whatever can be said without one. */
export const judgeableText = (
  one: Pick<FileCase, "path" | "beforeBytes" | "afterBytes">,
): readonly Finding[] => {
  const { path, beforeBytes, afterBytes } = one;
  const now = afterBytes && lookUnread(afterBytes, path);
  const old = beforeBytes && lookUnread(beforeBytes, path);
  return now ? compare(one, { now, old, wasRead: beforeBytes !== undefined && !old }) : [];
};

interface Readings {
  readonly now: UnreadSource;
  readonly old: UnreadSource | undefined;
  readonly wasRead: boolean;
}

const compare = (
  { path, afterBytes }: Pick<FileCase, "path" | "afterBytes">,
  { now, old, wasRead }: Readings,
): readonly Finding[] => {
  const isPlain = now.as === "binary" || now.as === "encrypted";
  if (isPlain && !wasRead) return [];
  const isLarge =
    now.as === "large" || (now.as === "slow" && (afterBytes?.length ?? 0) > slowBytes);
  // A script that only its first line names may carry a payload; files for tests are broken on purpose.
  const isTold =
    old !== undefined ||
    isLarge ||
    now.as === "encrypted" ||
    isSample(path) ||
    (languageOf(path) === "text" && !wasRead);
  const told = old ? "it could not be before either" : "nothing in it was looked at";
  const line = now.as === "nul" ? nulLine(afterBytes) : 1;
  return [
    {
      level: isTold ? "note" : "deny",
      code: "NOT_JUDGEABLE",
      path,
      line,
      message: `${path} cannot be judged: ${now.why}${isTold ? `; ${told}` : wasRead ? ", and it could be judged before" : ""}`,
      remedy: isTold
        ? "Read the change yourself: no rule that needs its structure was applied."
        : remedies[now.as],
    },
  ];
};

/** Real files of this size take a parser a tenth of its time; larger ones are generated. */
const slowBytes = 512 * 1024;

const remedies: Readonly<Record<UnreadSource["as"], string>> = {
  nul: "Write NUL as an escape (\\0); content that is not source needs another file ending.",
  died: "Nest the code less deeply, or split the file, so that a parser can read it.",
  slow: "Write the code more simply, or split the file, so that a parser can read it in time.",
  binary: "Keep the source; put the binary content into a file of its own.",
  encrypted: "Keep the source in plain text.",
  large: "Split the file.",
};

/** Inputs of tests, which may be broken on purpose. */
const isSample = (path: string): boolean =>
  /(?:^|\/)(?:__)?(?:fixtures?|test-?data|corpus|corpora|goldens?|fuzz(?:ing)?|crashers|snapshots?)(?:__)?\//i.test(
    path,
  );

/** In UTF-16 and UTF-32 every second byte may be zero; there the first line will do. */
const nulLine = (bytes: Buffer | undefined): number => {
  const at = bytes?.indexOf(0) ?? -1;
  if (!bytes || at < 0) return 1;
  return bytes.toString("latin1", 0, at).split(/\r\n|\r|\n/).length;
};
