import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 shell: functions, variables of the script, sourced files", async () => {
  const { outline, shape, span, body, symbol, imports } = await outlined(
    "bash",
    `#!/bin/bash

# Says it.
say() { local x=1; echo "$1"; }
function loud { echo; } # behind
source ./lib.sh
. "other.sh"
A=1
export B=2 C=3
readonly D=4
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "function say",
    "function loud",
    "variable A",
    "variable B",
    "variable C",
    "constant D",
  ]);
  expect(span("say")).toBe('# Says it.\nsay() { local x=1; echo "$1"; }');
  expect(body("say")).toBe('{ local x=1; echo "$1"; }');
  expect(span("loud")).toBe("function loud { echo; } # behind");
  expect(span("D")).toBe("readonly D=4");
  expect(symbol("B").isExported).toBe(true);
  expect(imports).toEqual(["./lib.sh:", "other.sh:"]);
});
