import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { type HookPlace, hookPlace } from "../../helpers/hook-place.ts";
import { run } from "../../helpers/program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { keepLatePatch } from "../../../src/edit/index.ts";
import type { HookDecision } from "../../../src/surfaces/hooks/types.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const textIn = (decision: HookDecision): string => ("text" in decision ? decision.text : "");
const base = "one\ntwo\nthree\nfour\n";

/** A session that writes the whole file, in the steps of its client. */
const writer = (place: HookPlace, session: string) => {
  const file = join(place.root, "notes.txt");
  const tool = (content: string) => ({ kind: "write", name: "Write", file, content }) as const;
  const more = (use: string) => ({ session, toolUseId: `${session}-${use}` });
  const read = { kind: "read", name: "Read", file } as const;
  return {
    file,
    reads: () => place.after(read, { session }),
    asks: (use: string, content: string) => place.before(tool(content), more(use)),
    writes: (content: string) => writeFileSync(file, content),
    tells: (use: string, content: string) => place.after(tool(content), more(use)),
    ends: () => place.ask(place.call(read, { session, event: "session-end" })),
  };
};

const scene = async () => {
  const place = await hookPlace();
  place.file("notes.txt", base);
  git(place.root, "add", "--all");
  git(place.root, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "first");
  const [slow, quick] = [writer(place, "slow"), writer(place, "quick")];
  await slow.reads();
  await quick.reads();
  const inbox = async (session: string) =>
    (await place.headgate.as(`claude:${session}`).inbox.list({ isAll: true })).notices;
  return { place, slow, quick, inbox };
};

const slowText = "one\nTWO of slow\nthree\nfour\n";
const quickText = "one\nTWO of quick\nthree\nfour\n";

