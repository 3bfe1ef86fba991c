import { describe, expect, it } from "vitest";
import { parseDuration, showSpan } from "../../../src/surfaces/cli/duration.ts";
import { commandLine } from "../../../src/base/shell-word.ts";
import { cutMiddle, textWidth } from "../../../src/surfaces/cli/text-width.ts";
import { claimsProgram } from "../../helpers/claims-program.ts";
import { run } from "../../helpers/program.ts";

describe("headgate claims", () => {
  it("lists claims, waiters and requests, the whole for programs", async () => {
    const { as, startAs, untilWaiting } = claimsProgram();
    const { claim } = (await as("alice")("claim", "a.txt", "--reason", "work")).answer;
    startAs("bob", "claim", "a.txt", "--wait", "10m", "--reason", "next", "--priority", "2");
    await untilWaiting("bob");
    const { request: made } = (await as("carol")("release", "--ask", claim.id)).answer;
    const request = { ...made, deadline: expect.any(String) };
    const { code, answer } = await as("dave")("claims");
    const waiter = {
      id: expect.stringMatching(/^wa_/),
      actor: "bob",
      targets: ["a.txt"],
      mode: "exclusive",
      reason: "next",
      priority: 2,
      queuedAt: expect.any(String),
      until: expect.any(String),
      position: 1,
      liveness: { state: "alive", evidence: expect.any(Array) },
    };
    const liveness = { state: "alive", evidence: expect.any(Array) };
    // T-03: the process that was granted it.
    const via = expect.objectContaining({ pid: expect.any(Number), start: expect.any(String) });
    // Only its holder gets the secret.
    const { secret: _, ...shown } = claim;
    expect({ code, answer }).toEqual({
      code: 0,
      answer: {
        claims: [{ ...shown, expiresAt: expect.any(String), liveness, via }],
        cut: false,
        waiters: [waiter],
        requests: [request],
      },
    });
    expect((await as("dave")("claims", "--waiting")).answer).toEqual({ waiters: [waiter] });
    expect((await as("dave")("claims", "--requests")).answer).toEqual({ requests: [request] });
    expect((await as("dave")("claims", "--mine")).answer).toEqual({
      claims: [],
      cut: false,
      waiters: [],
      requests: [],
    });
  });

  it("filters by actor, target and mode, and says when the limit cuts", async () => {
    const { as, text } = claimsProgram();
    await as("alice")("claim", "a.txt");
    await as("alice")("claim", "src/**", "--shared");
    await as("bob")("claim", "docs");
    const targets = async (...args: string[]) => {
      const { answer } = await as("alice")("claims", ...args);
      return answer.claims.map(({ target }) => target);
    };
    expect(await targets()).toEqual(["a.txt", "src/**", "docs"]);
    expect(await targets("--mine")).toEqual(["a.txt", "src/**"]);
    expect(await targets("--actor", "bob")).toEqual(["docs"]);
    expect(await targets("--target", "src/x.ts")).toEqual(["src/**"]);
    expect(await targets("--shared")).toEqual(["src/**"]);
    expect(await targets("--exclusive")).toEqual(["a.txt", "docs"]);
    expect((await as("alice")("claims", "--limit", "2")).answer).toMatchObject({
      claims: [{ target: "a.txt" }, { target: "src/**" }],
      cut: true,
    });
    expect((await text("claims", "--limit", "1")).stdout).toContain("and more; narrow it");
  });

  it("fits 80 columns whatever the names are, keeps ids whole, and uses a wider terminal", async () => {
    const { cwd, as, startAs, untilWaiting } = claimsProgram();
    const long = `claude:0199c2f0-7a5b-7c11-8d62-1f0e3b2a9c4d/${"reviewer".repeat(10)}`;
    const deep = `${"folder/".repeat(20)}end.ts`;
    const wide = "漢字のとても長いアクター名".repeat(3);
    const { claim } = (await as(long)("claim", deep, "--reason", "r".repeat(300))).answer;
    await as(wide)("claim", "name:ひとつの資源", "--shared", "--ttl", "23h");
    startAs(wide, "claim", deep, "--wait", "10m", "--reason", "w ".repeat(100));
    await untilWaiting(wide);
    await as("carol")("release", "--ask", claim.id, "--reason", "because ".repeat(30));
    const lines = async (env: Record<string, string> = {}) => {
      const { code, stdout } = await run(["claims"], { cwd, env });
      expect(code).toBe(0);
      return stdout.trimEnd().split("\n");
    };
    const narrow = await lines({ COLUMNS: "80" });
    for (const line of narrow) expect(`${textWidth(line) <= 80} ${line}`).toBe(`true ${line}`);
    expect(narrow[0]).toMatch(/^TARGET +MODE +ACTOR +LEFT +LIFE +ID$/);
    expect(narrow[1]).toMatch(
      new RegExp(`^folder/.*….*end\\.ts +excl +claude.*….*viewer +1[45]m +alive +${claim.id}$`),
    );
    expect(narrow[2]).toMatch(/^name:.* +shared +漢.*….*名 +23h +alive +cl_/);
    expect(narrow.join("\n")).toMatch(/^Waiting\n {2}1\. 漢/m);
    expect(narrow.join("\n")).toMatch(/^Asked to release\n {2}claude:/m);
    const broad = await lines({ COLUMNS: "140" });
    expect(broad[0]).toMatch(/^TARGET +MODE +ACTOR +FENCE +LEFT +LIFE +REASON +ID$/);
    for (const line of broad) expect(textWidth(line)).toBeLessThanOrEqual(140);
    expect(textWidth(broad[1]!)).toBeGreaterThan(120);
    // Another program reads whole names.
    const piped = await lines();
    expect(piped[1]).toContain(deep);
    expect(piped[1]).toContain(long);
  });

  it("says so when there is nothing", async () => {
    const { text } = claimsProgram();
    expect(await text("claims")).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "nothing is claimed\n",
    });
    await text("claim", "a.txt");
    const said = async (...args: string[]) => (await text("claims", ...args)).stderr;
    expect(await said("--waiting")).toBe("nobody waits\n");
    expect(await said("--requests")).toBe("nobody was asked to release anything\n");
    expect(await said("--target", "b.txt")).toBe("no claim is like that\n");
  });
});

