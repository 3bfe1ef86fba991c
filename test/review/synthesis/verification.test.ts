import { describe, expect, it } from "vitest";
import {
  type Finding,
  synthesize,
  toMarkdown,
  toText,
  toVerdict,
  type Verification,
} from "../../../src/review/index.ts";

const single: Finding = {
  ...{ id: "1", review: "r", reviewer: "safety", family: "claude", severity: "P0" },
  title: "Token is compared with ==",
  body: "An attacker measures the time.",
};
const other: Finding = {
  ...{ id: "2", review: "r", reviewer: "tests", family: "claude", severity: "P3" },
  title: "No test for the empty list",
};
const plain = synthesize([single, other]);
const blocker = plain.clusters[0]!;

const look = (more: Partial<Verification>): Verification => ({
  review: "r",
  cluster: blocker.id,
  outcome: "confirmed",
  by: "correctness",
  family: "gpt",
  reason: "the comparison is in line 4",
  ...more,
});
const looked = (...verifications: Verification[]) => synthesize([single, other], { verifications });

describe("V-04 a single-source P0 goes to verification", () => {
  it("V-04 it is neither trusted nor dropped: it blocks and is marked", () => {
    expect(plain.verdict).toBe("blocked");
    expect(blocker).toMatchObject({ severity: "P0", needsVerification: true });
    expect(plain.counts).toMatchObject({ needsVerification: 1, refuted: 0 });
  });

  it("V-04 confirmed: it is more probable and no longer to be verified", () => {
    const [cluster] = looked(look({})).clusters;
    expect(cluster).toMatchObject({
      id: blocker.id,
      needsVerification: false,
      verification: { outcome: "confirmed", by: "correctness" },
    });
    expect(cluster!.probability).toBeGreaterThan(blocker.probability);
  });

  it("V-05 a confirmation by a copy of the same model weighs less than another's", () => {
    const [own] = looked(look({ family: "claude" })).clusters;
    const [foreign] = looked(look({})).clusters;
    expect(own!.probability).toBeGreaterThan(blocker.probability);
    expect(foreign!.probability).toBeGreaterThan(own!.probability);
  });

  it("V-04 refuted: it stays in the list, keeps its severity, and blocks nothing", () => {
    const refuted = looked(look({ outcome: "refuted" }));
    expect(refuted).toMatchObject({ verdict: "go", go: true });
    expect(refuted.counts).toMatchObject({
      clusters: 2,
      refuted: 1,
      bySeverity: { P0: 1, P3: 1 },
    });
    expect(toVerdict(refuted).blockers).toEqual([]);
    const input = { synthesis: refuted, findings: [single, other] };
    expect(toText(input)).toContain("Refuted on a second look\n  P0  Token is compared with ==");
    expect(toMarkdown(input)).toContain("## Refuted on a second look");
  });

  it("V-04 unsure, or two looks that contradict each other, leave it as it was", () => {
    for (const looks of [
      [look({ outcome: "unsure" })],
      [look({}), look({ outcome: "refuted", by: "quality" })],
    ]) {
      const [cluster] = looked(...looks).clusters;
      expect(cluster).toMatchObject({
        needsVerification: true,
        probability: blocker.probability,
        verification: { outcome: "unsure" },
      });
    }
  });

  it("V-04 a command that reproduces it counts more than any opinion", () => {
    const [cluster] = looked(look({ outcome: "refuted" }), look({ by: "command" })).clusters;
    expect(cluster).toMatchObject({
      probability: 0.97,
      verification: { outcome: "confirmed", by: "command" },
    });
  });

  it("V-04 the order of looks changes nothing, and a look at another cluster neither", () => {
    const looks = [look({ outcome: "unsure" }), look({ by: "quality" })];
    expect(looked(...looks)).toEqual(looked(...looks.toReversed()));
    expect(looked(look({ cluster: "c-000000000000" })).clusters).toEqual(plain.clusters);
    expect(looked(look({ review: "another" })).clusters).toEqual(plain.clusters);
  });
});
