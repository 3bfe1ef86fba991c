import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Checker, createChecker } from "../../../src/structure/index.ts";
import { LanguageServer } from "../../../src/structure/checkers/language-server.ts";
import { encodeMessage, MessageReader } from "../../../src/structure/checkers/message-stream.ts";
import { isAlive } from "../../helpers/process-state.ts";
import { findServer } from "../../../src/structure/checkers/server-program.ts";

const patient = 280_000;
let root: string;
let checker: Checker;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "headgate-checkers-"));
  checker = createChecker({ root, budgetMs: patient });
});
afterEach(() => {
  checker.close();
  rmSync(root, { recursive: true, force: true });
});

const put = (files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};

const config = JSON.stringify({ compilerOptions: { strict: true, module: "nodenext", types: [] } });

describe("E-08 TypeScript's own checker", () => {
  const service = "export class Service {\n  login(): void {}\n}\n";
  const before = 'import { Service } from "./service.js";\nnew Service().old();\n';

  test("E-08 finds a missing member of a project class in text that is not on disk; old errors do not count", async () => {
    put({ "tsconfig.json": config, "service.ts": service, "a.ts": before, "package.json": "{}" });
    const after = `// moved down\n${before}const s = new Service(); s.logout(); new Service().leave();\nunheardOf();\n`;
    const checked = await checker.check("a.ts", before, after);
    expect(checked).toMatchObject({ state: "checked", by: expect.stringMatching(/^typescript 7/) });
    expect(checked.diagnostics).toMatchObject([
      { code: "2339", name: "logout", line: 4, declared: "project", isCall: true, receiver: "s" },
      { code: "2339", name: "leave", line: 4, declared: "unknown", type: "Service" },
      { code: "2304", name: "unheardOf", line: 5, isCall: true },
    ]);
  });

  test("E-08 an old error on a line that is edited stays an old error", async () => {
    put({ "tsconfig.json": config, "service.ts": service, "a.ts": before });
    const after = before.replace("new Service().old();", "new Service().old(); // still");
    expect((await checker.check("a.ts", before, after)).diagnostics).toEqual([]);
  });

  test("E-08 a member of a library's type is declared elsewhere", async () => {
    put({ "tsconfig.json": config, "a.ts": "" });
    const { diagnostics } = await checker.check("a.ts", "", "const list = [1];\nlist.sortt();\n");
    expect(diagnostics).toMatchObject([{ name: "sortt", declared: "elsewhere" }]);
  });

  test("E-08 a file that changed on disk is read again", async () => {
    put({ "tsconfig.json": config, "service.ts": service, "a.ts": "" });
    const after = 'import { Service } from "./service.js";\nnew Service().logout();\n';
    expect((await checker.check("a.ts", "", after)).diagnostics).toHaveLength(1);
    put({ "service.ts": service.replace("login", "logout") });
    checker.changed(["service.ts"]);
    expect((await checker.check("a.ts", "", after)).diagnostics).toEqual([]);
  });

  test("E-08 a new file has no old version", async () => {
    put({ "tsconfig.json": config, "service.ts": service });
    const { diagnostics } = await checker.check("new.ts", undefined, "nothingThere();\n");
    expect(diagnostics).toMatchObject([{ name: "nothingThere", line: 1 }]);
  });
});

describe("E-08 pyright", () => {
  test("E-08 finds missing members and names in text that is not on disk; passes over old errors and None", async () => {
    const model = "class Model:\n    def save(self):\n        pass\n";
    const before = "import re\nfrom model import Model\n\nModel().old()\n";
    put({ "model.py": model, "a.py": before });
    const added = `m = Model(); m.sav()\nfrobnicate()\nre.matchh("a")\nre.match("a", "b").group()\n`;
    const checked = await checker.check("a.py", before, `"""moved"""\n${before}${added}`);
    expect(checked).toMatchObject({ state: "checked", by: expect.stringMatching(/^pyright/) });
    expect(
      checked.diagnostics.map(({ code, name, line, declared }) => ({ code, name, line, declared })),
    ).toEqual([
      { code: "reportAttributeAccessIssue", name: "sav", line: 6, declared: "project" },
      { code: "reportUndefinedVariable", name: "frobnicate", line: 7, declared: "unknown" },
      expect.objectContaining({ name: "matchh", line: 8 }),
    ]);
    expect(checked.diagnostics[2]!.declared).not.toBe("project");
  });
});

