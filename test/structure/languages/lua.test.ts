import { expect, it } from "vitest";
import { outlined } from "./outlined.ts";

it("E-01 Lua: functions, methods of tables, variables, required modules", async () => {
  const { outline, shape, span, symbol, imports } = await outlined(
    "lua",
    `local x = require("a.b")
-- Opens.
function open(a) return a end
local function hidden() end
function Door.new() end
function Door:shut() end
Door.twice = function() end
limit = 1
`,
  );
  expect(outline.problems).toEqual([]);
  expect(shape).toEqual([
    "variable x",
    "function open",
    "function hidden",
    "method Door.new",
    "method Door.shut",
    "method Door.twice",
    "variable limit",
  ]);
  expect(span("open")).toBe("-- Opens.\nfunction open(a) return a end");
  expect(span("x")).toBe('local x = require("a.b")');
  expect(symbol("hidden").isPrivate).toBe(true);
  expect(imports).toEqual(["a.b:"]);
});
