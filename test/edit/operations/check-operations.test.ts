import { describe, expect, it } from "vitest";
import { planEdit } from "../../../src/edit/operations/index.ts";
import { treeOf } from "../../../src/gate/index.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

const analyser = sharedAnalyser();

describe("operations that are none", () => {
  it.each([
    [null, /^operation 2 is not an object$/],
    [{}, /^operation 2 has an unknown "do"; one of: add, modify/],
    [{ do: "fly", file: "a.py" }, /^operation 2 has an unknown "do" "fly"/],
    [{ do: "toString", file: "a.py" }, /^operation 2 has an unknown "do" "toString"/],
    [{ do: "modify", file: "a.py", symbol: "f" }, /^operation 2 \(modify\) needs "code"$/],
    [{ do: "remove", file: "a.py", symbol: 1 }, /^operation 2 \(remove\): "symbol" is not a text$/],
    [{ do: "delete", file: "a.py", force: true }, /^operation 2 \(delete\) has no field "force"$/],
    [
      { do: "replace", file: "a.py", old: "x", new: "y", nth: "1" },
      /^operation 2 \(replace\): "nth" is not a number$/,
    ],
  ])("E-05 %j is refused with what is wrong, and nothing is planned", async (wrong, message) => {
    const fine = { do: "replace", file: "a.py", old: "x", new: "y" };
    const operations = [fine, wrong] as never;
    const planned = planEdit(operations, { analyser, tree: treeOf({ "a.py": "x = 1\n" }) });
    await expect(planned).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringMatching(message),
    });
  });
});
