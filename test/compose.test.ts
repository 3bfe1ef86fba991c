import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorCodes, HeadgateError, openHeadgate, writeFileAtomic } from "../src/index.ts";
import { temporaryFolder } from "./helpers/temporary-folder.ts";

const codeOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (HeadgateError.isInstance(error)) return error.code;
    throw error;
  }
  return "none";
};

describe("the library", () => {
  it("exports exactly these names", async () => {
    expect(Object.keys(await import("../src/index.ts")).toSorted()).toEqual([
      "HeadgateError",
      "detectProfile",
      "errorCodes",
      "judge",
      "openHeadgate",
      "outline",
      "synthesize",
      "targetsOverlap",
      "writeFileAtomic",
    ]);
    expect(errorCodes.USAGE.kind).toBe("usage");
    const path = join(temporaryFolder(), "made.txt");
    expect(await writeFileAtomic(path, "hello\n")).toMatchObject({ path, bytes: 6 });
  });

  it("reads targets from its folder in the repository, wherever the program stands", async () => {
    const repo = temporaryFolder();
    await using headgate = await openHeadgate({ repo, actor: "agent-1" });
    const granted = await headgate.claims.claim({ targets: ["src/a.ts"] });
    expect(granted).toMatchObject({ ok: true, claims: [{ target: "src/a.ts" }] });
  });

  it("creates nothing while it only reads, also when opened for writing", async () => {
    const repo = temporaryFolder();
    await using headgate = await openHeadgate({ repo });
    expect(await headgate.events.page()).toEqual({ events: [], cursor: 0, head: 0 });
    expect(await headgate.events.verify()).toMatchObject({ ok: true, events: 0 });
    expect(await headgate.events.prune({ keepDays: 1 })).toEqual({ count: 0, oldest: 0 });
    expect(await headgate.storeIfAny()).toBeUndefined();
    expect(readdirSync(repo)).toEqual([]);
  });

  it("sees what another handle stored after it looked the first time", async () => {
    const repo = temporaryFolder();
    await using reader = await openHeadgate({ repo, readOnly: true });
    expect((await reader.events.page()).head).toBe(0);
    await using writer = await openHeadgate({ repo, actor: "agent-1" });
    await writer.events.append({ kind: "thing.made" });
    expect((await reader.events.page()).events.at(-1)).toMatchObject({
      kind: "thing.made",
      actor: "agent-1",
    });
    expect((await writer.events.page()).head).toBe(2);
    expect((await writer.scope()).key).toBe(`path:${repo}`);
  });

  it("changes nothing when opened for reading", async () => {
    const repo = temporaryFolder();
    await using headgate = await openHeadgate({ repo, readOnly: true });
    expect(await codeOf(() => headgate.events.append({ kind: "thing.made" }))).toBe(
      "STORE_READ_ONLY",
    );
    expect(existsSync(join(repo, ".headgate"))).toBe(false);
  });

  it("is closed once, however often it is asked, and refuses use afterwards", async () => {
    const headgate = await openHeadgate({ repo: temporaryFolder() });
    await headgate.events.append({ kind: "thing.made" });
    await Promise.all([headgate.close(), headgate.close(), headgate[Symbol.asyncDispose]()]);
    expect(await codeOf(() => headgate.events.page())).toBe("STORE_UNAVAILABLE");
    expect(await codeOf(async () => headgate.store())).toBe("STORE_UNAVAILABLE");
  });

  it("reports a folder that does not exist, and a store address that means nothing", async () => {
    expect(await codeOf(() => openHeadgate({ repo: "/does/not/exist" }))).toBe(
      "REPOSITORY_NOT_FOUND",
    );
    expect(await codeOf(() => openHeadgate({ repo: temporaryFolder(), store: "mysql://x" }))).toBe(
      "STORE_ADDRESS_INVALID",
    );
  });
});
