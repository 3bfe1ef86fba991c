import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { describeWith } from "../helpers/not-run.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";

/** Begins to write, and goes no further. */
const writer = `
  const Database = require("better-sqlite3");
  const database = new Database(process.argv[1]);
  database.exec("BEGIN IMMEDIATE");
  process.stdout.write("ready");
  setInterval(() => {}, 1000);
`;

describeWith({ platforms: ["linux"] }, "a writer that was stopped inside its transaction", () => {
  it("S-09 others are told which process holds the store, and how it goes on", async () => {
    const folder = temporaryFolder();
    const address = join(folder, "store.db");
    const store = await openStore({ address, localDir: folder, waitMs: 100 });
    onTestFinished(() => store.close());
    const scope = await store.scope({ key: "path:/here", name: "here" });
    const child = spawn(process.execPath, ["-e", writer, address], {
      ...{ cwd: resolve(import.meta.dirname, "../.."), stdio: ["ignore", "pipe", "inherit"] },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await new Promise((done) => child.stdout?.once("data", done));
    child.kill("SIGSTOP");
    const write = () =>
      store.write({ scope }, async (tx) => {
        tx.emit({ kind: "test.written" });
        return null;
      });
    const message = `process ${child.pid} (node) holds it, and is stopped: kill -CONT ${child.pid}`;
    await expect
      .poll(() => write().catch(({ code, message: text }) => [code, text]))
      .toEqual(["STORE_BUSY", expect.stringContaining(message)]);
    child.kill("SIGKILL");
    await new Promise((done) => child.once("exit", done));
    expect(await write()).toBeNull();
  });
});
