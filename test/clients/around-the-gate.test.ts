import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { put } from "../helpers/temporary-folder.ts";
import { armClients } from "./helpers/arm-client.ts";
import { asks, type Client, type Place } from "./helpers/client.ts";
import { clients } from "./helpers/clients.ts";
import { makeStage } from "./helpers/stage.ts";
import { describeInNetwork } from "./helpers/suite.ts";
import { stateFolder } from "../helpers/state-folder.ts";

const { claude, codex } = clients;
const files = {
  "twice.ts": "export class Counter {\n  count(): number {\n    return 1;\n  }\n}\n",
  "claimed.ts": "export const mine = 1;\n",
  "plain.ts": "export const plain = 1;\n",
};
const doubled = "    return 1;\n  }\n  count(): number {\n    return 2;\n  }\n";

const readFirst = (client: Client, place: Place, file: string) => {
  const read = client.read(place, file);
  return read ? asks(read) : asks(client.shell("true"));
};

describeInNetwork("a server that is gone or lies", [claude, codex], (network) => {
  it.each([{ client: claude }, { client: codex }])(
    "$client.name: the server is killed -9 in the middle; the next edit is judged all the same",
    async ({ client }) => {
      const stage = makeStage(network(), files);
      await armClients(stage, client);
      const server = await stage.up();
      const go = join(stage.repo, "../go");
      const run = await stage.start(client, (place) => [
        readFirst(client, place, "twice.ts"),
        {
          ...asks(client.replace(place, "twice.ts", "    return 1;\n  }\n", doubled)),
          untilFile: go,
        },
        { text: "done" },
      ]);
      await run.reached(1);
      server.child.kill("SIGKILL");
      await server.ended;
      expect(stage.isServed()).toBe(true); // Its files are still there.
      put(go);
      const { code, stdout } = await run.ended;
      expect(code, stdout).toBe(0);
      expect(run.toldAfter(1)).toContain("DUPLICATE_SYMBOL");
      expect(stage.file("twice.ts")).toBe(files["twice.ts"]);
    },
  );

  it.each(["0\n", "", "<html>", "2\nhalf a rea"])(
    "codex: something else answers on the server's socket with %j; nothing passes for it",
    async (answer) => {
      const stage = makeStage(network(), files);
      await armClients(stage, codex);
      stage.forbidServer();
      const script = put(
        join(stage.repo, "../liar.mjs"),
        `import { createServer } from "node:http";
createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  console.log("asked " + (text === "" ? request.url : JSON.parse(text).hook_event_name));
  response.end(${JSON.stringify(answer)});
}).listen(process.argv[2], () => console.log("listens"));`,
      );
      const socket = join(stateFolder(stage.repo), "socket");
      const liar = stage.node(script, socket);
      await liar.until(/listens/);
      writeFileSync(join(stateFolder(stage.repo), "socket-path"), `${socket}\n`);
      writeFileSync(join(stateFolder(stage.repo), "hook-mark"), "the server's own\n");
      const run = await stage.run(codex, (place) => [
        asks(codex.replace(place, "twice.ts", "    return 1;\n  }\n", doubled)),
        { text: "done" },
      ]);
      await liar.until(/asked PreToolUse/);
      expect(run.toldAfter(0)).toContain("DUPLICATE_SYMBOL");
      expect(stage.file("twice.ts")).toBe(files["twice.ts"]);
    },
  );
});

describeInNetwork("B12 writing past the edit tools", [claude, codex], (network) => {
  it.each([{ client: claude }, { client: codex }])(
    "$client.name: certain writes to a claimed file are refused, others are found and said",
    async ({ client }) => {
      const stage = makeStage(network(), files);
      await armClients(stage, client);
      const claim = await stage.headgate("claim", "claimed.ts", "--as", "ada", "--ttl", "10m");
      expect(claim).toMatchObject({ code: 0 });
      const script = join(stage.repo, "../sneak.sh");
      put(script, `echo 'export const plain = 2;' > ${join(stage.repo, "plain.ts")}\n`);
      const run = await stage.run(client, (place) => [
        asks(client.shell("echo 'export const mine = 2;' > claimed.ts")),
        asks(client.shell(`sh ${script}`)),
        readFirst(client, place, "twice.ts"),
        asks(client.write(place, "new.ts", "export {};\n")),
        { text: "done" },
      ]);
      expect(run.toldAfter(0)).toContain("CLAIM_CONFLICT");
      expect(stage.file("claimed.ts")).toBe(files["claimed.ts"]);
      // Nobody could know: the file is written, and it does not stay unsaid.
      expect(stage.file("plain.ts")).toBe("export const plain = 2;\n");
      const { stdout } = await stage.headgate("events", "--json");
      const found = stdout.split("\n").filter((line) => line.includes("write.ungated"));
      expect(found.join("\n")).toContain("plain.ts");
      const said = run
        .requests()
        .map(({ body }) => JSON.stringify(body))
        .at(-1);
      expect(said).toMatch(
        /plain\.ts[^"]*(past|around|without|ungated)|(past|around|without|ungated)[^"]*plain\.ts/,
      );
    },
  );
});
