/** W7, D2, D3: names prove nothing. Real clients' process trees, the real program, real git. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { agentVariables } from "../../scripts/launcher.mjs";
import { harnessVariables } from "../../src/claims/actors/actor-harness.ts";
import { inAgentShell } from "../helpers/agent-shell.ts";
import { copyRepository, git, makeRepository } from "../helpers/git-repository.ts";
import { runInside } from "../helpers/inside.ts";
import { describeWith } from "../helpers/not-run.ts";
import { run } from "../helpers/program.ts";
import { openTerminal } from "../helpers/terminal.ts";
import { put, temporaryFolder } from "../helpers/temporary-folder.ts";

const armed = async (): Promise<string> => {
  const cwd = copyRepository(join(temporaryFolder(), "shop"), "shop", (template) => {
    makeRepository(template);
    put(join(template, "y.py"), "def total():\n    return 1\n");
    git(template, "add", ".");
    git(template, "commit", "--quiet", "--message", "y");
  });
  const ended = await run(["init", "--yes", "--client", "claude"], { cwd });
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  return cwd;
};

/** As it is in an agent's shell whose client has lost its name, and for scripts of people: no launcher helps. */
const unlaunched = { HEADGATE_LAUNCHER: "" };

const holder = async (cwd: string): Promise<string[]> => {
  const { stdout } = await runInside(["claims", "--json"], { cwd });
  return (JSON.parse(stdout) as { claims: { actor: string }[] }).claims.map(({ actor }) => actor);
};

const start = `"$(cut -d' ' -f22 /proc/$$/stat)"`;

