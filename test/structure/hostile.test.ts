import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { limits } from "../../src/base/limits.ts";
import { Analyser } from "../../src/structure/index.ts";
import { type HostLimits, ParserHost } from "../../src/structure/parser-host.ts";

const analyser = new Analyser();
afterAll(() => analyser.close());

/** Whatever came before, the next file is answered. */
const stillAnswers = async (): Promise<void> => {
  const fresh = `x = ${performance.now()}\n`;
  expect(await analyser.syntax(fresh, "after.toml")).toMatchObject({ state: "valid" });
};

const often = (text: string, count = 100_000): string => text.repeat(count);
const steps = Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}if a:`);

const nested: readonly (readonly [string, string, string])[] = [
  ["round brackets", "a.py", `x = ${often("(")}1${often(")")}\n`],
  ["square brackets", "a.py", `x = ${often("[")}${often("]")}\n`],
  ["braces", "a.py", `x = ${often("{")}${often("}")}\n`],
  ["additions", "a.py", `x = ${often("a + ")}a\n`],
  ["negations", "a.py", `x = ${often("not ")}a\n`],
  ["round brackets", "a.ts", `${often("(")}1${often(")")};`],
  ["square brackets", "a.ts", `${often("[")}${often("]")};`],
  ["braces", "a.ts", `${often("{")}${often("}")}`],
  ["arrow functions", "a.ts", `${often("a=>")}a;`],
  ["exclamation marks", "a.js", `${often("!")}a;`],
  ["ifs", "a.js", `${often("if(a)")}b;`],
  ["additions", "a.js", `x = ${often("a+")}a;`],
  ["round brackets", "a.go", `package a\nvar x = ${often("(")}1${often(")")}\n`],
  ["exclamation marks", "a.rb", `${often("!")}a\n`],
  ["square brackets", "a.php", `<?php $a = ${often("[")}${often("]")};`],
  ["square brackets", "a.jsonc", `${often("[")}${often("]")} // deep`],
  ["square brackets", "a.yaml", `a: ${often("[")}${often("]")}\n`],
  ["square brackets", "a.toml", `a = ${often("[")}${often("]")}\n`],
  ["ifs", "a.java", `class A { void f() { ${often("if(a)")}b(); } }`],
];

