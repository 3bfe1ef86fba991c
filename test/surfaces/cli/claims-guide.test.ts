import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { claimsProgram } from "../../helpers/claims-program.ts";
import { run, start } from "../../helpers/program.ts";
import { put } from "../../helpers/temporary-folder.ts";

const guide = readFileSync(resolve(import.meta.dirname, "../../../docs/claims.md"), "utf8");

interface Shown {
  readonly actor: string;
  readonly args: string[];
  readonly output: string;
}

/** Every `actor$ headgate …` of the guide with what it shows, in order. */
const shownCommands = (): Shown[] =>
  [...guide.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    [...block.matchAll(/^(\w+)\$ headgate (.*)\n((?:(?!\w+\$ ).*\n)*)/gm)].map(
      ([, actor = "", line = "", output = ""]) => ({
        actor,
        args: (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", "")),
        output,
      }),
    ),
  );

const ids = /\b(?:cl|rq|wa)_[0-9a-z]{18}\b/g;
const withoutTimes = (text: string): string =>
  text
    .replace(/\b\d\d:\d\d\b/g, "TIME")
    .replace(/\d+[sm] ago|just now/g, "AGO")
    .replace(/\d+ s ago/g, "AGO")
    .replace(/since \d+m?s/g, "since AGO")
    .replace(/\b14m\b/g, "15m");

it("docs/claims.md shows what the program really prints", async () => {
  const { cwd, untilWaiting } = claimsProgram();
  for (const file of ["src/auth.ts", "src/login.ts"]) put(join(cwd, file));
  const idHere = new Map<string, string>();
  /** The program's words with the guide's ids; an id seen for the first time is learnt. */
  const inGuidesWords = (printed: string, shown: string): string => {
    const [here, there] = [printed.match(ids) ?? [], shown.match(ids) ?? []];
    for (const [index, id] of there.entries()) {
      if (!idHere.has(id) && here[index] !== undefined) idHere.set(id, here[index]);
    }
    const guideId = new Map([...idHere].map(([guides, own]) => [own, guides]));
    return withoutTimes(printed.replace(ids, (id) => guideId.get(id) ?? id));
  };
  const commands = shownCommands();
  expect(commands.length).toBeGreaterThan(12);
  const waiting: { readonly shown: Shown; readonly printed: Promise<string> }[] = [];
  for (const shown of commands) {
    const args = shown.args.map((word) => idHere.get(word) ?? word);
    const options = { cwd, env: { HEADGATE_ACTOR: shown.actor } };
    if (args.includes("--wait") && shown.output.startsWith("claimed")) {
      const printed = start(args, options).ended.then(({ stdout }) => stdout);
      waiting.push({ shown, printed });
      await untilWaiting(shown.actor);
      continue;
    }
    const { stdout, stderr } = await run(args, options);
    expect(stderr).toBe("");
    expect(inGuidesWords(stdout, shown.output)).toBe(withoutTimes(shown.output));
    // What this one freed is what the last one waited for.
    if (args[0] !== "release" || args.includes("--ask") || args.includes("--answer")) continue;
    for (const one of waiting.splice(0)) {
      expect(inGuidesWords(await one.printed, one.shown.output)).toBe(
        withoutTimes(one.shown.output),
      );
    }
  }
  expect(waiting).toEqual([]);
});
