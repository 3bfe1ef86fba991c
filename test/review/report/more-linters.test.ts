import { describe, expect, it } from "vitest";
import { readAnyReport } from "../../../src/review/index.ts";

const read = (text: string) =>
  readAnyReport(text, { review: "r", reviewer: "lint", root: "/home/x/app" }).report;

describe("V-06 what linters print", () => {
  it("checkstyle: files, lines, rules, entities; a path of the repository is made relative", () => {
    const { findings, state } = read(
      `<?xml version="1.0"?>\n<checkstyle version="4.3">\n<!-- <error message="no"/> --><file name="/home/x/app/a/b.sh"><error line="3" column="5" severity="info" message='Use &quot;x&quot; &amp; &#60;y>' source="ShellCheck.SC2086" /></file><file name="/etc/passwd"><error line="1" severity="error" message="outside"/></file></checkstyle>`,
    );
    expect(state).toBe("strict");
    expect(findings).toMatchObject([
      { path: "a/b.sh", line: 3, severity: "P3", title: 'Use "x" & <y>', rule: "SC2086" },
      { title: "outside", severity: "P1" },
    ]);
    expect(findings[1]).not.toHaveProperty("path");
  });

  it("JUnit: the tests that failed, with what they said", () => {
    const { findings } = read(
      `<testsuites><testsuite name="s"><testcase name="adds" file="test/a.test.js" line="7"><failure message="1 is not 2"><![CDATA[at <a>\nb]]></failure></testcase><testcase name="fine"/><testcase name="breaks"><error>boom</error></testcase></testsuite></testsuites>`,
    );
    expect(findings).toMatchObject([
      { title: "adds: 1 is not 2", path: "test/a.test.js", line: 7, body: "at <a>\nb" },
      { title: "breaks: boom" },
    ]);
  });

  it("ESLint JSON: messages by file", () => {
    const { findings } = read(
      `[{"filePath":"/home/x/app/src/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is not defined.","line":4}]},{"filePath":"/home/x/app/b.js","messages":[]}]`,
    );
    expect(findings).toMatchObject([
      { path: "src/a.js", line: 4, severity: "P1", rule: "no-undef" },
    ]);
    expect(read("[]").findings).toEqual([]);
  });

  it("V-07 half a file, foreign XML and a million tags end; prose stays prose", () => {
    expect(read("<html><body>fine</body></html>").state).not.toBe("strict");
    expect(read("<checkstyle><file name='a'><error line='1' message='m").findings).toEqual([]);
    const many = `<checkstyle>${"<file name='a'>".repeat(100_000)}</checkstyle>`;
    expect(read(many).findings).toEqual([]);
    expect(() => read('[{"filePath":')).toThrow(/ESLint JSON/);
  });
});
