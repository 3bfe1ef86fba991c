import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { hookPlace } from "../../helpers/hook-place.ts";
import { hookParts } from "../../../src/surfaces/hooks/parts.ts";
import type { HookCall } from "../../../src/surfaces/hooks/types.ts";
import {
  arm,
  eventsOf,
  gitAs,
  headgateAs,
  hookedRepository,
  install,
  servedRepository,
  twoFunctions,
  write,
} from "./hooked-repository.ts";

const duplicate = `${twoFunctions}\nexport function one(): number {\n  return 3;\n}\n`;

/** As a script of an agent does it: a setting that turns the hooks off, for one commit. */
const commitPast = (folder: string, path: string, content: string): string => {
  write(folder, path, content);
  git(folder, "add", path);
  git(folder, "-c", "core.hooksPath=/nowhere", "commit", "--quiet", "--message", "Past");
  return git(folder, "rev-parse", "HEAD").trim();
};

/** The same without `git commit`. */
const commitTree = (folder: string, path: string, content: string): string => {
  write(folder, path, content);
  git(folder, "add", path);
  const tree = git(folder, "write-tree").trim();
  const commit = git(folder, "commit-tree", tree, "-p", "HEAD", "-m", "Plumbing").trim();
  git(folder, "reset", "--quiet", "--soft", commit);
  return commit;
};

const commitAs = (actor: string, folder: string, path: string, content = "x\n") => {
  write(folder, path, content);
  git(folder, "add", path);
  return gitAs(actor, folder, ["commit", "--quiet", "--message", "Mine", "--", path]);
};

const lateIn = (folder: string): unknown =>
  JSON.parse(headgateAs("ada", folder, "status", "--json").stdout).lateCommits;

for (const [name, make] of [
  ["with git's hooks turned off", commitPast],
  ["by git commit-tree", commitTree],
] as const) {
  it(`G13 a commit made ${name} is judged by the next hook: its problem refuses the next commit until it is repaired`, async () => {
    const folder = await hookedRepository();
    const late = make(folder, "code.ts", duplicate);
    const refused = commitAs("ada", folder, "b.txt");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      "Headgate refused this git commit: DUPLICATE_SYMBOL code.ts#one",
    );
    expect(refused.stderr).toContain(`(commit ${late.slice(0, 10)}, made without git's hooks)`);
    expect(headgateAs("ada", folder, "status").stdout).toMatch(
      /without hooks {2,}commit [0-9a-f]{10} has DUPLICATE_SYMBOL code\.ts#one/,
    );
    expect(eventsOf(folder, "commit.unjudged")).toMatchObject([
      { actor: "headgate", subject: late, data: { late: true, code: "DUPLICATE_SYMBOL" } },
    ]);
    expect(commitAs("ada", folder, "code.ts", twoFunctions)).toMatchObject({ code: 0 });
    expect(lateIn(folder)).toEqual([]);
    expect(commitAs("ada", folder, "b.txt", "y\n")).toEqual({ code: 0, stdout: "", stderr: "" });
  });
}

it("G13 a fine commit made without hooks passes with a note, once", async () => {
  const folder = await hookedRepository();
  const late = commitPast(folder, "new.ts", "export const fine = 1;\n");
  const { code, stderr } = commitAs("ada", folder, "b.txt");
  expect(code).toBe(0);
  expect(stderr).toContain(
    `note: commit ${late.slice(0, 10)} was made without git's hooks; judged now: no problems.`,
  );
  expect(commitAs("ada", folder, "c.txt").stderr).toBe("");
});

