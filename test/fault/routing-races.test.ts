import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepository } from "../helpers/git-repository.ts";
import { countRounds } from "../helpers/rounds.ts";
import { backends, openScope } from "../helpers/store-backends.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { approvedProposal, committed, routingIn } from "../routing/scene.ts";
import { startRoutingWorker } from "./routing-workers.ts";

const key = "github.com/acme/app";
const processes = 8;

describe.each(backends)("R-01 many processes with $name", ({ name, place: newPlace }) => {
  it(
    "R-01 8 processes apply again and again: none is lost, none doubled",
    async () => {
      const each = countRounds(`applies by each of ${processes} processes on ${name}`, 50, 3);
      const count = processes * each;
      const there = await newPlace();
      const root = makeRepository(join(temporaryFolder(), "app"));
      const scene = { root, ...(await openScope(there)) };
      const roster = Array.from({ length: count }, (_, index) => `r${index}`);
      const routing = await routingIn(scene, { roster: async () => roster });
      const ids: string[] = [];
      for (const one of roster) ids.push(await approvedProposal(routing, one, { action: "stage" }));
      const workers = await Promise.all(
        Array.from({ length: processes }, () =>
          startRoutingWorker({ address: there.address, localDir: there.localDir, key }),
        ),
      );
      const commits = await Promise.all(
        workers.map((worker, which) =>
          worker.ask<string[]>({
            do: "many",
            root,
            actor: `claude:${which}`,
            ids: ids.filter((_, index) => index % processes === which),
            roster,
          }),
        ),
      );
      const made = commits.flatMap((one) => one ?? []);
      expect(new Set(made).size).toBe(count);
      expect(git(root, "rev-list", "--count", "HEAD")).toBe(`${count + 1}`);
      expect(
        committed(root)
          ?.overrides.map(({ agent }) => agent)
          .toSorted(),
      ).toEqual(roster.toSorted());
      expect(
        await there.sql("SELECT COUNT(*) AS n FROM modifications WHERE state = 'current'"),
      ).toMatchObject([{ n: expect.anything() }]);
      const status = await routing.status();
      expect(status.overrides.map(({ commit }) => commit).toSorted()).toEqual(made.toSorted());
      expect(status.canaries).toHaveLength(count);
      expect(status.unfinished).toBe(0);
      expect(git(root, "status", "--porcelain")).toBe("");
      expect(await routing.verify()).toMatchObject({ ok: true, commits: count });
    },
    60 * 60_000,
  );
});

describe("R-09 waiting for the lock", () => {
  it("R-09 document 001, improvement 3 Add retry logic for flock timeout: bounded, with a message naming the holder; a killed holder frees it at once", async () => {
    const there = await backends[0]!.place();
    const root = makeRepository(join(temporaryFolder(), "app"));
    const scene = { root, ...(await openScope(there)) };
    const routing = await routingIn(scene, { settings: { lockWaitMs: 300 } });
    const held = await approvedProposal(routing, "fd-noisy");
    const mine = await approvedProposal(routing, "fd-quiet");
    const worker = await startRoutingWorker({
      address: there.address,
      localDir: there.localDir,
      key,
    });
    expect(await worker.ask({ do: "hold", root, what: held, actor: "claude:slow" })).toBe("held");
    await expect(routing.apply(mine)).rejects.toMatchObject({
      code: "ROUTING_BUSY",
      message: expect.stringMatching(
        new RegExp(`changed by claude:slow \\(process ${worker.pid}, since 2.*\\); waited 300 ms`),
      ),
    });
    // Looking is not kept waiting.
    expect((await routing.status()).unfinished).toBe(0);
    await worker.kill();
    expect(await routing.apply(mine)).toMatchObject({ done: true });
    expect(await routing.apply(held)).toMatchObject({ done: true });
  });
});
