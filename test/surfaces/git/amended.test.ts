/** `git commit --amend` of another session's commit keeps that session's work and name. */
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { eventsOf, headgateAs, read } from "./hooked-repository.ts";
import { session, type SharedCheckout, sharedCheckout, status } from "./shared-checkout.ts";

const ten = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";
const mine = ten.replace("2\n", "two\n");
const both = mine.replace("8\n", "eight\n");

/** s1 has committed and is still at work; s2 has a line of its own, s3 as well. */
const afterCommit = async (): Promise<SharedCheckout> => {
  const place = await sharedCheckout({ "f.txt": ten, "g.txt": ten });
  await place.swap("s1", "f.txt", "2\n", "two\n");
  expect(place.commitAll("s1").code).toBe(0);
  expect(headgateAs(session("s1"), place.folder, "claim", "name:s1").code).toBe(0);
  await place.swap("s2", "f.txt", "8\n", "eight\n");
  await place.swap("s3", "f.txt", "5\n", "five\n");
  return place;
};

const actorsIn = ({ folder }: SharedCheckout): string[] =>
  git(folder, "log", "-1", "--format=%(trailers:key=Headgate-Actor,valueonly)")
    .split("\n")
    .filter((line) => line !== "")
    .toSorted();

const amends = ["commit", "--quiet", "-a", "--amend"] as const;

describe("N-01 N-02 N-04 amending another session's commit", () => {
  it("takes the own lines only, names both, tells the other, and the log knows the new commit as theirs too", async () => {
    const place = await afterCommit();
    const old = git(place.folder, "rev-parse", "HEAD");
    expect(place.git("s2", ...amends, "--no-edit").stderr).not.toContain("refused");
    const now = git(place.folder, "rev-parse", "HEAD");
    expect(now).not.toBe(old);
    expect(git(place.folder, "rev-parse", "HEAD^")).toBe(git(place.folder, "rev-parse", `${old}^`));
    expect(place.head("f.txt")).toBe(both);
    expect(read(place.folder, "f.txt")).toBe(both.replace("5\n", "five\n"));
    expect(await place.authors("f.txt")).toEqual([session("s3")]);
    expect(actorsIn(place)).toEqual([session("s1"), session("s2")]);
    expect(await place.notices("s1")).toEqual([
      `claude:s2 amended commit ${old.slice(0, 10)} with your work; it is ${now.slice(0, 10)} now`,
    ]);
    expect(eventsOf(place.folder, "commit.made").at(-1)).toMatchObject({
      ...{ actor: session("s2"), subject: now },
      data: { amends: old, others: [session("s1")] },
    });
    // The fence protects the work of both in it.
    const drop = ["reset", "--quiet", "--soft", "HEAD~1"] as const;
    expect(place.git("s3", ...drop).stderr).toContain(session("s1"));
    expect(git(place.folder, "rev-parse", "HEAD")).toBe(now);
    // The next amendment, by its first author, names both again.
    await place.swap("s1", "f.txt", "10\n", "ten\n");
    expect(place.git("s1", ...amends, "-m", "Other words").code).toBe(0);
    expect(actorsIn(place)).toEqual([session("s1"), session("s2")]);
    expect(place.head("f.txt")).toBe(both.replace("10\n", "ten\n"));
    expect(place.commitAll("s3").code).toBe(0);
    expect(status(place)).toBe("");
  });

  it("with other words only, and of a commit that names its author", async () => {
    const place = await afterCommit();
    await place.swap("s1", "g.txt", "2\n", "two\n");
    expect(headgateAs(session("s1"), place.folder, "commit", "-m", "Two").code).toBe(0);
    expect(place.git("s2", "commit", "--quiet", "--amend", "-m", "Other words").code).toBe(0);
    expect(git(place.folder, "log", "-1", "--format=%s")).toBe("Other words");
    expect(actorsIn(place)).toEqual([session("s1"), session("s2")]);
    expect(await place.notices("s1")).toEqual([
      expect.stringMatching(/^claude:s2 amended commit \w{10} with your work/),
    ]);
    expect(await place.authors("f.txt")).toEqual([session("s2"), session("s3")]);
    expect(status(place)).toBe(" M f.txt\n");
  });

  it.each([
    ["takes a line of it back", (text: string) => text.replace("two\n", "2\n")],
    ["changes a line of it", (text: string) => text.replace("two\n", "too\n")],
  ])("C-17 is refused while its author is at work where it %s", async (_what, change) => {
    const place = await afterCommit();
    const old = git(place.folder, "rev-parse", "HEAD");
    await place.edit("s2", "f.txt", change(read(place.folder, "f.txt")));
    const done = place.git("s2", ...amends, "--no-edit");
    expect([done.code, done.stderr]).toEqual([128, expect.stringContaining("FENCE_STALE f.txt")]);
    expect(git(place.folder, "rev-parse", "HEAD")).toBe(old);
    expect(await place.notices("s1")).toEqual([]);
  });

  it("the own commit, and a message that only speaks of it, name nobody else", async () => {
    const place = await afterCommit();
    expect(place.git("s2", "commit", "--quiet", "-a", "-m", "--amend").code).toBe(0);
    expect(actorsIn(place)).toEqual([]);
    expect(place.git("s2", "commit", "--quiet", "--amend", "-m", "By s2").code).toBe(0);
    expect(actorsIn(place)).toEqual([]);
    expect(await place.notices("s1")).toEqual([]);
  });
});
