import { expect, it } from "vitest";
import { languageOf } from "../../../src/structure/index.ts";
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

it.each([
  ["#!/bin/sh\n", "bash"],
  ["#! /bin/bash -e\n", "bash"],
  ["#!/usr/bin/env bash\n", "bash"],
  ["#!/usr/bin/env -S PYTHONPATH=lib python3.12 -u\n", "python"],
  ["#!/usr/bin/env node\n", "javascript"],
  ["#!/usr/local/bin/ruby\n", "ruby"],
  ["#!/usr/bin/env zsh\n", "text"],
  ["#!/usr/bin/perl\n", "text"],
  ["# no script\n", "text"],
])("E-01 a script without an ending says who runs it: %j is %s", (first, language) => {
  expect(languageOf("bin/deploy", `${first}echo 1\n`)).toBe(language);
});

it("E-17 a script that names zsh or fish is not read as one of sh", () => {
  expect(languageOf("a.sh", "#!/usr/bin/env zsh\nls *(.)\n")).toBe("text");
  expect(languageOf("a.sh", "ls\n")).toBe("bash");
});
