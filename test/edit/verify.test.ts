import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { runToItsEnd } from "../../src/base/processes.ts";
import { runVerify, type VerifyOptions } from "../../src/edit/verify.ts";
import { isAlive } from "../helpers/process-state.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import { afterFive, applyAt, fiveChanges, journalOf, layOut, treeOf } from "./scene.ts";

const env = { PATH: process.env["PATH"] ?? "" };
const verify = (root: string, argv: readonly string[], more: Partial<VerifyOptions> = {}) =>
  runVerify(argv, { run: runToItsEnd, root, env, clock: systemClock, ...more });

const newScene = () => {
  const root = temporaryFolder();
  layOut(root);
  return { root, before: treeOf(root) };
};

describe("E-15 a verify command", () => {
  it("sees the new files in the repository's root, and the edit stays when it passes", async () => {
    const { root, before } = newScene();
    const argv = ["sh", "-c", "cat new/deep/tool.sh; test ! -e docs/old.md"];
    const result = await applyAt(root, fiveChanges(), { verify: () => verify(root, argv) });
    expect(result).toMatchObject({
      ok: true,
      verified: { ok: true, code: 0, output: "#!/bin/sh\n" },
    });
    expect(treeOf(root)).toEqual(afterFive(before));
  });

  const failures: readonly (readonly [string, string[], object, number | undefined])[] = [
    ["fails", ["sh", "-c", "echo out; echo err >&2; exit 3"], { code: 3 }, undefined],
    ["is ended by a signal", ["sh", "-c", "kill -9 $$"], {}, undefined],
    ["does not exist", ["no-such-program-anywhere"], {}, undefined],
    ["takes too long", ["sleep", "600"], {}, 500],
  ];
  it.each(failures)(
    "that %s brings everything back, byte for byte",
    async (_how, argv, more, timeoutMs) => {
      const { root, before } = newScene();
      const result = await applyAt(root, fiveChanges(), {
        verify: () => verify(root, argv, { ...(timeoutMs !== undefined && { timeoutMs }) }),
      });
      expect(result).toMatchObject({
        ok: false,
        code: "EDIT_VERIFY_FAILED",
        verified: { ok: false, ...more },
      });
      expect(result).not.toHaveProperty("conflicts");
      expect(treeOf(root)).toEqual(before);
      expect(journalOf(root)).toEqual([expect.stringContaining(".rolled-back.json")]);
    },
  );

  it("that cannot be run at all brings everything back, too", async () => {
    const { root, before } = newScene();
    const applying = applyAt(root, fiveChanges(), {
      verify: async () => {
        throw new Error("defect");
      },
    });
    await expect(applying).rejects.toThrow("defect");
    expect(treeOf(root)).toEqual(before);
  });

  it("that changes a file itself: that file is kept and named, the others come back", async () => {
    const { root, before } = newScene();
    const argv = ["sh", "-c", "echo formatted > src/app.ts; exit 1"];
    const result = await applyAt(root, fiveChanges(), { verify: () => verify(root, argv) });
    expect(result).toMatchObject({
      ok: false,
      code: "EDIT_VERIFY_FAILED",
      conflicts: [{ path: "src/app.ts" }],
    });
    expect(readFileSync(join(root, "src/app.ts"), "utf8")).toBe("formatted\n");
    expect(treeOf(root)["docs/old.md"]).toBe(before["docs/old.md"]);
    expect(treeOf(root)["src/data.bin"]).toBe(before["src/data.bin"]);
    expect(journalOf(root)).toEqual([expect.stringContaining(".returning.json")]);
  });

  it("is ended with everything it started", async () => {
    const { root } = newScene();
    const file = join(root, "pid");
    const program = `sleep 600 & echo $! > ${file}; wait`;
    const verified = await verify(root, ["sh", "-c", program], { timeoutMs: 2_500 });
    expect(verified).toMatchObject({ ok: false, message: expect.stringContaining("2.5 seconds") });
    const pid = Number(readFileSync(file, "utf8"));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("keeps the end of a long output, and no terminal escapes", async () => {
    const { root } = newScene();
    const program =
      "for (let i = 0; i < 20000; i++) console.log('line ' + i); console.log('\\x1b[31mred\\x1b[0m\\x07')";
    const verified = await verify(root, [process.execPath, "-e", program]);
    expect(verified).toMatchObject({ ok: true, isCut: true });
    expect(verified.output.length).toBeLessThan(20_000);
    expect(verified.output).toMatch(/line 19999\nred\\u0007\n$/);
  });

  it("gets no shell: what looks like one is an argument", async () => {
    const { root } = newScene();
    writeFileSync(join(root, "x"), "");
    const verified = await verify(root, ["echo", "$(rm x)", "; rm x", "`rm x`"]);
    expect(verified.output).toBe("$(rm x) ; rm x `rm x`\n");
    expect(existsSync(join(root, "x"))).toBe(true);
    for (const argv of [[], [""], ["a", "b\0c"]]) {
      await expect(verify(root, argv)).rejects.toMatchObject({ code: "USAGE" });
    }
    await expect(verify(root, ["true"], { timeoutMs: 0 })).rejects.toMatchObject({ code: "USAGE" });
  });
});
