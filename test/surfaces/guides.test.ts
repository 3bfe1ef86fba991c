import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../src/errors.ts";
import { leftoverCodes } from "../../src/verify/index.ts";
import { cleanEnvironment, programPath, withoutProgress } from "../helpers/program.ts";
import { freshSharedDatabase } from "../helpers/shared-postgres.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const docs = resolve(import.meta.dirname, "../../docs");

interface Step {
  readonly line: string;
  readonly exits: number;
  /** What the guide shows; `…` stands for anything. */
  readonly shown: string;
}

const stepsOf = (guide: string): Step[] => {
  const text = readFileSync(join(docs, guide), "utf8");
  return [...text.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block = ""]) =>
    [...block.matchAll(/^\$ (.*?)(?: +# exits (\d+))?\n((?:(?!\$ ).*\n)*)/gm)].map(
      ([, line = "", exits = "0", shown = ""]) => ({ line, exits: Number(exits), shown }),
    ),
  );
};

/** An id in a guide stands for whichever the program gives; later lines mean the same one. */
const anId = /\b(?:cl|ed|fi|re|rn)_[0-9a-z]{6,}\b/g;

const pattern = (shown: string): RegExp =>
  new RegExp(
    shown
      .trimEnd()
      .split("…")
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
      .join("[^]*")
      .replaceAll(anId, "[a-z]{2}_[0-9a-z]+"),
  );

const python = 'class User:\n    def name(self):\n        return "x"\n';

/** A repository with one class; `headgate` is found on PATH as an installed one would be. */
const newPlace = () => {
  const root = temporaryFolder();
  const [cwd, bin] = [join(root, "repository"), join(root, "bin")];
  for (const dir of [cwd, bin]) mkdirSync(dir);
  const program = join(bin, "headgate");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${programPath}" "$@"\n`);
  chmodSync(program, 0o755);
  const clean = cleanEnvironment(root);
  const env: Record<string, string> = {
    ...clean,
    PATH: `${bin}${delimiter}${clean["PATH"] ?? ""}`,
  };
  const shell = (line: string) => {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
      cwd,
      env,
      encoding: "utf8",
    });
    return { code: status, text: stdout + withoutProgress(stderr) };
  };
  put(join(cwd, "src/user.py"), python);
  shell("git init -q -b main . && git config user.name x && git config user.email x@y");
  shell("git add . && git commit -qm first");
  return { cwd, env, shell };
};
type Place = ReturnType<typeof newPlace>;

const runGuide = (guide: string, place: Place, given: Readonly<Record<string, string>> = {}) => {
  const steps = stepsOf(guide);
  const ids = new Map<string, string>();
  for (const { line: written, exits, shown } of steps) {
    const line = written.replaceAll(anId, (id) => ids.get(id) ?? id);
    const [, name, value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      place.env[name] = given[name] ?? value;
      continue;
    }
    const { code, text } = place.shell(line);
    expect(code, `${line}\n${text}`).toBe(exits);
    expect(text, line).toMatch(pattern(shown));
    const real = [...new Set(text.match(anId))];
    for (const [at, id] of [...new Set(shown.match(anId))].entries()) ids.set(id, real[at] ?? id);
  }
  return steps.length;
};

describe("the guides show what really happens", { timeout: 300_000 }, () => {
  it("docs/getting-started.md", () => {
    const place = newPlace();
    expect(runGuide("getting-started.md", place)).toBeGreaterThan(12);
    // Everything it did was taken back.
    expect(readFileSync(join(place.cwd, "src/user.py"), "utf8")).toBe(python);
  });

  it("README.md", () => {
    expect(runGuide("../README.md", newPlace())).toBe(3);
  });

  it("README.md says of worktrees what the table of the proving ground adds up to", () => {
    const [, table = ""] =
      /^## Hot files[^]*?\n((?:\|.*\n)+)/m.exec(
        readFileSync(join(docs, "proving-ground.md"), "utf8"),
      ) ?? [];
    const rows = [...table.matchAll(/^\| (?:hono|flask|core|click) \|(.*)\|$/gm)].map(
      ([, row = ""]) => row.split("|").map((cell) => cell.trim()),
    );
    expect(rows).toHaveLength(4);
    const sum = (read: (row: readonly string[]) => string | undefined): number =>
      rows.reduce((total, row) => total + Number(read(row)), 0);
    const plain = [sum(([cell]) => cell?.split("/")[0]), sum(([cell]) => cell?.split(" of ")[1])];
    const ours = [sum((row) => row[6]?.split("/")[0]), sum((row) => row[2]?.split(" of ")[1])];
    const readme = readFileSync(join(docs, "../README.md"), "utf8");
    expect(readme).toContain(`[${plain.join(" of ")} tasks]`);
    expect(readme).toContain(`Headgate ${ours.join(" of ")} landed`);
    expect(readme).toContain(`${sum((row) => row[7])} of those ${ours[1]} tasks waited`);
  });

  it("docs/teams.md, on a real PostgreSQL", async () => {
    const given = { HEADGATE_STORE: await freshSharedDatabase() };
    expect(runGuide("teams.md", newPlace(), given)).toBeGreaterThan(4);
  });

  it.each([
    ["security.md", 3],
    ["troubleshooting.md", 4],
    ["editing.md", 5],
    ["review.md", 2],
    ["findings.md", 5],
    ["reviewers.md", 3],
    ["runs.md", 7],
  ])("docs/%s", (guide, count) => {
    expect(runGuide(guide, newPlace())).toBe(count);
  });

  it("docs/troubleshooting.md names only codes that exist", () => {
    const text = readFileSync(join(docs, "troubleshooting.md"), "utf8");
    const codes = [...text.matchAll(/^\| `([A-Z_]+)`/gm)]
      .map(([, code = ""]) => code)
      .filter((code) => !(code in leftoverCodes));
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => !Object.hasOwn(errorCodes, code))).toEqual([]);
  });

  it("docs/ci.md", () => {
    const place = newPlace();
    place.shell("git checkout -qb topic");
    put(join(place.cwd, "src/user.py"), `${python}\n    def name(self):\n        return "y"\n`);
    place.shell("git commit -qam twice");
    expect(runGuide("ci.md", place)).toBeGreaterThan(4);
    const sarif = readFileSync(join(place.cwd, "headgate.sarif"), "utf8");
    expect(JSON.parse(sarif).runs[0].results).toHaveLength(1);
  });
});
