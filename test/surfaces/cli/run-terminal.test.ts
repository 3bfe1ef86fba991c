import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWith } from "../../helpers/not-run.ts";
import { run } from "../../helpers/program.ts";
import { openTerminal } from "../../helpers/terminal.ts";
import { layOutPlans, read, statusOf, treeOf } from "../../runs/scene.ts";
import { stateFolder } from "../../helpers/state-folder.ts";

const question = (task: string, what: string, file: string) => ({
  name: task,
  files: file,
  run: `echo "$PROMPT" | sed -n 's/^ *Answer: //p' > ${file}; test -s ${file} || { rm ${file}; echo 'HEADGATE: needs-decision ${what}'; }`,
  verify: `test -s ${file}`,
});
const agent = ["sh", "-c", 'PROMPT=$(cat); eval "$(echo "$PROMPT" | sed -n "s/^RUN: //p")"'];

const asking = () =>
  layOutPlans([
    { id: "01", tasks: [question("indent", "tabs or spaces? \\033[31mred", "b.txt")] },
    { id: "02", tasks: [question("name", "what name?", "c.txt")] },
  ]);

describeWith({ platforms: ["linux"], programs: ["python3"] }, "a run at a terminal", () => {
  it("L-05 asks before it runs commands, asks what agents asked, and goes on with the answers", async () => {
    const { root, plans } = asking();
    const terminal = openTerminal(["run", "start", plans, "--exec", ...agent], { cwd: root });
    await terminal.shows("01: test -s b.txt");
    await terminal.shows("Run them? [y/N]");
    terminal.type("y\r");
    await terminal.shows("tabs or spaces?");
    await terminal.shows("Answer now? [y/N]");
    terminal.type("yes\r");
    await terminal.shows("c1: your answer");
    terminal.type("tabs\r");
    await terminal.shows("c2: your answer");
    terminal.type("Ada Lovelace\r");
    expect(await terminal.ended, terminal.screen()).toBe(0);
    expect(terminal.screen()).not.toContain("\u001b[31mred");
    const tree = treeOf(root);
    expect([tree["b.txt"], tree["c.txt"]].toSorted()).toEqual(["Ada Lovelace", "tabs"]);
    expect(statusOf(root)).toBe("");
    const { stdout } = await run(["run", "status", "--json"], { cwd: root });
    const { run: shown } = JSON.parse(stdout);
    const file = join(stateFolder(root), "runs", shown.id, "clarifications.md");
    expect(read(file)).toContain("Ada Lovelace");
  });

  it("L-05 no answer, or none of the questions answered: the run waits, and says how to go on", async () => {
    const { root, plans } = asking();
    const args = ["run", "start", plans, "--yes", "--exec", ...agent];
    const terminal = openTerminal(args, { cwd: root });
    await terminal.shows("Answer now? [y/N]");
    terminal.type("\r");
    await terminal.shows(/next: .*run decide/);
    expect(await terminal.ended).toBe(1);
    const again = openTerminal(["run", "resume"], { cwd: root });
    await again.shows("Answer now? [y/N]");
    again.type("y\r");
    await again.shows("c1: your answer");
    again.type("tabs\r");
    await again.shows("c2: your answer");
    again.type("\r");
    // What was answered goes on; the other question stays open, and is asked again.
    await again.shows("committed as");
    await again.shows("Answer now? [y/N]");
    again.type("n\r");
    await again.shows(/next: .*run decide/);
    expect(await again.ended).toBe(1);
    const { stdout } = await run(["run", "status", "--json"], { cwd: root });
    const { notes } = JSON.parse(stdout) as { notes: { answer?: string }[] };
    expect(notes.map(({ answer }) => answer)).toEqual(["tabs", undefined]);
    const none = openTerminal(["run", "start", plans, "--exec", ...agent], { cwd: root });
    await none.shows("Run them? [y/N]");
    none.type("n\r");
    expect(await none.ended).toBe(1);
  });

  it("L-02 Ctrl-C at the terminal, also at a question: saved, exit 130; run status --watch sees it", async () => {
    const { root, plans } = asking();
    const args = ["run", "start", plans, "--yes", "--exec", ...agent];
    const terminal = openTerminal(args, { cwd: root });
    await terminal.shows("Answer now? [y/N]");
    terminal.type("\u0003");
    expect(await terminal.ended, terminal.screen()).toBe(130);
    const slow = openTerminal(["run", "retry", "--exec", "sleep", "600"], { cwd: root });
    await slow.shows("the agent works");
    const watcher = openTerminal(["run", "status", "--watch"], { cwd: root });
    await watcher.shows(/running for \d+ s/);
    await watcher.shows("claimed: ");
    slow.type("\u0003");
    expect(await slow.ended, slow.screen()).toBe(130);
    // It ends by itself when nobody carries the run out any more.
    expect(await watcher.ended).toBe(0);
    expect(watcher.screen()).toMatch(/paused[^]*interrupted/);
    expect(slow.screen()).toContain("saved; headgate run resume");
  });
});
