/** Commits that meet trouble: each says so in one line with a code, and is as before or as after. */
import { chmodSync, cpSync, existsSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { mount } from "../../helpers/mount.ts";
import { describeWith } from "../../helpers/not-run.ts";
import { put, temporaryFolder } from "../../helpers/temporary-folder.ts";
import { type Done, gitAs, headgateAs, read } from "./hooked-repository.ts";
import { session, type SharedCheckout, sharedCheckout, status } from "./shared-checkout.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const mine = ten.replace("2\n", "two\n");
const all = mine.replace("5\n", "five\n");

const twoSessions = async (prepare?: (folder: string) => void): Promise<SharedCheckout> => {
  const place = await sharedCheckout({ "f.txt": ten }, prepare);
  await place.swap("s1", "f.txt", "2\n", "two\n");
  await place.swap("s2", "f.txt", "5\n", "five\n");
  // No server: each hook is a process of its own.
  expect(existsSync(join(stateFolder(place.folder), "socket-path"))).toBe(false);
  return place;
};

type Way = readonly [name: string, commit: (place: SharedCheckout) => Done];

const ours: Way = [
  "headgate commit",
  ({ folder }) => headgateAs(session("s1"), folder, "commit", "-m", "By s1"),
];
const plain: Way = [
  "git commit -a",
  (place) => place.git("s1", "commit", "--quiet", "-a", "-m", "By s1"),
];
const ways = [ours, plain];

const hook = ({ folder }: SharedCheckout, name: string, text: string): string => {
  // As `headgate init` finds it: it runs after ours.
  const path = join(folder, ".git/hooks/headgate-before", name);
  chmodSync(put(path, `#!/bin/sh\n${text}\n`), 0o755);
  return path;
};

const authorsIn = (json: string): string[] => {
  const { spans } = JSON.parse(json) as { spans: { actor: string; commit?: string }[] };
  return [...new Set(spans.filter((span) => !span.commit).map(({ actor }) => actor))].toSorted();
};

/** Everything as before the commit, or as after it; nothing in between. */
const expectWhole = async (place: SharedCheckout, label: string): Promise<"before" | "after"> => {
  const isAfter = place.head("f.txt") === mine;
  expect([ten, mine], label).toContain(place.head("f.txt"));
  expect(read(place.folder, "f.txt"), label).toBe(all);
  // A look at the lines finds what post-commit had no room to write down.
  const blamed = headgateAs(session("s2"), place.folder, "blame", "f.txt", "--json");
  expect(authorsIn(blamed.stdout), label).toEqual(
    isAfter ? ["claude:s2"] : ["claude:s1", "claude:s2"],
  );
  return isAfter ? "after" : "before";
};

/** The trouble is over: both commit, and nothing is lost. */
const expectGoesOn = async (place: SharedCheckout, [, commit]: Way, label = ""): Promise<void> => {
  if (place.head("f.txt") === ten) {
    const again = commit(place);
    expect(again.code, `${label} ${again.stderr}`).toBe(0);
  }
  expect(place.head("f.txt"), label).toBe(mine);
  expect(place.commitAll("s2").code, label).toBe(0);
  expect(place.head("f.txt"), label).toBe(all);
  expect(status(place), label).toBe("");
};

describe("N-02 N-03 a commit in trouble, without a server", () => {
  it("nothing of mine: exit 4 with COMMIT_NOTHING from headgate commit, refused from git", async () => {
    const place = await twoSessions();
    const done = headgateAs(session("s3"), place.folder, "commit", "-m", "By s3");
    expect(done.code).toBe(4);
    expect(done.stderr.split("\n")[0]).toBe("headgate: nothing was committed [COMMIT_NOTHING]");
    const json = headgateAs(session("s3"), place.folder, "commit", "-m", "By s3", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, code: "COMMIT_NOTHING" });
    const byGit = place.commitAll("s3");
    expect(byGit.code).toBe(1);
    expect(byGit.stderr).toContain("COMMIT_NOTHING");
    git(place.folder, "reset", "--quiet");
    expect(await expectWhole(place, "")).toBe("before");
  });

  it("headgate commit: a hook of the user's that kills itself or git stops it, with a code, and it goes on after all of them", async () => {
    const place = await twoSessions();
    for (const [name, text, reason] of [
      ["pre-commit", "kill -9 $$", /^headgate: nothing was committed \[COMMIT_REFUSED\]\n/],
      ["commit-msg", "kill -9 $$", /^headgate: nothing was committed \[COMMIT_REFUSED\]\n/],
      [
        "pre-commit",
        'kill -9 "$(ps -o ppid= -p "$PPID" | tr -d " ")"',
        /^headgate: [^]*\[COMMIT_REFUSED\][^]*died of signal 9/,
      ],
    ] as const) {
      const path = hook(place, name, text);
      // Ours has no hook of this name, so nothing runs what lies behind it.
      const own = join(place.folder, ".git/hooks/commit-msg");
      if (name === "commit-msg") cpSync(path, own);
      const done = ours[1](place);
      expect([done.code, done.stderr], text).toEqual([1, expect.stringMatching(reason)]);
      expect(await expectWhole(place, `${name} ${text}`)).toBe("before");
      rmSync(path);
      rmSync(own, { force: true });
    }
    await expectGoesOn(place, ours);
  });

  it("git commit: a hook that kills itself and an index that another git has locked stop it as git does, and nothing is lost", async () => {
    const place = await twoSessions();
    const path = hook(place, "pre-commit", "kill -9 $$");
    expect(plain[1](place).code).toBe(1);
    expect(await expectWhole(place, "hook")).toBe("before");
    rmSync(path);
    const lock = put(join(place.folder, ".git/index.lock"), "");
    const done = plain[1](place);
    expect([done.code, done.stderr]).toEqual([128, expect.stringContaining("index.lock")]);
    expect(await expectWhole(place, "lock")).toBe("before");
    rmSync(lock);
    await expectGoesOn(place, plain);
  });

  it.each(ways.map((way) => [way[0], way] as const))(
    "%s: a post-commit hook of the user's that kills itself changes nothing any more",
    async (_name, way) => {
      const place = await twoSessions();
      hook(place, "post-commit", "kill -9 $$");
      expect(way[1](place).code).toBe(0);
      expect(await expectWhole(place, "")).toBe("after");
      await expectGoesOn(place, way);
    },
  );

  it("an index that another git has locked: headgate commit leaves it alone, and the next commit mends it", async () => {
    const place = await twoSessions();
    const lock = put(join(place.folder, ".git/index.lock"), "another's");
    const done = ours[1](place);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain("another git has the index locked");
    expect(read(place.folder, ".git/index.lock")).toBe("another's");
    expect(status(place)).toBe("MM f.txt\n");
    rmSync(lock);
    // A person commits what is staged: the commit of s1 is not taken back.
    put(join(place.folder, "note.txt"), "note\n");
    git(place.folder, "add", "note.txt");
    const person = gitAs("user:ada", place.folder, ["commit", "--quiet", "-m", "Note"]);
    expect(person.code, person.stderr).toBe(0);
    expect(await expectWhole(place, "")).toBe("after");
    expect(status(place)).toBe(" M f.txt\n");
    await expectGoesOn(place, ours);
  });
});

