import { expect, it } from "vitest";
import { asks } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { makeStage } from "./helpers/stage.ts";
import { describeInNetwork } from "./helpers/suite.ts";
import { newProject } from "../reviewers/project.ts";

const { claude } = clients;

describeInNetwork(`claude ${claude.version}: generated reviewers`, [claude], (network) => {
  it("A-06 the client knows all of them, and runs one with its text and its three tools only", async () => {
    const stage = makeStage(network(), { "a.txt": "a\n" });
    const reviewers = await newProject(stage.repo).open();
    const { done } = await reviewers.generate({ domains: reviewers.library.domainNames() });
    const review = "Review the last change.";
    const run = await stage.run(claude, () => ({
      main: [
        asks({
          name: "Agent",
          input: {
            subagent_type: "fd-simulation-kernel",
            description: "review",
            prompt: review,
            run_in_background: false,
          },
        }),
        { text: "done" },
      ],
      agents: { [review]: [{ text: "No findings." }] },
    }));
    const lines = run.stdout.split("\n").filter((line) => line.startsWith("{"));
    const [init] = lines
      .map((line) => JSON.parse(line) as { subtype?: string; agents?: string[] })
      .filter(({ subtype }) => subtype === "init");
    const known = init!.agents!.filter((name) => name.startsWith("fd-"));
    expect(known.toSorted()).toEqual(done.map(({ name }) => name).toSorted());
    const asked = run.requests().find(({ lastUserText }) => lastUserText.includes(review));
    expect(asked?.tools.toSorted()).toEqual(["Glob", "Grep", "Read"]);
    expect(JSON.stringify(asked?.body)).toContain("You run the kernel at 15 and at 240 frames");
    expect(run.toldAfter(0)).toContain("No findings.");
  });
});