describeWith({ platforms: ["linux"] }, "an agent that says it is another", () => {
  it("T-03 cannot release, renew, transfer or take what another session holds", async () => {
    const cwd = await armed();
    const s1 = (line: string) => inAgentShell(line, { cwd, session: "s1" });
    const s2 = (line: string) => inAgentShell(line, { cwd, session: "s2" });
    expect(await s1("headgate claim y.py --json")).toMatchObject({ code: 0 });
    const release = "headgate release y.py";
    const attempts = [
      release,
      `${release} --as claude:s1`,
      `${release} --as claude:s1/builder`,
      `${release} --as user:root`,
      `HEADGATE_ACTOR=claude:s1 ${release}`,
      `CLAUDE_CODE_SESSION_ID=s1 ${release}; exit $?`,
      `env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID headgate release y.py --as claude:s1; exit $?`,
      `env -i PATH="$PATH" HOME="$HOME" HEADGATE_ACTOR=claude:s1 headgate release y.py; exit $?`,
      `HEADGATE_LAUNCHER=$$:${start}:person ${release} --as claude:s1; exit $?`,
      `HEADGATE_LAUNCHER=$PPID:1:person ${release} --as claude:s1`,
      "headgate renew y.py --as claude:s1",
      "headgate transfer y.py --to claude:s2 --as claude:s1",
      "headgate transfer y.py --to claude:s2 --force",
    ];
    for (const line of attempts) {
      const { code, stdout, stderr } = await s2(line);
      expect([1, 4], `${line}: ${stdout}${stderr}`).toContain(code);
      expect(stdout + stderr, line).not.toMatch(/or act as|HEADGATE_(?:ACTOR|LAUNCHER)/);
      expect(await holder(cwd), line).toEqual(["claude:s1"]);
    }
    expect((await s2(release)).stderr).toContain("headgate ask");
  });

  it("T-03 brings no settings and no store of its own along", async () => {
    const cwd = await armed();
    const off =
      '{ "gate": { "policies": [{ "paths": ["**"], "rules": { "duplicates": "off" } }] } }';
    put(join(cwd, "../own/headgate/config.jsonc"), off);
    put(join(cwd, "../own/.config/headgate/config.jsonc"), off);
    const twice = "printf 'def total():\\n    return 2\\n' >> y.py && git add y.py";
    const own = `"$PWD/../own"`;
    for (const set of [`XDG_CONFIG_HOME=${own}`, `HOME=${own} XDG_CONFIG_HOME=`]) {
      const line = `${twice} && ${set} git commit -m twice; exit $?`;
      const { code, stderr } = await inAgentShell(line, { cwd, session: "s2" });
      expect({ code, stderr }, set).toMatchObject({
        ...{ code: 1, stderr: expect.stringContaining("DUPLICATE_SYMBOL") },
      });
    }
    expect(await run(["claim", "a.txt", "--as", "ada"], { cwd })).toMatchObject({ code: 0 });
    const stored = `HEADGATE_STORE="$PWD/../other.db" headgate claim a.txt; exit $?`;
    const other = await inAgentShell(stored, { cwd, session: "s2" });
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining("held by ada") });
    // What a person starts the client with counts, as before.
    const HEADGATE_STORE = join(cwd, "../persons.db");
    const persons = await inAgentShell("headgate claim a.txt", {
      ...{ cwd, session: "s2", env: { HEADGATE_STORE } },
    });
    expect(persons.stderr).toContain("persons.db");
  });

  it("T-03 every event says by which process, and a name that contradicts it is shown so", async () => {
    const cwd = await armed();
    expect(await inAgentShell("headgate claim y.py", { cwd, session: "s1" })).toMatchObject({
      code: 0,
    });
    const library = pathToFileURL(join(import.meta.dirname, "../../dist/index.js")).href;
    const script = `const { openHeadgate } = await import(${JSON.stringify(library)});
      const headgate = await openHeadgate({ actor: "claude:s1" });
      await headgate.claims.release({ all: true });
      await headgate.claims.claim({ targets: ["b.txt"] });
      await headgate.claims.release({ all: true });
      await headgate.claims.claim({ targets: ["a.txt"] });
      await headgate.close();`;
    put(join(cwd, "../forge.mjs"), script);
    const forged = await inAgentShell(`"${process.execPath}" ../forge.mjs; exit $?`, {
      ...{ cwd, session: "s2" },
    });
    expect(forged, forged.stderr).toMatchObject({ code: 0 });
    const listed = await run(["claims", "--json"], { cwd });
    // What the session itself holds was not given back by the name alone.
    expect(JSON.parse(listed.stdout)).toMatchObject({
      claims: [
        { actor: "claude:s1", target: "y.py", via: { session: "claude:s1" } },
        { actor: "claude:s1", target: "a.txt", via: { saidBy: "claude:s2" } },
      ],
    });
    const { stdout } = await run(["events", "--json", "--kind", "claim.*"], { cwd });
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { kind: string; via?: { session?: string } });
    const granted = events.find(({ kind }) => kind === "claim.granted");
    expect(granted?.via).toEqual({
      ...{ uid: process.getuid?.(), pid: expect.any(Number), start: expect.any(String) },
      ...{
        above: expect.arrayContaining([expect.stringMatching(/^claude:/)]),
        session: "claude:s1",
      },
    });
    const released = events.find(({ kind }) => kind === "claim.released");
    expect(released).toMatchObject({ actor: "claude:s1", via: { saidBy: "claude:s2" } });
    const shown = await run(["events"], { cwd });
    expect(shown.stdout).toContain("claude:s1, said by claude:s2");
  });

  it("T-03 a name that is only said holds nothing without the session or the secret", async () => {
    const cwd = await armed();
    // A script: no terminal, no agent, and a session of its own for each call.
    const env = { HEADGATE_LAUNCHER: `${process.env["HEADGATE_LAUNCHER"]}`.replace(":person", "") };
    const script = (line: string, more: Record<string, string> = {}) =>
      inAgentShell('exec setsid -w sh -c "$LINE"', {
        ...{ cwd, client: "runner", env: { ...env, LINE: line, ...more } },
      });
    expect(await inAgentShell("headgate claim y.py", { cwd, session: "s1" })).toMatchObject({
      code: 0,
    });
    const granted = await script(
      "headgate claim a.txt --as ada --json && headgate renew a.txt --as ada",
    );
    expect(granted, granted.stderr).toMatchObject({ code: 0 });
    const [answer = ""] = granted.stdout.split("\n");
    const { secret } = (JSON.parse(answer) as { claim: { secret: string } }).claim;
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    const attempts = [
      "headgate release a.txt --as ada",
      "headgate renew a.txt --as ada",
      "headgate transfer a.txt --to bob --as ada",
      "headgate release a.txt --keep a.txt --as ada",
      "headgate claim a.txt --as ada",
      "headgate release y.py --as claude:s1",
      "HEADGATE_ACTOR=claude:s1 headgate renew y.py",
    ];
    const before = await holder(cwd);
    for (const line of attempts) {
      const { code, stdout, stderr } = await script(line);
      expect(code, `${line}: ${stdout}${stderr}`).toBe(1);
      expect(await holder(cwd), line).toEqual(before);
    }
    const all = await script("headgate release --all --as ada --json");
    expect(JSON.parse(all.stdout)).toEqual({ ok: true, released: [] });
    const commit =
      "printf 'two\\n' > a.txt && git add a.txt && HEADGATE_ACTOR=ada git commit -qm two";
    const refused = await script(commit);
    expect(refused, refused.stdout).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("claimed by ada") },
    });
    // No list and no event says the secret.
    const shown = await run(["claims", "--json"], { cwd });
    const events = await run(["events", "--json"], { cwd });
    expect(shown.stdout + events.stdout).not.toContain(secret);
    // With the secret each of them is the holder's own word.
    const passed = { HEADGATE_CLAIM_SECRET: secret };
    for (const line of [
      "headgate renew a.txt --as ada",
      commit,
      "headgate release a.txt --as ada",
    ]) {
      const ended = await script(line, passed);
      expect(ended.code, `${line}: ${ended.stdout}${ended.stderr}`).toBe(0);
    }
    expect(await holder(cwd)).toEqual(["claude:s1"]);
  });

  it("T-03 nothing of that is in the way of a session's own work", async () => {
    const cwd = await armed();
    const lines = [
      "headgate claim y.py",
      "headgate renew y.py",
      "headgate claim a.txt --as claude:s1/builder",
      "headgate claims --mine",
      "headgate release y.py",
      "headgate release --all --as claude:s1/builder",
      "headgate status",
      "headgate inbox",
      "printf 'two\\n' >> a.txt && git add a.txt && git commit --quiet -m two",
      "headgate uninstall --dry-run",
      "headgate routing autonomy",
    ];
    for (const line of lines) {
      const { code, stdout, stderr } = await inAgentShell(line, { cwd, session: "s1" });
      expect(code, `${line}: ${stdout}${stderr}`).toBe(0);
    }
    // Without a session in its variables the client itself is the session, and no editor is one.
    const named = await inAgentShell("headgate claim y.py --json", { cwd, client: "codex" });
    expect(JSON.parse(named.stdout)).toMatchObject({
      claim: { actor: expect.stringMatching(/^codex:p\d+-\d+$/) },
    });
    const editor = await inAgentShell("headgate claim a.txt --as bob", { cwd, client: "code" });
    expect(editor, editor.stderr).toMatchObject({ code: 0 });
  });
});