describe("E-08 a checker that does not answer proves nothing", () => {
  test("E-08 out of time: not proven, never clean; the answer comes later", async () => {
    put({ "tsconfig.json": config });
    const hasty = createChecker({ root, budgetMs: 0 });
    const checked = await hasty.check("a.ts", "", "unheardOf();\n");
    expect(checked).toMatchObject({
      state: "not-proven",
      why: expect.stringMatching(/did not answer within 0 ms/),
      diagnostics: [],
    });
    expect(await checked.later).toMatchObject({
      state: "checked",
      diagnostics: [{ name: "unheardOf" }],
    });
    hasty.close();
  });

  test("E-08 another language: not proven, with the reason", async () => {
    expect(await checker.check("a.go", "", "x")).toMatchObject({
      state: "not-proven",
      why: expect.stringContaining("no type checker"),
    });
  });

  test("E-08 a server that was killed is started again for the next question", async () => {
    put({ "tsconfig.json": config });
    const found = findServer("script", root);
    if (!found.ok) throw new Error(found.why);
    const server = new LanguageServer({ root, program: found.program });
    expect(await server.diagnose("a.ts", "unheardOf();", "typescript")).toHaveLength(1);
    const { pid } = server;
    const dying = server.diagnose("a.ts", "unheardOf(1);", "typescript");
    process.kill(pid!, "SIGKILL");
    await dying.catch((error: Error) => expect(error.message).toMatch(/ended/));
    expect(await server.diagnose("a.ts", "unheardOf(2);", "typescript")).toHaveLength(1);
    expect(server.pid).not.toBe(pid);
    const last = server.pid!;
    server.close();
    await expect(server.diagnose("a.ts", "", "typescript")).rejects.toThrow(/closed/);
    await expect.poll(() => isAlive(last)).toBe(false);
  });

  test("E-08 a server that hangs is ended, said to be so, and another one is asked next", async () => {
    put({ "hang.cjs": "setInterval(() => {}, 1000); process.stdin.resume();" });
    const file = join(root, "hang.cjs");
    const program = { file, args: [], isScript: true, name: "hang", version: "1" };
    const server = new LanguageServer({ root, program, answerMs: 300 });
    const asked = server.diagnose("a.ts", "", "typescript");
    const first = server.pid!;
    await expect(asked).rejects.toThrow("it gave no answer within 300 ms and was ended");
    await expect.poll(() => isAlive(first)).toBe(false);
    const again = server.diagnose("a.ts", "", "typescript");
    expect(server.pid).not.toBe(first);
    await expect(again).rejects.toThrow(/no answer within 300 ms/);
    server.close();
  });

  test("E-08 servers do not outlive the program that started them, nor keep it from ending", async () => {
    put({ "tsconfig.json": config, "a.py": "" });
    const program = `
      import { createChecker } from ${JSON.stringify(join(import.meta.dirname, "../../../src/structure/index.ts"))};
      const checker = createChecker({ root: ${JSON.stringify(root)}, budgetMs: 280000 });
      await checker.check("a.ts", "", "unheardOf();");
      await checker.check("a.py", "", "unheard_of()");
    `;
    put({ "main.mts": program });
    execFileSync(process.execPath, ["--no-warnings", join(root, "main.mts")]);
    const running = () =>
      execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
        .split("\n")
        .filter((line) => /--lsp --stdio|langserver\.index\.js/.test(line))
        .map((line) => Number.parseInt(line, 10))
        .filter((pid) => cwdOf(pid) === root);
    await expect.poll(running).toEqual([]);
  });
});

const cwdOf = (pid: number): string => {
  try {
    return execFileSync("readlink", [`/proc/${pid}/cwd`], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
};

describe("E-08 messages on a stream of bytes", () => {
  test("E-08 come out whole however they are cut", () => {
    const sent = [{ id: 1, result: "ä€𝄞" }, { method: "x" }, { id: 2, result: null }];
    const bytes = Buffer.concat(sent.map((one) => encodeMessage(one)));
    for (const size of [1, 2, 7, 30, bytes.length]) {
      const reader = new MessageReader();
      const got = [];
      for (let at = 0; at < bytes.length; at += size) {
        got.push(...reader.take(bytes.subarray(at, at + size)));
      }
      expect(got).toEqual(sent.map((one) => ({ jsonrpc: "2.0", ...one })));
    }
  });

  test("E-08 what is no such stream is told", () => {
    expect(() => new MessageReader().take(Buffer.from("hello\r\n\r\n"))).toThrow(/no length/);
    expect(() => new MessageReader().take(Buffer.alloc(5000, "x"))).toThrow(/no header/);
  });
});
