import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import {
  addMember,
  cutItems,
  cutKey,
  type Member,
  requireObject,
} from "../../../src/surfaces/setup/json-members.ts";
import { SetupRefusal } from "../../../src/surfaces/setup/types.ts";

const ours = { command: ".headgate/hook x" };
const isOurs = (item: unknown) => (item as { command?: string })?.command === ours.command;
const item: Member = { kind: "item", keys: ["hooks", "Stop"], value: ours };
const server: Member = { kind: "key", keys: ["mcpServers", "headgate"], value: ours };

const files = [
  "{\n}\n",
  "{}",
  `{ "a": 1 }`,
  `{\n  // mine\n  "a": 1, // behind\n  "hooks": { "Stop": [ { "command": "echo" } ] }\n}\n`,
  `{\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "command": "echo" } /* x */\r\n\t\t]\r\n\t},\r\n}\r\n`,
  `{\n    "mcpServers": {\n        "other": { "command": "x" }\n    }\n}`,
  `{ "hooks": { "Start": [] } }`,
  `{ "hooks": { "Stop": [] }, "mcpServers": {} }`,
];

describe("members of a JSON file of somebody else's", () => {
  it.each(files)("are added and cut out again without a trace: %j", (text) => {
    let added = addMember(addMember(text, item), server);
    const value = parse(added) as { hooks: { Stop: unknown[] }; mcpServers: { headgate: unknown } };
    expect(value.hooks.Stop.at(-1)).toEqual(ours);
    expect(value.mcpServers.headgate).toEqual(ours);
    added = cutKey(added, server.keys, text);
    expect(cutItems(added, item.keys, isOurs, text)).toBe(text);
  });

  it("leave every foreign byte in place, whatever the file holds", () => {
    // As text: JSON.parse keeps a key named __proto__, an object literal and jsonc-parser lose it.
    const written = fc
      .dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4, noNullPrototype: true })
      .map((value) => {
        const { hooks: _, mcpServers: __, ...foreign } = value;
        return JSON.stringify(foreign);
      });
    const indents = fc.constantFrom(undefined, 2, 4, "\t");
    fc.assert(
      fc.property(written, indents, (foreign, indent) => {
        const text = JSON.stringify(JSON.parse(foreign), undefined, indent);
        const added = addMember(addMember(text, server), item);
        const { hooks, mcpServers, ...rest } = JSON.parse(added) as Record<string, unknown>;
        expect({ hooks, mcpServers }).toEqual({
          hooks: { Stop: [ours] },
          mcpServers: { headgate: ours },
        });
        expect(JSON.stringify(rest)).toBe(foreign);
        expect(cutKey(cutItems(added, item.keys, isOurs, text), server.keys, text)).toBe(text);
      }),
      {
        numRuns: 300,
        examples: [
          [`{" ":[{"__proto__":0}]}`, undefined],
          [`{"__proto__":{"hooks":{"Stop":[1]}}}`, 2],
          [`{"":0,"constructor":{"__proto__":null}}`, 2],
          [`{"a":"\\ud800","b":"\\u0000"}`, "\t"],
        ],
      },
    );
  });

  it("go alone: what was put around them later stays", () => {
    const added = addMember(`{\n  "a": 1\n}\n`, item);
    const later = added.replace(`"a": 1`, `"a": 1,\n  // theirs\n  "b": [2]`);
    expect(cutItems(later, item.keys, isOurs)).toBe(`{\n  "a": 1,\n  // theirs\n  "b": [2]\n}\n`);
  });

  it("keep a comment that stands between them and their neighbour", () => {
    const text = `{ "hooks": { "Stop": [1, /* why */ { "command": ".headgate/hook x" }, 2] } }`;
    const cut = cutItems(text, item.keys, isOurs);
    expect(cut).toContain("/* why */");
    expect(parse(cut)).toEqual({ hooks: { Stop: [1, 2] } });
  });

  it("are cut out of a group that holds somebody else's handler too", () => {
    const text = `{"hooks":{"Stop":[{"hooks":[{"command":"echo"},{"command":".headgate/hook x"}]}]}}`;
    expect(cutItems(text, item.keys, isOurs)).toBe(
      `{"hooks":{"Stop":[{"hooks":[{"command":"echo"}]}]}}`,
    );
  });

  it("refuse a file that is broken, with the place", () => {
    expect(() => requireObject(`{\n  "a": \n}`)).toThrow(/line 3, column 1/);
    expect(() => requireObject(`{ "a": 1, "a": 2 }`)).toThrow(/occurs twice/);
    expect(() => requireObject("[]")).toThrow(SetupRefusal);
  });

  it("refuse a place that is taken by something else", () => {
    expect(() => addMember(`{"hooks": "none"}`, item)).toThrow("hooks is not an object");
    expect(() => addMember(`{"hooks": {"Stop": {}}}`, item)).toThrow("hooks.Stop is not a list");
  });
});
