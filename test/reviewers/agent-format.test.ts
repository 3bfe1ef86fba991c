import { expect, it } from "vitest";
import { parse } from "yaml";
import { newProject } from "./project.ts";

it("A-06 every generated file is a sub-agent file of the client, read-only and with the contract", async () => {
  const project = newProject();
  const reviewers = await project.open();
  const domains = reviewers.library.domainNames();
  const report = await reviewers.generate({ domains });
  expect(report.ok).toBe(true);
  expect(project.files().length).toBe(report.done.length);
  expect(report.done.length).toBeGreaterThanOrEqual(35);
  for (const file of project.files()) {
    const text = project.read(file);
    const [, front, body] = /^---\n([^]*?)\n---\n\n([^]+)$/.exec(text)!;
    const head = parse(front!) as Record<string, string>;
    // What the client reads; it ignores the file when name or description are missing.
    expect(Object.keys(head), file).toEqual(["name", "description", "tools", "model"]);
    expect(`${head["name"]}.md`).toBe(file);
    expect(head["name"]).toMatch(/^[a-z][a-z0-9-]{2,63}$/);
    expect(head["description"], file).toMatch(/^Use for [^\n]{40,}$/);
    expect(head["tools"]!.split(", ").toSorted()).toEqual(["Glob", "Grep", "Read"]);
    expect(head["model"]).toBe("inherit");
    expect(body, file).toContain("### Findings Index");
    for (const severity of ["P0", "P1", "P2"]) expect(body, file).toContain(`- **${severity}**: `);
    expect(text, file).toMatch(
      /\n\n<!-- headgate:reviewer name=[a-z-]+ domain=[a-z-]+ template=sha256:[0-9a-f]{64} -->\n$/,
    );
    expect(text, file).not.toMatch(/undefined|\[object|\{agent\}|\{marker\}/);
    // A prompt, not a book: a reviewer's instructions are read on every run.
    expect(Buffer.byteLength(text), file).toBeLessThan(10_000);
  }
});