describe("texts of the command line", () => {
  it.each([
    ["0", 0],
    ["500ms", 500],
    ["90", 90_000],
    ["1.5m", 90_000],
    ["2h30m", 9_000_000],
    ["1d", 86_400_000],
  ])("reads the time %s as %i ms", (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each([
    "",
    "m",
    "5 m",
    "-5m",
    "5M",
    "1e3",
    "0x10",
    "5m ",
    "5mm",
    "1..5s",
    "١m",
    "1".repeat(50),
  ])("does not read %j as a time", (text) => expect(parseDuration(text)).toBeUndefined());

  it.each([
    [-5, "0ms"],
    [999, "999ms"],
    [1000, "1s"],
    [119_000, "119s"],
    [120_000, "2m"],
    [899_700, "15m"],
    [3_600_000, "1h"],
    [5_400_000, "1h30m"],
    [86_400_000, "24h"],
    [172_800_000, "2d"],
  ])("shows %i ms as %s", (ms, text) => expect(showSpan(ms)).toBe(text));

  it("cuts the middle of a text to a width, never through a character", () => {
    expect(cutMiddle("abcdefgh", 8)).toBe("abcdefgh");
    expect(cutMiddle("abcdefghi", 8)).toBe("abc…fghi");
    expect(cutMiddle("abc", 1)).toBe("…");
    expect(cutMiddle("漢字漢字漢字", 6)).toBe("漢…字");
    expect(cutMiddle("🚀🚀🚀🚀", 5)).toBe("🚀…🚀");
    expect([textWidth("é"), textWidth("e\u0301"), textWidth("漢a"), textWidth("")]).toEqual([
      1, 1, 3, 0,
    ]);
  });

  it("quotes words of proposed commands for a shell", () => {
    expect(
      commandLine(["headgate", "claim", "src/a.ts#A.b", "src/**", "it's", "$(x)", "#a", ""]),
    ).toBe(`headgate claim src/a.ts#A.b 'src/**' 'it'\\''s' '$(x)' '#a' ''`);
  });
});
