import { describe, expect, it } from "vitest";
import { shellLimits } from "../../src/surfaces/hooks/shell/index.ts";
import { twoAgents } from "../surfaces/hooks/shell/two-agents.ts";

describe("many sub-commands in one line", () => {
  it.each([1, 49, 50, 51, 100, shellLimits.commandsMax - 1])(
    "B06 a forbidden write behind %i harmless ones is refused",
    async (count) => {
      const { judge, hold } = await twoAgents();
      await hold(["src/a.ts"]);
      for (const glue of ["; ", " && ", " | ", "\n"]) {
        const command = `${`true${glue}`.repeat(count)}tee src/a.ts`;
        expect((await judge(command))[0]?.code, glue).toBe("CLAIM_CONFLICT");
      }
    },
  );

  it.each([
    ["commands", "true; ".repeat(shellLimits.commandsMax)],
    ["levels of substitution", `echo ${"$(".repeat(100)}true${")".repeat(100)}; `],
    ["levels of subshells", `${"( ".repeat(100)}true${" )".repeat(100)}; `],
    ["characters", `echo ${"a".repeat(shellLimits.textLengthMax)}; `],
  ])("B06 more %s than can be read: refused, not let through", async (_, front) => {
    const { judge, hold } = await twoAgents();
    await hold(["src/a.ts"]);
    const [reason] = await judge(`${front} echo evil > src/a.ts`);
    expect(reason?.code).toBe("INPUT_TOO_LARGE");
  });

  it("B06 commands inside texts for other shells count as well", async () => {
    const { judge, hold } = await twoAgents();
    await hold(["src/a.ts"]);
    const half = "true; ".repeat(shellLimits.commandsMax / 2);
    const [reason] = await judge(`bash -c '${half}'; sh -c '${half}'; echo evil > src/a.ts`);
    expect(reason?.code).toBe("INPUT_TOO_LARGE");
  });
});
