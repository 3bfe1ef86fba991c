import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import {
  createWritingGit,
  followIndex,
  moveBranch,
  prepareCommit,
  readHead,
  runPostCommit,
} from "../../src/git/index.ts";
import { type Headgate, openHeadgate } from "../../src/index.ts";
import { commitPart } from "../../src/landing/index.ts";
import { put } from "../helpers/temporary-folder.ts";
import { approvedProposal, overridesPath } from "../routing/scene.ts";
import { planText, runOptions } from "../runs/scene.ts";
import { commitContract, type Committer } from "./commit-contract.ts";

const opened = async (options: Parameters<typeof openHeadgate>[0]): Promise<Headgate> => {
  const headgate = await openHeadgate(options);
  onTestFinished(() => headgate.close());
  return headgate;
};

const protocol: Committer = {
  name: "the protocol itself",
  afterRace: "refused",
  open: async ({ root, environment }) => ({
    actor: "user:ada",
    path: "new.txt",
    trailer: /^Headgate-Op: op_1$/m,
    commit: async () => {
      const git = createWritingGit({ cwd: root, environment, actor: "user:ada" });
      put(join(root, "new.txt"), "new\n");
      const made = await prepareCommit({
        ...{ git, files: systemFiles, scratch: join(root, ".scratch"), operation: "op_1" },
        head: await readHead(git),
        paths: ["new.txt"],
        message: "New\n\nHeadgate-Op: op_1\n",
      });
      if (!made.ok) return made;
      const moved = await moveBranch(git, made.prepared, { note: "test" });
      if (!moved.ok) return { ok: false, reason: `${moved.why}: ${moved.reason}` };
      await followIndex(git, made.prepared.changes, (ms) => systemClock.sleep(ms));
      await runPostCommit(git, systemFiles);
      return { ok: true };
    },
  }),
};

const routing: Committer = {
  name: "routing",
  afterRace: "on top",
  open: async ({ root, environment }) => {
    const headgate = await opened({ repo: root, environment, actor: "user:ada" });
    const id = await approvedProposal(headgate.routing, "quality");
    return {
      actor: "user:ada",
      path: overridesPath,
      trailer: /^Headgate-Op: op_\w+\nHeadgate-Kind: apply\nHeadgate-Reviewer: quality$/m,
      commit: async () => {
        try {
          const outcome = await headgate.routing.apply(id);
          return outcome.done ? { ok: true } : { ok: false, reason: outcome.why };
        } catch (error) {
          return { ok: false, reason: (error as Error).message };
        }
      },
    };
  },
};

const run: Committer = {
  name: "a run",
  afterRace: "on top",
  open: async ({ root, environment }) => {
    const source = join(root, "../plans");
    const tasks = [{ name: "Write", files: "new.txt", run: "echo new > new.txt" }];
    put(join(source, "01-PLAN.md"), planText({ id: "01", tasks }));
    const { runs } = await opened({ repo: root, environment, actor: "ada" });
    const { id } = await runs.create({ source, actor: "ada", options: runOptions });
    const { signal } = new AbortController();
    return {
      actor: `run:${id}/plan-01`,
      path: "new.txt",
      trailer: new RegExp(`^Headgate-Op: op_\\w+\\nHeadgate-Task: ${id} 01/1$`, "m"),
      commit: async () => {
        const { run: end } = await runs.execute({ run: id, signal, onProgress: () => {} });
        const [task] = end.plans[0]?.tasks ?? [];
        return { ok: task?.state === "done", reason: task?.reason ?? "" };
      },
    };
  },
};

const part: Committer = {
  name: "headgate commit",
  afterRace: "on top",
  open: async ({ root, environment }) => {
    const headgate = await opened({ repo: root, environment, actor: "claude:s1" });
    const { repository, lines, claims, structure } = headgate;
    const write = async (): Promise<void> => {
      const by = { actor: claims.actor, kind: "edit" } as const;
      const after = Buffer.from("new\n");
      await lines.ask([{ path: "new.txt", before: undefined, after }], by);
      put(join(root, "new.txt"), "new\n");
      await lines.note(["new.txt"], by);
    };
    await write();
    return {
      actor: "claude:s1",
      path: "new.txt",
      trailer: /^Headgate-Actor: claude:s1$/m,
      commit: async () => {
        const ports = { repository, environment, lines, claims, clock: systemClock };
        const outline = (content: Uint8Array, path: string) =>
          structure.outline(Buffer.from(content), path);
        try {
          // The user's own lines have no known author, and no other session is here: they would go along.
          const wish = { message: "New", paths: ["new.txt"] };
          const answer = await commitPart({ ...ports, outline }, wish);
          return answer.ok ? answer : { ok: false, reason: answer.reasons.join("\n") };
        } catch (error) {
          return { ok: false, reason: (error as Error).message };
        }
      },
    };
  },
};

for (const committer of [protocol, routing, run, part]) commitContract(committer);
