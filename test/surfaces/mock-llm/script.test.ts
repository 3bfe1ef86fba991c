import { describe, expect, it } from "vitest";
import { parseScript } from "../../../src/surfaces/mock-llm/index.ts";

const read = (text: string) => parseScript(text, "play.jsonc");

describe("a script of mock-llm", () => {
  it("is a list of steps, a conversation, or several, with comments", async () => {
    expect(await read('["hello", { "text": "bye" }] // that is all')).toEqual({
      conversations: [{ steps: [[{ text: "hello" }], [{ text: "bye" }]] }],
    });
    expect(await read('{ "when": "go", "steps": [{ "calls": [{ "name": "ls" }] },] }')).toEqual({
      conversations: [{ when: "go", steps: [[{ calls: [{ name: "ls", input: {} }] }]] }],
    });
    const several = `{ "conversations": [
      { "when": "helper", "withoutTools": true, "steps": [] },
      { "steps": [[{ "when": "refused", "text": "a" }, { "status": 500, "times": 2, "delayMs": 5 }]] },
    ] }`;
    expect(await read(several)).toEqual({
      conversations: [
        { when: "helper", withoutTools: true, steps: [] },
        {
          steps: [
            [
              { when: "refused", text: "a" },
              { status: 500, times: 2, delayMs: 5 },
            ],
          ],
        },
      ],
    });
  });

  it.each([
    ["", "play.jsonc:1:1: the script is empty"],
    ["[1,\n 2", "play.jsonc:2:3: not valid JSON here: close bracket expected"],
    [
      '[\n  { "txet": "a" }]',
      'play.jsonc:2:5: unknown word "txet"; known here: when, text, repeat, calls,',
    ],
    ['[{ "text": 1 }]', 'play.jsonc:1:12: "text" must be a text'],
    ['[{ "when": "x" }]', 'play.jsonc:1:2: a step needs "text", "calls" or a fault'],
    ['[{ "text": "a", "text": "b" }]', 'play.jsonc:1:17: "text" is given twice'],
    ['[{ "calls": {} }]', 'play.jsonc:1:13: "calls" must be a list'],
    ['[{ "calls": [{ "input": {} }] }]', 'play.jsonc:1:14: a call needs "name"'],
    ['[{ "calls": [{ "name": "a", "input": 3 }] }]', '"input" must be an object, or a text'],
    ['[{ "status": 200 }]', 'play.jsonc:1:14: "status" must be a whole number from 400 to 599'],
    ['[{ "text": "a", "times": 1 }]', '"times" belongs to "status", "cut" or "garbage"'],
    ['[{ "cut": "yes" }]', '"cut" must be true or false'],
    ["[[]]", "play.jsonc:1:2: no alternative is given"],
    ["[3]", "play.jsonc:1:2: must be an object"],
    ['{ "when": "a" }', 'play.jsonc:1:1: a conversation needs "steps", a list'],
    ['{ "conversations": [] }', "there is no conversation"],
    ['{ "conversations": [{ "steps": [] }], "steps": [] }', '"steps" belongs into one of'],
    ['{ "steps": "a" }', '"steps" must be a list'],
  ])("says in one line what is wrong with %j, and where", async (text, problem) => {
    const error = await read(text).catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ code: "MOCK_SCRIPT_INVALID" });
    expect((error as Error).message).toContain(problem);
    expect((error as Error).message).not.toContain("\n");
  });
});
