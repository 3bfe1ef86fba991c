import { expect, it } from "vitest";
import { claimsProgram, type Printed } from "../helpers/claims-program.ts";
import { faketimeLibrary } from "../helpers/faketime.ts";
import { describeWith } from "../helpers/not-run.ts";
import { run } from "../helpers/program.ts";

describeWith(
  { platforms: ["linux"], programs: ["faketime"] },
  "F04 a caller whose clock is wrong",
  () => {
    it.each(["+2h", "-2h"])(
      "F04 G4 %s: neither gets what is held, nor ends it, nor makes its own last longer",
      async (shift) => {
        const { as, cwd } = claimsProgram();
        const env = {
          LD_PRELOAD: faketimeLibrary()!,
          FAKETIME: shift,
          FAKETIME_DONT_FAKE_MONOTONIC: "1",
        };
        const shifted = async (
          ...args: string[]
        ): Promise<{ code: number | null; answer: Printed }> => {
          const { code, stdout } = await run([...args, "--json", "--as", "mallory"], { cwd, env });
          return { code, answer: JSON.parse(stdout) as Printed };
        };
        const { claim } = (await as("alice")("claim", "a.txt", "--ttl", "10m")).answer;
        const refused = await shifted("claim", "a.txt");
        expect(refused).toMatchObject({ code: 1, answer: { blockers: [{ id: claim.id }] } });
        expect((await shifted("sweep")).answer).toMatchObject({ expired: [], reclaimed: [] });
        // What she is granted ends after its time for everybody else, too.
        const own = (await shifted("claim", "b.txt", "--ttl", "1s")).answer.claim;
        expect(Math.abs(Date.parse(own.grantedAt) - Date.now())).toBeGreaterThan(3_600_000);
        const waited = await as("alice")("claim", "b.txt", "--wait", "10m");
        expect(waited).toMatchObject({ code: 0, answer: { claim: { actor: "alice" } } });
      },
    );
  },
);
