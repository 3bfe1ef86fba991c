import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/base/limits.ts";
import { startScene } from "./scene.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const scene = (run: string) =>
  startScene([
    { id: "01", after: [], tasks: [{ name: "talk", files: "a.txt", run, verify: "true" }] },
  ]);

describe("what agents print", () => {
  it("L-05 is there while they work, from both streams, and when they have ended", async () => {
    const { execute, headgate, id, root } = await scene(
      "echo reading; echo 'a warning' >&2; sleep 0.1; echo thinking; while [ ! -f ../go ]; do sleep 0.05; done; echo done; touch a.txt",
    );
    const running = execute();
    const lines = async () => (await headgate.runs.printed(id)).map((one) => one.lines.join("|"));
    // What was printed soon after the rest is not kept back until more comes.
    const all = expect.stringMatching(/^(?=.*reading)(?=.*a warning)(?=.*thinking)/);
    await expect.poll(lines).toEqual([all]);
    expect(await headgate.runs.printed(id)).toMatchObject([
      { plan: "01", task: 1, isAtWork: true },
    ]);
    writeFileSync(join(root, "../go"), "");
    await running;
    const [last] = await headgate.runs.printed(id);
    expect(last).toMatchObject({ isAtWork: false });
    expect(last?.lines.toSorted()).toEqual(["a warning", "done", "reading", "thinking"]);
  });

  it("L-05 is shown without colours, controls and what was written over, and only its end is kept", async () => {
    const { execute, headgate, id } = await scene(
      `printf '\\033[31mred\\033[0m\\n10 %%\\r90 %%\\r\\nbell\\007\\n'; touch a.txt`,
    );
    await execute();
    const [last] = await headgate.runs.printed(id);
    expect(last?.lines).toEqual(["red", "90 %", "bell\\u0007"]);
    const long = await scene(
      "head -c 300000 /dev/zero | tr '\\0' x | fold -w 99; echo; echo end; touch a.txt",
    );
    await long.execute();
    const [end] = await long.headgate.runs.printed(long.id);
    expect(end?.lines).toHaveLength(limits.runPrintedLinesMax);
    expect(end?.lines.at(-1)).toBe("end");
    const folder = join(stateFolder(long.root), "runs", long.id, "output");
    const [name = ""] = readdirSync(folder);
    const { size } = statSync(join(folder, name));
    expect(size).toBeLessThanOrEqual(limits.runPrintedBytesMax);
    // Without the rest of the line that was cut.
    expect(limits.runPrintedBytesMax - size).toBeLessThan(100);
  });

  it("L-05 E-26 holds no key that an agent or a verify command printed, nor does anything else of the run", async () => {
    const drawn = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
    const key = `ghp_${drawn}`;
    // The plan itself is the user's text, so the key is put together there.
    const say = (text: string) => `printf '${text.replace(key, "ghp_%s")}\\n' ${drawn}`;
    const { execute, headgate, id, root } = await startScene([
      {
        ...{ id: "01", after: [] },
        tasks: [
          {
            ...{ name: "talk", files: "a.txt" },
            run: `${say(`token: ${key}`)}; ${say(`HEADGATE: issue: found ${key}`)}; touch a.txt`,
            verify: `${say(key)}; exit 1`,
          },
        ],
      },
    ]);
    await execute();
    expect((await headgate.runs.printed(id)).flatMap(({ lines }) => lines).join()).toContain(
      "[secret]",
    );
    await headgate.close();
    const state = stateFolder(root);
    const names = readdirSync(state, { recursive: true, withFileTypes: true });
    const holding = names
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => readFileSync(path).includes(key));
    expect(holding).toEqual([]);
  });

  it("L-03 of the newest fifty agents only", async () => {
    const { execute, id, root } = await scene("echo hello; touch a.txt");
    const folder = join(stateFolder(root), "runs", id, "output");
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 60; n += 1)
      writeFileSync(join(folder, `ag_${String(n).padStart(3, "0")}.log`), "old");
    await execute();
    const names = readdirSync(folder).toSorted();
    expect(names).toHaveLength(limits.runHistoryMax);
    expect(names[0]).toBe("ag_011.log");
  });
});
