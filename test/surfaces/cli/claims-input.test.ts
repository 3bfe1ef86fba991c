import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimsProgram } from "../../helpers/claims-program.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import { runInside } from "../../helpers/inside.ts";

const someId = "cl_01k5f8m2q3x7v9b4tz";

describe("what is not of the documented form", () => {
  it.each<[args: string[], code: string, message: RegExp]>([
    [["claim"], "USAGE", /name what to claim/],
    [["claim", ""], "TARGET_INVALID", /./],
    [["claim", "../outside"], "PATH_OUTSIDE", /./],
    [["claim", "a.txt#"], "TARGET_INVALID", /./],
    [["claim", "name:"], "TARGET_INVALID", /./],
    [["claim", "@git/nonsense"], "TARGET_INVALID", /./],
    [["claim", "a.txt", "--ttl", "soon"], "USAGE", /--ttl is a time from 1s to 24h, .* got "soon"/],
    [["claim", "a.txt", "--ttl", "0"], "USAGE", /--ttl/],
    [["claim", "a.txt", "--ttl", "25h"], "USAGE", /--ttl/],
    [["claim", "a.txt", "--ttl", "5 m"], "USAGE", /--ttl/],
    [["claim", "a.txt", "--ttl=-5m"], "USAGE", /--ttl/],
    [["claim", "a.txt", "--wait", "1e3"], "USAGE", /--wait/],
    [["claim", "a.txt", "--wait", "2d"], "USAGE", /--wait/],
    [["claim", "a.txt", "--wait", "1s", "--priority", "11"], "USAGE", /--priority/],
    [["claim", "a.txt", "--priority", "1"], "USAGE", /--priority is a place in line/],
    [["claim", "a.txt", "--partial", "--wait", "1s"], "USAGE", /--partial/],
    [["claim", "a.txt", "--for", "ever"], "USAGE", /--for is one of session/],
    [["claim", "a.txt", "--key", "k".repeat(201)], "USAGE", /./],
    [["claim", "a.txt", "--key="], "USAGE", /./],
    [["claim", "a.txt", "--reason", "x".repeat(2001)], "INPUT_TOO_LARGE", /reason/],
    [["claim", ...Array.from({ length: 65 }, (_, n) => `f${n}`)], "INPUT_TOO_LARGE", /65 targets/],
    [["claim", "a.txt", "--as="], "ACTOR_INVALID", /must not be empty/],
    [["claim", "a.txt", "--as", "/x"], "ACTOR_INVALID", /./],
    [["claim", "a.txt", "--as", "claude:"], "ACTOR_INVALID", /lacks the session/],
    [["release"], "USAGE", /name what to release/],
    [["release", "a.txt", "--all"], "USAGE", /name what to release/],
    [["release", "--all", "--keep", "a.txt"], "USAGE", /--keep goes with a claim or --answer/],
    [["release", "a.txt", "b.txt", "--keep", "a.txt"], "USAGE", /one claim at a time/],
    [["release", "--ask", "a.txt"], "USAGE", /--ask takes the id of a claim/],
    [["release", "--ask", someId, "--within", "never"], "USAGE", /--within/],
    [["release", "--ask", someId, "--defer", "1m"], "USAGE", /--defer goes with --answer/],
    [["release", "--answer", "rq_x", "--defer", "1m", "--keep", "a"], "USAGE", /not both/],
    [["release", "--answer", "rq_x", "--reason", "a"], "USAGE", /--reason explains --defer/],
    [["release", "--answer", "rq_x", "--within", "1m"], "USAGE", /--within goes with --ask/],
    [["renew", "a.txt", "--ttl", "x"], "USAGE", /--ttl/],
    [["transfer", "a.txt"], "USAGE", /--to ACTOR/],
    [["transfer", "--to", "bob"], "USAGE", /name the claims or targets/],
    [["transfer", "a.txt", "--all", "--to", "bob"], "USAGE", /name the claims or targets/],
    [["transfer", "a.txt", "--to="], "ACTOR_INVALID", /./],
    [["transfer", "a.txt", "--to", "alice", "--as", "alice"], "USAGE", /somebody else/],
    [["claims", "--mine", "--actor", "bob"], "USAGE", /--mine or --actor/],
    [["claims", "--shared", "--exclusive"], "USAGE", /--shared or --exclusive/],
    [["claims", "--limit", "0"], "USAGE", /--limit/],
    [["claims", "--target", "../x"], "PATH_OUTSIDE", /./],
    [["claims", "surplus"], "USAGE", /unknown argument/],
    [["check"], "USAGE", /name what to look at/],
    [["check", "../x"], "PATH_OUTSIDE", /./],
    [["wait"], "USAGE", /name what to wait for/],
    [["wait", "a.txt", "--timeout", "x"], "USAGE", /--timeout/],
    [["sweep", "surplus"], "USAGE", /unknown argument/],
  ])("%j is one line with its code, and nothing is made", async (args, code, message) => {
    const cwd = temporaryFolder();
    const shown = await runInside(args, { cwd });
    expect(shown.stdout).toBe("");
    expect(shown.stderr).toMatch(new RegExp(`^headgate: [^\n]+\n {2}→ [^\n]+ \\[${code}\\]\n$`));
    expect(shown.stderr).toMatch(message);
    const json = await runInside([...args, "--json"], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, code });
    expect([shown.code, json.code]).toEqual(code === "PATH_OUTSIDE" ? [1, 1] : [2, 2]);
    expect(existsSync(join(cwd, ".headgate"))).toBe(false);
  });
});

