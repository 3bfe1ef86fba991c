import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { judge } from "../../src/without-repository.ts";
import { setupPlace } from "../helpers/setup-place.ts";

it("B05 an agent cannot change Headgate's own files with its edit tools, whatever the configuration says", async () => {
  const place = setupPlace({ ".headgate/config.jsonc": `{ "gate": { "protect": [] } }` });
  expect((await place.headgate("init", "--yes", "--client", "claude")).code).toBe(0);
  const write = (path: string) =>
    spawnSync(join(place.root, ".headgate/hook"), ["claude"], {
      cwd: place.root,
      env: { PATH: "/usr/bin:/bin", HOME: place.home },
      encoding: "utf8",
      input: JSON.stringify({
        session_id: "s1",
        cwd: place.root,
        hook_event_name: "PreToolUse",
        tool_name: "Write",
        tool_input: { file_path: `${place.root}/${path}`, content: "x\n" },
        tool_use_id: path,
      }),
    });
  for (const [path, code] of [
    [".headgate/hook", "PATH_OWN"],
    [".headgate/local/runtime", "PATH_OWN"],
    [".headgate/local/installed.json", "PATH_OWN"],
    [".headgate/local/token", "PATH_OWN"],
    ["src/../.headgate/hook", "PATH_OWN"],
    [".git/hooks/pre-commit", "PATH_GIT"],
    [".git/headgate-hook", "PATH_GIT"],
  ]) {
    const { status, stderr } = write(path!);
    expect([path, status, stderr.split("\n")[0]]).toEqual([
      path,
      2,
      expect.stringContaining(`Headgate refused this Write: ${code}`),
    ]);
  }
  expect(write("notes.txt").status).toBe(0);
});

const settings = `{
  "permissions": { "allow": [] },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Edit", "hooks": [{ "type": "command", "command": ".headgate/hook claude" }] }
    ]
  }
}
`;

it.each([
  ["takes the call out", settings.replace('".headgate/hook claude"', '"true"')],
  ["gives it no time", settings.replace('"type"', '"timeout": 0, "type"')],
  ["narrows what it is called for", settings.replace('"matcher": "Edit"', '"matcher": "Nothing"')],
  ["switches all hooks off", settings.replace("{\n", '{\n  "disableAllHooks": true,\n')],
  ["deletes the file", null],
])(
  "B05 a change of the client's settings that %s is refused, whatever is insisted on",
  async (_, after) => {
    const path = ".claude/settings.json";
    const overrides = [{ code: "PATH_PROTECTED", reason: "I know better" }];
    const { verdict, reasons } = await judge(
      { writes: [{ path, after }], overrides },
      { files: { [path]: settings } },
    );
    expect([verdict, reasons[0]?.code]).toEqual(["deny", "PATH_PROTECTED"]);
  },
);

it("B05 the rest of the client's settings is the agent's own affair", async () => {
  const path = ".claude/settings.json";
  const after = settings.replace("[]", '["Bash(ls)"]');
  const { verdict } = await judge({ writes: [{ path, after }] }, { files: { [path]: settings } });
  expect(verdict).toBe("allow");
});
