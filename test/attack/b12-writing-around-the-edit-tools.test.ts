import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRing } from "../../src/surfaces/hooks/ring/index.ts";
import { ada, bob, twoAgents } from "../surfaces/hooks/shell/two-agents.ts";

/** Each changes src/a.ts, which bob holds. Refused before, or noticed after: none of them goes unseen. */
const ways: readonly (readonly ["refused" | "noticed", string])[] = [
  ["refused", "echo evil > src/a.ts"],
  ["refused", "echo evil >| ./src/../src/a.ts"],
  ["refused", "cat > src/a.ts <<'EOF'\nevil\nEOF"],
  ["refused", "cat <<EOF | tee src/a.ts\nevil\nEOF"],
  ["refused", "sed -i 's/1/evil/' src/a.ts"],
  ["refused", "perl -pi -e 's/1/evil/' src/a.ts"],
  ["refused", "cp src/b.ts src/a.ts"],
  ["refused", "mv src/b.ts src/a.ts"],
  ["refused", "rm src/a.ts"],
  ["refused", "dd if=/dev/null of=src/a.ts 2>/dev/null"],
  ["refused", "truncate -s 0 src/a.ts"],
  ["refused", "(cd src; { echo evil; } > a.ts)"],
  ["refused", "bash -c 'sh -c \"echo evil > src/a.ts\"'"],
  ["refused", "true && env X=1 nice tee src/a.ts < src/b.ts"],
  ["refused", "if true; then for i in 1; do echo evil > src/a.ts; done; fi"],
  ["refused", "echo $(echo evil > src/a.ts)"],
  [
    "refused",
    "patch -p1 <<'EOF'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1;\n+evil\nEOF",
  ],
  ["noticed", "f=src/a.ts; echo evil > $f"],
  ["noticed", "echo evil > src/a.t?"],
  ["noticed", "echo evil > src/a.{ts,js}x; for f in src/a.*; do echo evil > $f; done"],
  ["noticed", 'eval "echo evil > $(printf src/a.ts)"'],
  ["noticed", "echo 'echo evil > src/a.ts' | sh"],
  ["noticed", "g() { echo evil > src/a.ts; }; g"],
  ["noticed", "node -e \"require('fs').writeFileSync('src/a.ts', 'evil')\""],
  ["noticed", "python3 -c \"open('src/a.ts', 'w').write('evil')\""],
  ["noticed", "find src -name a.ts | xargs sed -i s/1/evil/"],
  ["noticed", "find src -name a.ts -delete"],
  [
    "noticed",
    "printf -- '--- a/src/a.ts\\n+++ b/src/a.ts\\n@@ -1 +1 @@\\n-export const a = 1;\\n+evil\\n' | git apply",
  ],
  [
    "noticed",
    "printf 'evil\\n' > x.txt && tar cf x.tar --transform 's,x.txt,src/a.ts,' x.txt && tar xf x.tar",
  ],
  ["noticed", "printf 'x\\nw\\nq\\n' > /dev/null; cat src/b.ts | awk '{ print > \"src/a.ts\" }'"],
  ["noticed", "cp -r src copy && echo evil > copy/a.ts && cp -r copy/. src"],
];

const isThere = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

describe("writing around the edit tools", () => {
  it.each(ways)("B12 %s: %s", async (expected, command) => {
    if (command.startsWith("python3") && !isThere("python3")) return;
    const { root, judge, hold, headgate, claims } = await twoAgents();
    await hold(["src/a.ts"]);
    const before = readFileSync(join(root, "src/a.ts"), "utf8");
    const ringOf = (actor: string) =>
      openRing({
        root,
        kind: "git",
        localDir: headgate.repository.localDir,
        claims: claims(actor),
        emit: (event) => headgate.events.append(event),
      });

    const reasons = await judge(command);
    expect(reasons.length > 0 ? "refused" : "noticed").toBe(expected);
    await ringOf(ada).before({ tool: "Bash" });
    spawnSync("bash", ["-c", command], { cwd: root, stdio: "ignore" });
    const after = existsSync(join(root, "src/a.ts"))
      ? readFileSync(join(root, "src/a.ts"), "utf8")
      : "";
    expect(after, "the command does what it is listed for").not.toBe(before);

    const report = await ringOf(ada).after({ tool: "Bash" });
    const found = report.ungated.find(({ path }) => path === "src/a.ts");
    expect(found).toMatchObject({ holders: [bob] });
    expect(report.text).toContain("around the gate");
    expect((await ringOf(bob).takeMessages()).join()).toContain("src/a.ts");
    const { events } = await headgate.events.page({ kind: "write.ungated" });
    expect(events).toMatchObject([{ actor: ada }]);
  });

  it("C01 a command that is read is never run, whatever stands in it", async () => {
    const { root, judge, hold } = await twoAgents();
    await hold(["src/a.ts"]);
    const mark = join(root, "mark");
    for (const command of [
      `echo $(touch ${mark}) > src/b.ts`,
      `touch ${mark}; git stash`,
      `echo \`touch ${mark}\` > "src/a.ts"`,
      `git checkout -- '$(touch ${mark})' ; \n touch ${mark}`,
      `git -c core.fsmonitor='touch ${mark}' stash`,
    ]) {
      await judge(command);
      expect(existsSync(mark), command).toBe(false);
    }
  });
});