describe("text from outside", () => {
  const quoting =
    'it\'s "quoted" $(touch owned) `touch owned` ; rm -rf . \\ \n\t%s {"a":1} --all é 漢字 🚀';

  it("C-02 reasons and actors come back byte for byte, from every command", async () => {
    const { cwd, as } = claimsProgram();
    const alice = as(quoting);
    const { claim } = (await alice("claim", "a.txt", `--reason=${quoting}`)).answer;
    expect([claim.actor, claim.reason]).toEqual([quoting, quoting]);
    const refused = (await as("bob")("claim", "a.txt")).answer.blockers[0];
    expect([refused.actor, refused.reason]).toEqual([quoting, quoting]);
    const { request } = (await as("bob")("release", "--ask", claim.id, `--reason=${quoting}`))
      .answer;
    expect([request.holder, request.reason]).toEqual([quoting, quoting]);
    const listed = (await alice("claims", "--mine")).answer;
    expect(listed.claims[0]).toMatchObject({ actor: quoting, reason: quoting });
    const { answer } = await alice(
      "transfer",
      "a.txt",
      "--to",
      `${quoting}2`,
      `--reason=${quoting}`,
    );
    expect(answer.claims[0].actor).toBe(`${quoting}2`);
    expect((await alice("events", "--last", "1")).answer.data).toMatchObject({
      to: `${quoting}2`,
      reason: quoting,
    });
    expect(existsSync(join(cwd, "owned"))).toBe(false);
  });

  it("C-02 targets with spaces, quotes and $() are what they say", async () => {
    const { cwd, as } = claimsProgram(runInside);
    for (const target of ["my file.txt", "it's.txt", "$(touch owned).txt", "name:größe", "-x"]) {
      const { answer } = await as("alice")("claim", "--", target);
      expect(answer.claim.target).toBe(target);
      const { stdout } = await runInside(["claim", "--as", "bob", "--", target], { cwd });
      const quoted = /^[-\w.:]+$/.test(target) ? target : `'${target.replace("'", `'\\''`)}'`;
      expect(stdout).toContain(target === "-x" ? "--wait 60s -- -x" : `headgate claim ${quoted} `);
    }
    expect(existsSync(join(cwd, "owned"))).toBe(false);
  });

  it("C07 escapes in reasons, names and targets never reach the terminal, and forge no line", async () => {
    const { cwd, as, startAs, untilWaiting } = claimsProgram(runInside);
    const hostile = "a\u001b]0;owned\u0007b\u001b[2Jc\u009b31md\re\bf\ng\u2028h";
    const dangerous =
      // oxlint-disable-next-line no-control-regex -- these are what must not appear.
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
    const forged = `${hostile}\nclear: everything`;
    const { claim } = (await as(hostile)("claim", "a.txt", `--reason=${forged}`)).answer;
    await as(hostile)("claim", `name:${"x"}`, "--ttl", "1s");
    await as(`${hostile}2`)("release", "--ask", claim.id, `--reason=${forged}`);
    startAs(`${hostile}3`, "claim", "a.txt", "--wait", "10m", `--reason=${forged}`);
    await untilWaiting(`${hostile}3`);
    for (const args of [
      ["claim", "a.txt"],
      ["claim", "a.txt", "b.txt", "--partial"],
      ["claim", "a.txt", "--wait", "100ms"],
      ["claim", hostile],
      ["check", "a.txt"],
      ["wait", "a.txt", "--timeout", "0"],
      ["claims"],
      ["claims", "--actor", hostile],
      ["release", "a.txt"],
      ["release", claim.id],
      ["release", "--ask", claim.id],
      ["renew", "--as", hostile],
      ["transfer", "--all", "--to", hostile],
      ["transfer", "a.txt", "--to", hostile],
      ["sweep", "--dry-run"],
      ["status"],
    ]) {
      const shown = await runInside(args, { cwd });
      expect(`${args.join(" ")}: ${dangerous.test(shown.stdout + shown.stderr)}`).toBe(
        `${args.join(" ")}: false`,
      );
      expect(shown.stdout).not.toMatch(/^clear: everything/m);
    }
  });
});
