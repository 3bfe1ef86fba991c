/**
 * A process that saves what lies in `src`, and ends itself the hard way while the program with the given number
 * runs: `node rescue-worker.ts ROOT CLAIM NUMBER`. Prints how many programs it ran.
 */
import { flushCompileCache } from "node:module";
import { type Processes, systemProcesses } from "../../src/base/processes.ts";
import { rescueFiles } from "../../src/claims/rescue/rescue.ts";
import { parseTarget } from "../../src/claims/targets/target.ts";
import { findRepository } from "../../src/git/repository.ts";

const [root = "", claim = "", last = ""] = process.argv.slice(2);
let calls = 0;
const processes: Processes = {
  ...systemProcesses,
  run: (argv, options) => {
    const isLast = calls === Number(last);
    calls += 1;
    const running = systemProcesses.run(argv, options);
    if (isLast) process.kill(process.pid, "SIGKILL");
    return running;
  },
};
const repository = await findRepository(root);
flushCompileCache();
const target = parseTarget("src", { extent: "tree" });
await rescueFiles({ repository, claim, target, actor: "x", processes });
process.stdout.write(`${calls}\n`);