describe("hostile files", () => {
  it.each(nested)(
    "E-14 100,000 %s in %s are answered, and so is the next file",
    async (_, path, text) => {
      const verdict = await analyser.syntax(text, path);
      // Deeper than any real file: a parser may manage, refuse or break down, and says so.
      const isExplained = verdict.errors.length > 0 || (verdict.why ?? "") !== "";
      expect(isExplained).toBe(verdict.state !== "valid");
      await stillAnswers();
    },
  );

  it("E-14 the structure of such a file is not analysed, with the reason", async () => {
    const { outline } = await analyser.outline(`x = ${often("f(")}1${often(")")}\n`, "deep.py");
    if (outline.coverage.outline.state === "off") {
      expect(outline.coverage.outline.why).toMatch(/structure not analysed: \S/);
    }
    await stillAnswers();
  });

  it("E-14 a thousand levels of indentation", async () => {
    const text = `${steps.join("\n")}\n${" ".repeat(1000)}pass\n`;
    expect((await analyser.syntax(text, "steps.py")).state).not.toBe("invalid");
    expect(await analyser.syntax(`${steps.join("\n")}\n`, "steps.py")).not.toMatchObject({
      state: "valid",
    });
    await stillAnswers();
  });

  it("E-14 a file of 100 MB is not checked, and says why", async () => {
    const verdict = await analyser.syntax(Buffer.alloc(100 * 1024 * 1024, "a = 1\n"), "large.py");
    expect(verdict).toMatchObject({ state: "not-checked", why: expect.stringContaining("MB") });
  });

  it("E-14 a line of 10 MB is not checked, one of 3 MB is", async () => {
    const line = (length: number) => `x = "${"a".repeat(length)}"\n`;
    expect(await analyser.syntax(line(10 * 1024 * 1024), "long.py")).toMatchObject({
      state: "not-checked",
    });
    expect(await analyser.syntax(line(3 * 1024 * 1024), "long.py")).toMatchObject({
      state: "valid",
    });
    expect(await analyser.syntax(`${line(3 * 1024 * 1024)})`, "long.ts")).toMatchObject({
      state: "invalid",
      errors: [{ line: 2, column: 1 }],
    });
  });

  it.each(["a.py", "a.ts", "a.go", "a.json"])(
    "E-14 %s with a NUL is not checked, and says why",
    async (path) => {
      const verdict = await analyser.syntax(Buffer.from("x = 1\n\0\n"), path);
      expect(verdict).toMatchObject({ state: "not-checked", why: "it holds a NUL character" });
    },
  );

  it.each(["a.py", "a.ts", "a.js", "a.rb", "a.php", "a.yaml", "a.toml", "a.json", "a.go"])(
    "E-14 bytes that are no UTF-8 and lone surrogates do not disturb %s",
    async (path) => {
      const bytes = await analyser.syntax(Buffer.from([0x23, 0xff, 0xfe, 0x80, 0x0a]), path);
      expect(["valid", "invalid", "not-checked"]).toContain(bytes.state);
      const text = await analyser.syntax("# \ud800 \udc00\nx = '\ud800'\n", path);
      expect(["valid", "invalid", "not-checked"]).toContain(text.state);
      await stillAnswers();
    },
  );

  it.each(["a.py", "a.ts", "a.js", "a.rb", "a.php", "a.yaml", "a.toml", "a.jsonc"])(
    "E-14 an empty %s and one with only a byte order mark are valid",
    async (path) => {
      expect(await analyser.syntax("", path)).toMatchObject({ state: "valid" });
      expect(await analyser.syntax(Buffer.from([0xef, 0xbb, 0xbf]), path)).toMatchObject({
        state: "valid",
      });
      const { outline } = await analyser.outline("", path);
      expect(outline.symbols).toEqual([]);
    },
  );

  it.each(["a.json", "a.go"])("E-14 an empty %s is not one", async (path) => {
    expect(await analyser.syntax("", path)).toMatchObject({ state: "invalid" });
  });
});

const python = (text: string) =>
  ({ do: "syntax", language: "python", path: "a.py", text }) as const;
/** Its parser is loaded in no time. */
const quick = (text: string) => ({ do: "syntax", language: "toml", path: "a.toml", text }) as const;
const usual: HostLimits = {
  timeMs: limits.parseTimeMs,
  wallMs: limits.parseWallMs,
  memoryBytes: limits.parserMemoryBytes,
};
/** Takes ruff seconds: an error at every sign. */
const slow = python(often("a=>", 400_000));

const withHost = async (
  use: (host: ParserHost) => Promise<void>,
  hostLimits = usual,
): Promise<void> => {
  const host = new ParserHost(hostLimits);
  try {
    await use(host);
  } finally {
    host.close();
  }
};