describeWith({ platforms: ["linux"] }, "what only a person may do", () => {
  const twice = "printf 'def total():\\n    return 2\\n' >> y.py && git add y.py";

  it("T-04 is refused to an agent with the line to type, and status shows it", async () => {
    const cwd = await armed();
    const ask = (line: string) => inAgentShell(line, { cwd, session: "s2" });
    const attempts = [
      "headgate uninstall --yes",
      "headgate routing autonomy on",
      "headgate edit create z.py --code 'def a(:' --allow SYNTAX_ERROR --reason 'I want' --yes",
      "env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID headgate routing autonomy on; exit $?",
      // A terminal of its own is not a person's.
      `python3 -c 'import pty,os,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["headgate","uninstall","--yes"])))'`,
      // Nor is one whose ancestors have gone, as of a screen or tmux that an agent started.
      `python3 -c 'import pty,os,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(["setsid","-w","headgate","uninstall","--yes"])))'`,
    ];
    for (const line of attempts) {
      const { code, stdout, stderr } = await ask(line);
      expect(code, `${line}: ${stdout}${stderr}`).toBe(1);
      expect(stdout + stderr, line).toContain("PERSON_NEEDED");
    }
    const commit = await ask(`${twice} && HEADGATE_BYPASS='I want' git commit -m twice; exit $?`);
    expect(commit.code, commit.stderr).toBe(1);
    expect(commit.stderr).toContain("PERSON_NEEDED");
    expect(commit.stderr).toContain("HEADGATE_BYPASS='I want' git commit -m twice");
    const plain = await ask("git commit -m twice; exit $?");
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining("DUPLICATE_SYMBOL") });
    expect(plain.stderr).not.toContain("BYPASS");
    const { stdout } = await run(["status", "--json"], { cwd });
    const { personNeeded } = JSON.parse(stdout) as { personNeeded: { what: string }[] };
    expect(personNeeded.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["uninstall", "routing autonomy on", "--allow", "HEADGATE_BYPASS"]),
    );
  });

  it("T-04 settings that give the client's tools HEADGATE_BYPASS let nothing pass (D2)", async () => {
    const cwd = await armed();
    const payload = JSON.stringify({
      ...{ session_id: "s2", hook_event_name: "PreToolUse", cwd, tool_name: "Write" },
      tool_input: { file_path: join(cwd, "z.py"), content: "def a(:\n" },
    });
    put(join(cwd, "..", "payload"), payload);
    const line = "HEADGATE_BYPASS=x .headgate/hook claude < ../payload; exit $?";
    const set = await inAgentShell(line, { cwd, session: "s2" });
    expect(set, set.stderr).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("SYNTAX_ERROR"),
    });
  });

  it("T-04 is done by a person at a terminal, and in CI with a secret for one use", async () => {
    const cwd = await armed();
    const alone = await run(["routing", "autonomy", "on"], { cwd, env: unlaunched });
    expect(alone, alone.stderr).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("PERSON_NEEDED"),
    });
    const launcher = (process.env["HEADGATE_LAUNCHER"] ?? "").replace(":person", "");
    const env = { HEADGATE_LAUNCHER: launcher };
    const at = openTerminal(["routing", "autonomy", "on"], { cwd, env });
    expect(await at.ended, at.screen()).toBe(0);
    const HEADGATE_PERSON_SECRET = "0123456789abcdef0123456789abcdef";
    const given = { ...env, HEADGATE_PERSON_SECRET };
    // Where something is guarded already, only a person registers one.
    expect(await run(["init", "--yes"], { cwd, env: given })).toMatchObject({ code: 0 });
    const early = await run(["routing", "autonomy", "on"], { cwd, env: given });
    expect(early).toMatchObject({ code: 1 });
    const registered = openTerminal(["init", "--yes"], { cwd, env: given });
    expect(await registered.ended, registered.screen()).toBe(0);
    const inAgent = await inAgentShell("headgate routing autonomy on", {
      ...{ cwd, session: "s2", env: { HEADGATE_PERSON_SECRET } },
    });
    expect(inAgent).toMatchObject({ code: 1 });
    // One git command runs several hooks; it is one use.
    put(join(cwd, "y.py"), "def total():\n    return 1\ndef total():\n    return 2\n");
    git(cwd, "add", "y.py");
    const script = "HEADGATE_BYPASS=why git commit --quiet -m twice";
    const names = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A" };
    const commit = await inAgentShell(script, {
      ...{ cwd, client: "step", env: { ...given, ...names, GIT_COMMITTER_EMAIL: "a@b" } },
    });
    expect(commit, commit.stderr).toMatchObject({ code: 0 });
    const again = await run(["routing", "autonomy", "on"], { cwd, env: given });
    expect(again).toMatchObject({ code: 1 });
  });
});

describe("the launcher of the tests", () => {
  it("T-03 takes away what the clients' variables are", () => {
    expect([...agentVariables].toSorted()).toEqual([...harnessVariables].toSorted());
  });
});