describeWith(
  { platforms: ["linux"], root: true, programs: ["mount"] },
  "N-02 N-03 a full disk",
  () => {
    it.each(ways.map((way) => [way[0], way] as const))(
      "%s: with less and less room, it is as before or as after, says why, and goes on when there is room",
      async (_name, way) => {
        const place = await twoSessions((folder) => {
          const kept = join(temporaryFolder(), "kept");
          cpSync(folder, kept, { recursive: true });
          mount(folder, "-t", "tmpfs", "-o", "size=24m", "tmpfs");
          cpSync(kept, folder, { recursive: true });
        });
        const fill = join(place.folder, ".git/fill");
        const ends = new Set<string>();
        for (const pages of [0, 2, 6, 12, 16, 20, 24, 64]) {
          const { bavail, bsize } = statfsSync(place.folder);
          writeFileSync(fill, Buffer.alloc((bavail - pages) * bsize));
          const done = way[1](place);
          rmSync(fill);
          git(place.folder, "reset", "--quiet");
          const end = await expectWhole(place, `${pages} ${done.stderr}`);
          ends.add(end);
          if (end === "before") {
            expect(done.code, `${pages}`).not.toBe(0);
            expect(done.stderr, `${pages}`).toMatch(
              /No space left|Out of diskspace|couldn't write|\[[A-Z_]+\]/,
            );
          } else break;
        }
        expect(ends).toEqual(new Set(["before", "after"]));
        await expectGoesOn(place, way);
      },
    );
  },
);