describe("the parsing process", () => {
  it("E-14 a parser that takes too long is ended, and the next question gets another process", async () => {
    await withHost(
      async (host) => {
        const asked = [host.ask(slow), host.ask(quick("x = 1\n"))];
        const why = "it took longer than 0.3 s";
        expect(await asked[0]).toEqual({ ok: false, why, isSlow: true });
        expect(await asked[1]).toMatchObject({ ok: true, value: { state: "valid" } });
      },
      { ...usual, timeMs: 300 },
    );
  });

  it.runIf(process.platform === "linux")(
    "G13 the limit counts processor time: a parser that gets none is waited for, and answers",
    async () => {
      const own = { ...usual };
      await withHost(async (host) => {
        expect(await host.ask(quick("x = 1\n"))).toMatchObject({ ok: true });
        process.kill(host.pid!, "SIGSTOP");
        own.timeMs = 100;
        const asked = host.ask(quick("x = (\n"));
        const stopped = host.pid!;
        // Several times what it may take.
        await systemClock.sleep(500);
        process.kill(stopped, "SIGCONT");
        expect(await asked).toMatchObject({ ok: true, value: { state: "invalid" } });
        expect(host.pid).toBe(stopped);
      }, own);
    },
  );

  it.runIf(process.platform === "linux")(
    "G13 a parser that gets no time at all has run out of it, which says nothing about the file",
    async () => {
      const own = { ...usual, timeMs: 300 };
      await withHost(async (host) => {
        expect(await host.ask(quick("x = 1\n"))).toMatchObject({ ok: true });
        process.kill(host.pid!, "SIGSTOP");
        // Only now: it is also the time for a process to start in.
        own.wallMs = 1000;
        expect(await host.ask(quick("x = (\n"))).toEqual({
          ...{ ok: false, ranOut: true },
          why: "the parser did not answer within 1 s: the machine is busy",
        });
        own.wallMs = usual.wallMs;
        expect(await host.ask(quick("x = (\n"))).toMatchObject({ ok: true });
      }, own);
    },
  );

  it("E-14 a process that is killed in the middle is replaced, and the question asked again", async () => {
    await withHost(async (host) => {
      expect(await host.ask(quick("x = 1\n"))).toMatchObject({ ok: true });
      const running = host.ask(python(often("def f(a):\n  return a\n", 50_000)));
      const first = host.pid;
      process.kill(first!, "SIGKILL");
      expect(await running).toMatchObject({ ok: true, value: { state: "valid" } });
      expect(host.pid).not.toBe(first);
    });
  });

  it("E-14 G13 a process that somebody kills at its first question says nothing about the file", async () => {
    await withHost(async (host) => {
      const running = host.ask(slow);
      process.kill(host.pid!, "SIGKILL");
      expect(await running).toMatchObject({
        ...{ ok: false, ranOut: true },
        why: expect.stringContaining("the parser ended by itself (SIGKILL)"),
      });
      expect(await host.ask(quick("x = 1\n"))).toMatchObject({ ok: true });
    });
  });

  it("E-14 a process that was killed between two questions is not noticed by the second", async () => {
    await withHost(async (host) => {
      await host.ask(quick("x = 1\n"));
      process.kill(host.pid!, "SIGKILL");
      expect(await host.ask(quick("x = (\n"))).toMatchObject({
        ok: true,
        value: { state: "invalid" },
      });
    });
  });

  it("E-14 a process that has grown too large is replaced after its answer", async () => {
    await withHost(
      async (host) => {
        expect(await host.ask(quick("x = 1\n"))).toMatchObject({ ok: true });
        expect(host.pid).toBeUndefined();
        expect(await host.ask(quick("x = 2\n"))).toMatchObject({ ok: true });
      },
      { ...usual, memoryBytes: 1 },
    );
    await withHost(async (host) => {
      await host.ask(quick("x = 1\n"));
      const first = host.pid;
      await host.ask(quick("x = 2\n"));
      expect(first).toBeDefined();
      expect(host.pid).toBe(first);
    });
  });

  it("E-14 a parser that broke down is not used again", async () => {
    await withHost(async (host) => {
      await host.ask(quick("x = 1\n"));
      const answer = await host.ask(python(`x = ${often("(")}1${often(")")}\n`));
      expect(answer).toMatchObject({ ok: false, why: expect.stringContaining("broke down") });
      expect(host.pid).toBeUndefined();
      expect(await host.ask(quick("x = 1\n"))).toMatchObject({ ok: true });
    });
  });

  it("E-14 closing answers what was still asked", async () => {
    const host = new ParserHost();
    const asked = [host.ask(slow), host.ask(quick("x = 1\n"))];
    host.close();
    const closed = { ok: false, why: "it was closed", ranOut: true };
    expect(await Promise.all(asked)).toEqual([closed, closed]);
    expect(await host.ask(quick("x = 1\n"))).toEqual(closed);
  });
});
