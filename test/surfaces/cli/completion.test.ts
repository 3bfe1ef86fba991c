import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { bashCompletion } from "../../../src/surfaces/cli/completion/bash.ts";
import { fishCompletion } from "../../../src/surfaces/cli/completion/fish.ts";
import { completionPlaces } from "../../../src/surfaces/cli/completion/model.ts";
import { zshCompletion } from "../../../src/surfaces/cli/completion/zsh.ts";
import { describeWith } from "../../helpers/not-run.ts";

const folder = mkdtempSync(join(tmpdir(), "headgate-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

const places = await completionPlaces();
const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
type Shell = keyof typeof scripts;
const save = (shell: Shell): string => {
  const path = join(folder, `completion.${shell}`);
  writeFileSync(path, `${scripts[shell](places)}\n`);
  return path;
};
const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  TERM: "dumb",
  LC_ALL: "C.UTF-8",
};
const run = (file: string, args: string[]): string =>
  execFileSync(file, args, { cwd: folder, env: environment, encoding: "utf8" });

const complete: Record<Shell, (words: string[]) => string[]> = {
  bash: (words) => {
    const program = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _headgate
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const text = run("bash", ["--norc", "-c", program, save("bash"), ...words]);
    return text.split("\n").filter(Boolean);
  },
  fish: (words) => {
    const program = `source $argv[1]; complete -C "$argv[2]"`;
    const text = run("fish", ["--no-config", "-c", program, save("fish"), words.join(" ")]);
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t")[0]!);
  },
  zsh: (words) => {
    // The real thing: an interactive zsh on a pseudo-terminal in which Tab is pressed. `compadd` is
    // wrapped so that every candidate it accepts is written to a file.
    const [found, ready, done] = ["found", "ready", "done"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const path of [ready, done]) rmSync(path, { force: true });
    writeFileSync(found, "");
    const startUp = join(folder, "start.zsh");
    writeFileSync(
      startUp,
      `autoload -Uz compinit; compinit -u -D
source ${save("zsh")}
zstyle ':completion:*' insert-tab false
LISTMAX=-1
compadd() {
  local -a hits; local flag
  for flag in "$@"; do
    [[ $flag == (--|-) ]] && break
    [[ $flag == -[OAD]* || $flag == -*[OAD] ]] && { builtin compadd "$@"; return $? }
  done
  builtin compadd -A hits "$@"
  print -rl -- $hits >> ${found}
  builtin compadd "$@"
}
zle-line-init() { : > ${ready} }
zle -N zle-line-init
tell-done() { : > ${done} }
zle -N tell-done
bindkey '^Xd' tell-done
`,
    );
    const driver = join(folder, "driver.zsh");
    writeFileSync(
      driver,
      `zmodload zsh/zpty zsh/zselect
await() { until [[ -e $1 ]]; do zpty -r -t z ignored; zselect -t 1; done }
zpty z zsh -f -i
zpty -w z 'source ${startUp}'
await ${ready}
zpty -w -n z "$1"$'\\t\\C-xd'
await ${done}
zpty -d z
`,
    );
    run("zsh", ["-f", driver, words.join(" ")]);
    return readFileSync(found, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((text) => text.replace(/=$/, ""));
  },
};

const offersIn =
  (shell: Shell) =>
  (...words: string[]): string[] =>
    [...new Set(complete[shell](words))].toSorted();

for (const shell of ["bash", "zsh", "fish"] as const) {
  describeWith({ programs: [shell] }, `completion in a real ${shell}`, () => {
    const offers = offersIn(shell);

    it("offers the commands that begin as typed", () => {
      expect(offers("headgate", "co")).toEqual(["commit", "completion", "config"]);
      expect(offers("headgate", "help", "eve")).toEqual(["events"]);
    });

    it("offers sub-commands, and a sub-command's own options after it", () => {
      expect(offers("headgate", "events", "")).toEqual(expect.arrayContaining(["prune", "verify"]));
      expect(offers("headgate", "events", "prune", "--ke")).toEqual(["--keep-days"]);
      expect(offers("headgate", "events", "--fol")).toEqual(["--follow"]);
      expect(offers("headgate", "claim", "--pa")).toEqual(["--partial"]);
      expect(offers("headgate", "events", "verify", "--fol")).toEqual([]);
    });

    it("never takes the value of an option for a command", () => {
      expect(offers("headgate", "--repo", "up", "eve")).toEqual(["events"]);
      expect(offers("headgate", "events", "--kind", "verify", "--fol")).toEqual(["--follow"]);
    });

    it("offers the names a command takes", () => {
      expect(offers("headgate", "completion", "")).toEqual(
        expect.arrayContaining(["bash", "fish", "zsh"]),
      );
    });

    it("offers global options everywhere", () => {
      expect(offers("headgate", "status", "--js")).toEqual(["--json"]);
      expect(offers("headgate", "--js")).toEqual(["--json"]);
    });
  });
}