it("G13 a push of the branch is refused as well, and passes once it is repaired", async () => {
  const folder = await hookedRepository();
  const remote = join(temporaryFolder(), "remote.git");
  git(folder, "init", "--quiet", "--bare", remote);
  git(folder, "remote", "add", "origin", remote);
  commitPast(folder, "code.ts", duplicate);
  const refused = gitAs("ada", folder, ["push", "--quiet", "origin", "HEAD:refs/heads/main"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("Headgate refused this git push: DUPLICATE_SYMBOL code.ts#one");
  const person = gitAs("user:ada", folder, ["push", "origin", "HEAD:refs/heads/people"]);
  expect(person.code).toBe(0);
  expect(person.stderr).toContain("note: commit");
});

it("G13 commits that came from a remote, by pull or from an address, are not judged late", async () => {
  const folder = await hookedRepository();
  const other = join(temporaryFolder(), "other");
  git(folder, "clone", "--quiet", folder, other);
  commitPast(other, "code.ts", duplicate);
  git(folder, "pull", "--quiet", other, "HEAD");
  expect(commitAs("ada", folder, "b.txt")).toEqual({ code: 0, stdout: "", stderr: "" });
  commitPast(other, "more.ts", duplicate);
  git(folder, "remote", "add", "origin", other);
  git(folder, "fetch", "--quiet", "origin");
  git(folder, "merge", "--quiet", "--ff-only", "FETCH_HEAD");
  expect(commitAs("ada", folder, "c.txt")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(lateIn(folder)).toEqual([]);
});

/** The hooks of a client's session in a repository with git's hooks; the first call was before the command. */
const clientPlace = async () => {
  const place = await hookPlace();
  write(place.root, "code.ts", twoFunctions);
  git(place.root, "add", ".");
  git(place.root, "commit", "--quiet", "--message", "Two");
  arm(place.root);
  await place.headgate.events.append({ kind: "test.begun" });
  await install(place.root);
  const ask = (session: string, event: HookCall["event"], command = "python3 build.py") =>
    place.ask(
      place.call({ kind: "shell", command, shell: "posix", name: "Bash" }, { event, session }),
      hookParts,
    );
  /** On a busy machine one hook's time may not be enough; then a later one says the result. */
  const hear = async (session: string): Promise<string> => {
    let text = "";
    for (let count = 0; !text.includes("without git's hooks") && count < 50; count += 1) {
      const answer = await ask(session, "after-tool");
      text = answer.kind === "tell" ? answer.text : "";
    }
    return text;
  };
  return { ...place, askCall: place.ask, ask, hear };
};

/** In its own command, so that the lines are the session's. */
const writeAs = async (
  place: Awaited<ReturnType<typeof clientPlace>>,
  actor: string,
  path: string,
) => {
  await place.ask(actor, "before-tool");
  write(place.root, path, "x\n");
  await place.ask(actor, "after-tool");
};

it("G13 the command's own hook tells the session, whose commit is refused; another session's and a person's pass with a note", async () => {
  const place = await clientPlace();
  const { root } = place;
  await writeAs(place, "s1", "b.txt");
  await writeAs(place, "s2", "other.txt");
  await place.ask("s1", "before-tool");
  const late = commitPast(root, "code.ts", duplicate);
  expect(await place.hear("s1")).toContain(
    `commit ${late.slice(0, 10)} was made without git's hooks; judged now, it has 1 problem: DUPLICATE_SYMBOL code.ts#one`,
  );
  expect(lateIn(root)).toMatchObject([{ commit: late, by: ["claude:s1"] }]);
  const own = commitAs("claude:s1", root, "b.txt");
  expect(own.stderr).toContain("Headgate refused this git commit: DUPLICATE_SYMBOL code.ts#one");
  const note = expect.stringContaining(`note: commit ${late.slice(0, 10)}`);
  expect(commitAs("claude:s2", root, "other.txt")).toMatchObject({ code: 0, stderr: note });
  expect(commitAs("user:ada", root, "c.txt")).toMatchObject({ code: 0, stderr: note });
});

it("G13 a branch that a command moved by plumbing counts against its session", async () => {
  const place = await clientPlace();
  const command = "git update-ref HEAD $(git commit-tree $TREE -p HEAD -m x)";
  await place.ask("s1", "before-tool", command);
  const late = commitTree(place.root, "code.ts", duplicate);
  await place.ask("s1", "after-tool", command);
  await place.hear("s1");
  expect(lateIn(place.root)).toMatchObject([{ commit: late, by: ["claude:s1"] }]);
});

it("G13 what nobody was seen to make counts against no session whose client has hooks", async () => {
  const place = await clientPlace();
  const late = commitPast(place.root, "code.ts", duplicate);
  await writeAs(place, "s1", "b.txt");
  await place.hear("s1");
  expect(lateIn(place.root)).toMatchObject([{ commit: late, by: [] }]);
  expect(commitAs("claude:s1", place.root, "b.txt")).toMatchObject({
    ...{ code: 0, stderr: expect.stringContaining(`note: commit ${late.slice(0, 10)}`) },
  });
});

it("G13 a server judges it in the background, also after a command that only reads, and the next hook tells", async () => {
  const place = await clientPlace();
  const late = commitPast(place.root, "code.ts", duplicate);
  const look = () =>
    place.askCall(
      place.call(
        { kind: "shell", command: "git status", shell: "posix", name: "Bash" },
        { event: "after-tool" },
      ),
      { isServing: true, readsOnly: async () => true },
    );
  expect(await look()).toEqual({ kind: "pass" });
  await expect
    .poll(look, { timeout: 300_000 })
    .toMatchObject({ kind: "tell", text: expect.stringContaining(late.slice(0, 10)) });
});

it("G13 merges, amends, rebases and cherry-picks with the hooks on are judged by these alone", async () => {
  const folder = await servedRepository();
  const run = (...args: string[]) => gitAs("ada", folder, args);
  run("switch", "--quiet", "--create", "side");
  expect(commitAs("ada", folder, "side.ts", "export const side = 1;\n").code).toBe(0);
  run("switch", "--quiet", "-");
  expect(commitAs("ada", folder, "main.ts", "export const main = 1;\n").code).toBe(0);
  expect(run("merge", "--quiet", "--no-edit", "side").code).toBe(0);
  expect(run("commit", "--quiet", "--amend", "--message", "Again").code).toBe(0);
  expect(run("cherry-pick", "--allow-empty", "--keep-redundant-commits", "side").code).toBe(0);
  expect(commitAs("ada", folder, "b.txt").code).toBe(0);
  expect(eventsOf(folder, "commit.unjudged").filter(({ data }) => data["code"])).toEqual([]);
  expect(lateIn(folder)).toEqual([]);
});

it("G13 a repository without our hooks in git is left alone", async () => {
  const place = await hookPlace();
  write(place.root, "a.txt", "x\n");
  git(place.root, "add", ".");
  git(place.root, "commit", "--quiet", "--message", "One");
  commitPast(place.root, "code.ts", duplicate);
  const call = place.call({ kind: "shell", command: "make", shell: "posix", name: "Bash" });
  const answer = await place.ask({ ...call, event: "after-tool" }, hookParts);
  expect(JSON.stringify(answer)).not.toContain("without git's hooks");
});
