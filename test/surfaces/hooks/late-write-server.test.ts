import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../helpers/git-repository.ts";
import { type HookedPlace, hookedPlace } from "../../helpers/hooked-agents.ts";
import type { TestServer } from "../../helpers/program.ts";

const base = "one\ntwo\nthree\nfour\n";
const slowText = "one\nTWO of slow\nthree\nfour\n";
const quickText = "one\nTWO of quick\nthree\nfour\n";

/** What happens to the server around the write of an agent that is slow. */
interface Course {
  readonly name: string;
  /** A server is there from the beginning. */
  readonly isServed?: boolean;
  readonly afterGrant?: (place: HookedPlace, server?: TestServer) => Promise<unknown>;
  readonly beforeWrite?: Course["afterGrant"];
  readonly afterWrite?: Course["afterGrant"];
}

const killed: Course["afterGrant"] = (place, server) => place.killed(server!);
const restarted: Course["afterGrant"] = async (place, server) => {
  await place.killed(server!);
  await place.up();
};
const stopped = async (_: HookedPlace, server?: TestServer) => server!.child.kill("SIGSTOP");
const goesOn = async (_: HookedPlace, server?: TestServer) => server!.child.kill("SIGCONT");

const courses: readonly Course[] = [
  { name: "with a server" },
  { name: "without a server", isServed: false },
  { name: "the server killed between grant and write", afterGrant: killed },
  { name: "the server killed after the write", afterWrite: killed },
  {
    name: "a restart between grant and write",
    afterGrant: restarted,
  },
  { name: "a restart between the write and its hook", afterWrite: restarted },
  {
    name: "a server that comes only after the grant",
    isServed: false,
    afterGrant: (place) => place.up(),
  },
  { name: "the server paused around the write", beforeWrite: stopped, afterWrite: goesOn },
];

describe("a late write", () => {
  it.each(courses)(
    "N-07 is found, told to both and kept: $name",
    async ({ isServed = true, afterGrant, beforeWrite, afterWrite }) => {
      const place = await hookedPlace(base);
      const [slow, quick] = [place.agent("slow"), place.agent("quick")];
      const server = isServed ? await place.up() : undefined;
      await slow.reads();
      await quick.reads();
      expect(await slow.asks("1", slowText)).toMatchObject({ code: 0 });
      await afterGrant?.(place, server);
      // The client is suspended. When the session counts as idle, another gets on.
      const attempt = async () => (await quick.asks("1", quickText)).code;
      await expect.poll(attempt, { timeout: 60_000 }).toBe(0);
      quick.writes(quickText);
      await quick.tells("1", quickText);
      await beforeWrite?.(place, server);
      slow.writes(slowText);
      await afterWrite?.(place, server);

      const told = await slow.tells("1", slowText);
      expect(told).toMatch(/late-write .*your write came late: claude:quick had written here/);
      const [patch = "", id = ""] = /\.git\/headgate\/late\/(ed_\w+)\.patch/.exec(told) ?? [];
      expect(readFileSync(join(place.root, patch), "utf8")).toMatch(
        /^-TWO of quick\n\+TWO of slow$/m,
      );
      expect(await quick.reads()).toContain(`headgate undo ${id} --yes brings them back`);
      const { events } = await place.headgate.events.page({ kind: "write.late", limit: 100 });
      expect(events).toMatchObject([
        { actor: "claude:slow", data: { path: "notes.txt", over: "claude:quick", lines: 1 } },
      ]);
      expect(await quick.headgate("undo", id, "--yes")).toMatchObject({ code: 0 });
      expect(readFileSync(place.file, "utf8")).toBe(quickText);
      git(place.root, "apply", patch);
      expect(readFileSync(place.file, "utf8")).toBe(slowText);
    },
  );

  it.each([
    ["without a server", async () => {}],
    ["with a server", (place: HookedPlace) => place.up()],
  ])("N-07 took lines away that another has committed since: %s", async (_, prepare) => {
    const place = await hookedPlace(base);
    await prepare(place);
    const [slow, quick] = [place.agent("slow"), place.agent("quick")];
    await slow.reads();
    await quick.reads();
    expect(await slow.asks("1", slowText)).toMatchObject({ code: 0 });
    const attempt = async () => (await quick.asks("1", quickText)).code;
    await expect.poll(attempt, { timeout: 60_000 }).toBe(0);
    quick.writes(quickText);
    await quick.tells("1", quickText);
    expect(await quick.headgate("commit", "-m", "Two of quick")).toMatchObject({ code: 0 });
    slow.writes(slowText);
    const told = await slow.tells("1", slowText);
    expect(told).toMatch(
      /late-write .*it took a line away that claude:quick has committed since it was allowed/,
    );
    const [, patch = "", id = ""] = /kept as (\S+(ed_\w+)\.patch)/.exec(told) ?? [];
    expect(await quick.reads()).toContain(
      `claude:slow took a line away that you committed, with a late write; headgate undo ${id} --yes takes it back`,
    );
    const { events } = await place.headgate.events.page({ kind: "write.late", limit: 100 });
    expect(events).toMatchObject([
      { actor: "claude:slow", data: { path: "notes.txt", over: "claude:quick", lines: 1 } },
    ]);
    expect(await quick.headgate("undo", id, "--yes")).toMatchObject({ code: 0 });
    expect(readFileSync(place.file, "utf8")).toBe(quickText);
    git(place.root, "apply", patch);
    expect(readFileSync(place.file, "utf8")).toBe(slowText);
  });
});
