import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCommand, shellLimits } from "../../../../src/surfaces/hooks/shell/index.ts";

const pieces = fc.constantFrom(
  ..."' \" ` $( $(( )) ) ( { } ${ } ; ;; & && | || > >> < << <<- <<< # \\ \n \t = [ ] [[ ]] * ? ~ ! -".split(
    " ",
  ),
  ...["if", "then", "fi", "for", "in", "do", "done", "case", "esac", "function", "while", " ", " "],
  ...[
    "rm",
    "git",
    "sed",
    "-i",
    "bash",
    "-c",
    "eval",
    "EOF",
    "a.ts",
    "cd",
    "tee",
    "cp",
    "mv",
    "xargs",
  ],
  ...[
    "reset",
    "--hard",
    "checkout",
    "--",
    "add",
    ".",
    "commit",
    "-am",
    "stash",
    "$X",
    "$'",
    "<(",
    ">(",
  ],
);

/** With the processor time it took: other programs may be at work on the machine. */
const take = (text: string, shell: "posix" | "powershell") => {
  const before = process.cpuUsage();
  const reading = readCommand(text, { cwd: "/r", home: "/h", shell });
  const { user, system } = process.cpuUsage(before);
  return { reading, ms: (user + system) / 1000 };
};

/** Texts that send careless readers into quadratic or exponential work, or down the stack. */
const hostile = (count: number): Record<string, string> => ({
  "open substitutions": "$(".repeat(count),
  "open arithmetic": "$((".repeat(count),
  "half closed arithmetic": `${"$((".repeat(30)}${") ".repeat(60)}`.repeat(Math.ceil(count / 200)),
  "arithmetic that is none": "$(( a ) )".repeat(count),
  "open braces": "${".repeat(count),
  "open groups": "{ ".repeat(count),
  parentheses: "(".repeat(count),
  brackets: `echo ${"[".repeat(count)}`,
  backquotes: "`".repeat(count),
  "escaped backquotes": "`\\`".repeat(count),
  "double quotes": '"'.repeat(count),
  heredocs: `${"cat <<E ".repeat(200)}\n${"E\n".repeat(count)}`,
  "open heredoc": `cat <<EOF\n${"x\n".repeat(count)}`,
  "spaces in a patch": `apply_patch <<'E'\n*** Add File: ${" ".repeat(count)}x\nE`,
  "one long word": `echo ${"a".repeat(count)} > b`,
  equals: "a=(".repeat(count),
  cases: "case a in ".repeat(count),
  ifs: "if ".repeat(count),
  functions: "f() ".repeat(count),
  "escaped lines": "\\\n".repeat(count),
  "tests without end": `[[ ${"( ".repeat(count)}`,
  comments: "#".repeat(count),
  newlines: "\n".repeat(count),
  redirections: "> a ".repeat(count),
  "bash in bash": `${"bash -c '".repeat(count)}`,
});

describe("any text as a command line", () => {
  it("B12 random text never throws and ends at once", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: "binary" }), (text) => {
        for (const shell of ["posix", "powershell"] as const) {
          expect(take(text, shell).ms).toBeLessThan(1_000);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("B12 random pieces of shell never throw, and what only reads names no effect", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.boolean(), (parts, isSpaced) => {
        const text = parts.join(isSpaced ? " " : "");
        for (const shell of ["posix", "powershell"] as const) {
          const { reading, ms } = take(text, shell);
          expect(ms).toBeLessThan(1_000);
          if (reading.readsOnly) expect(reading.effects).toEqual([]);
          expect(reading.effects.every(({ certain }) => certain) || !reading.readsOnly).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(Object.keys(hostile(1)))("B06 %s: the work is bounded by the length", (name) => {
    for (const count of [100, 5_000, 50_000]) {
      const text = hostile(count)[name] ?? "";
      for (const shell of ["posix", "powershell"] as const) {
        const { reading, ms } = take(text, shell);
        // Linear work takes milliseconds, quadratic work minutes.
        expect(ms, `${count} ${shell}`).toBeLessThan(2_000);
        expect(reading.effects.length).toBeLessThanOrEqual(2_000);
      }
    }
  });

  it("B06 a line with more commands than the limit is not read to its end, but refused", () => {
    const line = (count: number) => "true;".repeat(count);
    expect(readCommand(line(shellLimits.commandsMax)).tooLarge).toBeUndefined();
    expect(readCommand(line(shellLimits.commandsMax + 1)).tooLarge).toMatch(/too many commands/);
    const hidden = `bash -c '${line(shellLimits.commandsMax)}'; echo`;
    expect(readCommand(hidden).tooLarge).toMatch(/too many commands/);
    const windows = "echo;".repeat(shellLimits.commandsMax + 1);
    expect(readCommand(windows, { shell: "powershell" }).tooLarge).toMatch(/too many commands/);
    expect(readCommand("x".repeat(shellLimits.textLengthMax + 1)).tooLarge).toMatch(/longer than/);
  });
});