describe("a write that comes late", () => {
  it("N-07 went over lines written since it was allowed: both hear of it, both versions stay", async () => {
    const { place, slow, quick, inbox } = await scene();
    expect((await slow.asks("1", slowText)).kind).toBe("pass");
    // Its client is stopped before it writes; another session gets on.
    await slow.ends();
    expect((await quick.asks("1", quickText)).kind).not.toBe("refuse");
    quick.writes(quickText);
    await quick.tells("1", quickText);
    slow.writes(slowText);
    const answer = textIn(await slow.tells("1", slowText));
    expect(answer).toMatch(/late-write .*your write came late: claude:quick had written here/);
    const patch = /\.git\/headgate\/late\/(ed_\w+)\.patch/.exec(answer);
    expect(readFileSync(join(place.root, patch?.[0] ?? ""), "utf8")).toMatch(
      /^-TWO of quick\n\+TWO of slow$/m,
    );
    const [heard] = (await inbox("quick")).filter(({ kind }) => kind === "late-write");
    expect(heard).toMatchObject({ from: "headgate", target: "notes.txt" });
    expect(heard?.text).toContain(`headgate undo ${patch?.[1]} --yes brings them back`);
    expect(await place.events("write.late")).toMatchObject([
      { actor: "claude:slow", data: { path: "notes.txt", over: "claude:quick", lines: 1 } },
    ]);

    // An agent gets its own lines back, whoever is at work.
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "quick" };
    const undo = ["undo", patch?.[1] ?? "", "--yes"];
    const back = await run(undo, { cwd: place.root, env });
    expect(back).toMatchObject({ code: 0 });
    expect(readFileSync(slow.file, "utf8")).toBe(quickText);
    git(place.root, "apply", patch?.[0] ?? "");
    expect(readFileSync(slow.file, "utf8")).toBe(slowText);
  });

  it("N-07 is told by whatever sees it first, where its own hook never came back", async () => {
    const { place, slow, quick, inbox } = await scene();
    await slow.asks("1", slowText);
    await slow.ends();
    await quick.asks("1", quickText);
    quick.writes(quickText);
    await quick.tells("1", quickText);
    slow.writes(slowText);
    const committed = git(place.root, "show", "HEAD:notes.txt");
    await place.headgate.lines.refresh(new Map([["notes.txt", Buffer.from(`${committed}\n`)]]));
    for (const session of ["slow", "quick"]) {
      const kinds = (await inbox(session)).map(({ kind }) => kind);
      expect(kinds).toContain("late-write");
    }
    expect(await place.events("write.late")).toHaveLength(1);
  });

  it("N-07 keeps its patch where a linked worktree finds it", () => {
    const [worktree, home] = [temporaryFolder(), temporaryFolder()];
    const write = { path: "a.txt", before: Buffer.from("1\n"), after: Buffer.from("2\n") };
    for (const localDir of [stateFolder(worktree), stateFolder(home)]) {
      const patch = keepLatePatch({ worktree, localDir }, "ed_1", write);
      expect(readFileSync(resolve(worktree, patch), "utf8")).toContain("+2");
    }
  });

  it("N-07 is one that came after another had claimed the file", async () => {
    const { place, slow, inbox } = await scene();
    expect((await slow.asks("1", slowText)).kind).toBe("pass");
    const started = performance.now();
    const own = place.headgate.as("claude:slow").claims;
    await own.release({ all: true });
    const holder = place.headgate.as("claude:quick").claims;
    const claim = { targets: ["notes.txt"], mode: "exclusive", reason: "a hotfix" } as const;
    const granted = await holder.claim(claim);
    const secret = granted.ok ? (granted.claims[0]?.secret ?? "") : "";
    slow.writes(slowText);
    // A claim does not end within a second of its grant.
    await expect.poll(() => performance.now() - started).toBeGreaterThan(1_100);
    const answer = textIn(await slow.tells("1", slowText));
    expect(answer).toMatch(/your write came late: claude:quick holds notes\.txt since/);
    const heard = (await inbox("quick")).find(({ kind }) => kind === "late-write");
    expect(heard?.text).toMatch(/^claude:slow wrote what you hold, .*headgate undo (ed_\w+) --yes/);
    const id = /ed_\w+/.exec(heard?.text ?? "")?.[0] ?? "";
    const env = {
      ...{ CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "quick", HEADGATE_CLAIM_SECRET: secret },
    };
    expect(await run(["undo", id, "--yes"], { cwd: place.root, env })).toMatchObject({ code: 0 });
    expect(readFileSync(slow.file, "utf8")).toBe(base);
  });

  it("N-07 is nothing that went over lines it was allowed to", async () => {
    const { place, slow, quick, inbox } = await scene();
    await quick.asks("1", quickText);
    quick.writes(quickText);
    await quick.tells("1", quickText);
    await quick.ends();
    await slow.reads();
    expect((await slow.asks("1", slowText)).kind).not.toBe("refuse");
    slow.writes(slowText);
    expect(textIn(await slow.tells("1", slowText))).not.toContain("late");
    expect((await inbox("quick")).map(({ kind }) => kind)).toEqual(["claim"]);
    expect(await place.events("write.late")).toEqual([]);
    expect(readdirSync(stateFolder(place.root))).not.toContain("late");
  });

  it("N-07 cannot be taken back by an agent that it does not concern", async () => {
    const { place, slow } = await scene();
    await slow.asks("1", slowText);
    slow.writes(slowText);
    await slow.tells("1", slowText);
    const [edit] = (await place.headgate.lines.record("notes.txt"))?.weave.edits ?? [];
    const env = { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "third" };
    const refused = await run(["undo", edit?.id ?? "", "--yes"], { cwd: place.root, env });
    expect(refused.code).toBe(1);
    expect(refused.stderr + refused.stdout).toContain("LINES_HELD");
    expect(readFileSync(slow.file, "utf8")).toBe(slowText);
    const none = await run(["undo", "ed_0000000000000000", "--yes"], { cwd: place.root, env });
    expect(none).toMatchObject({ code: 4 });
  });
});
