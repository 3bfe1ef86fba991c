import { describe, expect, it } from "vitest";
import { cleanProbes, faultBank, probeFor, scoreProbe } from "../../../src/review/faults/index.ts";
import type { Finding } from "../../../src/review/index.ts";
import { rosterNames } from "../../../src/reviewers/index.ts";
import { Analyser } from "../../../src/structure/index.ts";

const finding = (path: string, line: number, severity: Finding["severity"]): Finding => ({
  ...{ id: `${path}:${line}`, review: "r", reviewer: "x", title: "t", path, line },
  ...(severity && { severity }),
});

describe("the bank of planted faults", () => {
  it("has at least two faults and a clean file for every built-in reviewer", () => {
    for (const name of rosterNames) {
      const { faults, clean } = probeFor({ name });
      expect(faults.length, name).toBeGreaterThanOrEqual(2);
      expect(clean.length, name).toBeGreaterThanOrEqual(1);
    }
  });

  it("names each fault once, with a place inside its file and no trace of the mark", () => {
    const ids = [...faultBank, ...cleanProbes].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const paths = [...faultBank, ...cleanProbes].map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { content, line, id } of faultBank) {
      expect(content.split("\n")[line - 1]?.trim(), id).not.toBe("");
      expect(content, id).not.toContain("◀");
    }
  });

  it("is made of files that parse: a fault is never a syntax error", async () => {
    const analyser = new Analyser();
    try {
      for (const { path, content, id } of [...faultBank, ...cleanProbes]) {
        const { errors } = await analyser.syntax(content, path);
        expect(errors, id).toEqual([]);
      }
    } finally {
      analyser.close();
    }
  });
});

describe("counting what a reviewer found", () => {
  const probe = probeFor({ name: "safety" });
  const all = probe.faults.map(({ path, line }) => finding(path, line + 2, "P1"));

  it("near the place and not a remark is found; elsewhere, or P3, is not", () => {
    expect(scoreProbe("safety", probe, all)).toMatchObject({ missed: [], qualified: true });
    const far = probe.faults.map(({ path, line }) => finding(path, line + 4, "P0"));
    expect(scoreProbe("safety", probe, far)).toMatchObject({ found: [], qualified: false });
    const remarks = probe.faults.map(({ path, line }) => finding(path, line, "P3"));
    expect(scoreProbe("safety", probe, remarks).found).toEqual([]);
  });

  it("who reports everything is not qualified by it", () => {
    const wolves = probe.clean.map(({ path }) => finding(path, 1, "P0"));
    const half = all.slice(0, probe.clean.length);
    expect(scoreProbe("safety", probe, [...half, ...wolves])).toMatchObject({ qualified: false });
    expect(scoreProbe("safety", probe, [])).toMatchObject({ qualified: false });
  });

  it("a reviewer of a domain is tried on the domain's faults, an unknown one on none", () => {
    const { faults } = probeFor({ name: "fd-endpoint-contract", domain: "web-api" });
    expect(faults.map(({ id }) => id)).toContain("domain/retried-payment");
    expect(probeFor({ name: "somebody" }).faults).toEqual([]);
    expect(scoreProbe("somebody", { faults: [], clean: [] }, [])).toMatchObject({
      planted: 0,
      qualified: false,
    });
  });
});
