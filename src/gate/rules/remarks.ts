/** E-20: what the counts of a change say that a person would want to know. Remarks, which a policy may make refusals. */
import { plural } from "../../base/text.ts";
import type { CountChange, FileDelta, Deltas } from "../deltas.ts";
import type { Finding, RuleName } from "./rule.ts";

export interface Remark {
  readonly rule: RuleName;
  readonly finding: Finding;
}

/** `deleted` files are gone by intent; only tests are counted there. */
export const remarks = (
  { total, files }: Deltas,
  deleted: ReadonlySet<string>,
): readonly Remark[] =>
  files.flatMap((file) =>
    watched.flatMap(({ rule, code, isTrue, say, remedy }) =>
      // One file loses it and another gets it: it has only moved.
      isTrue(file) && isTrue(total) && (rule === "tests" || !deleted.has(file.path))
        ? [
            {
              rule,
              finding: { level: "remark", code, path: file.path, message: say(file), remedy },
            } as const,
          ]
        : [],
    ),
  );

interface RemarkForm {
  readonly rule: RuleName;
  readonly code: string;
  readonly isTrue: (delta: FileDelta) => boolean;
  readonly say: (delta: FileDelta) => string;
  readonly remedy: string;
}

const rises = ({ before, after }: CountChange): boolean => after > before;
const falls = ({ before, after }: CountChange): boolean => after < before;
const from = ({ before, after }: CountChange): string => `${before} → ${after}`;

const watched: readonly RemarkForm[] = [
  {
    rule: "tests",
    code: "TESTS_FEWER",
    isTrue: ({ tests, assertions }) =>
      falls(tests) || (falls(assertions) && assertions.before > 0 && tests.before > 0),
    say: ({ tests, assertions }) =>
      `the change leaves fewer checks: tests ${from(tests)}, assertions ${from(assertions)}`,
    remedy: "If they were removed to make the tests pass, put them back and repair the code.",
  },
  {
    rule: "tests",
    code: "TEST_SKIPPED",
    isTrue: ({ skippedTests }) => rises(skippedTests),
    say: ({ skippedTests }) => `more tests are skipped: ${from(skippedTests)}`,
    remedy: "Repair the test or the code, or say in a comment why it waits.",
  },
  {
    rule: "tests",
    code: "TEST_FOCUSED",
    isTrue: ({ focusedTests }) => rises(focusedTests),
    say: ({ focusedTests }) =>
      `${plural(focusedTests.after, "test")} marked with only: all others would not run`,
    remedy: "Take the mark off before the commit.",
  },
  {
    rule: "suppressions",
    code: "CHECK_SUPPRESSED",
    isTrue: ({ suppressions }) => rises(suppressions),
    say: ({ suppressions }) => `more checks are switched off by comments: ${from(suppressions)}`,
    remedy: "Repair the cause if you can; else say beside it why the check is wrong.",
  },
  {
    rule: "losses",
    code: "SYMBOLS_LOST",
    isTrue: ({ symbols }) => symbols.before >= 4 && symbols.after * 2 < symbols.before,
    say: ({ symbols, bytes }) =>
      `the file loses most of what it defines: ${from(symbols)} definitions, ${from(bytes)} bytes`,
    remedy:
      "If the rest was to stay, put it back: write the whole file, or edit only the part that changes.",
  },
  {
    rule: "debugging",
    code: "DEBUGGER_LEFT",
    isTrue: ({ debugging }) => rises(debugging),
    say: () => "a statement that stops in a debugger is new",
    remedy: "Take it out before the commit.",
  },
];
