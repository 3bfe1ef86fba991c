// Keeps every core busy while tests run: one spinning process per core. Each ends when its stdin closes, which
// the system does when the parent ends, however it ends.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

const spinner = `
process.stdin.on("end", () => process.exit()).on("error", () => process.exit()).resume();
const spin = () => {
  const end = performance.now() + 50;
  while (performance.now() < end);
  setImmediate(spin);
};
spin();
`;

/** @returns {{ pids: number[], end(): Promise<void> }} */
export const startLoad = (count = availableParallelism()) => {
  const children = Array.from({ length: count }, () => {
    const child = spawn(process.execPath, ["-e", spinner], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.on("error", () => {});
    return { child, ended: new Promise((done) => child.once("close", done)) };
  });
  return {
    pids: children.map(({ child }) => child.pid),
    end: async () => {
      for (const { child } of children) child.kill("SIGKILL");
      await Promise.all(children.map(({ ended }) => ended));
    },
  };
};
