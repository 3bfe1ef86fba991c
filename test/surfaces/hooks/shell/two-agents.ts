import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { parseActor } from "../../../../src/claims/index.ts";
import { openHeadgate } from "../../../../src/index.ts";
import { judgeShell, type ShellContext } from "../../../../src/surfaces/hooks/shell/index.ts";
import { copyRepository, git, makeRepository } from "../../../helpers/git-repository.ts";
import { put, temporaryFolder } from "../../../helpers/temporary-folder.ts";
import { sharedParsers } from "../../../helpers/shared-parsers.ts";

export const ada = "claude:ada";
export const bob = "codex:bob";

/** A repository with `src/a.ts`, `src/b.ts` and `docs/x.md` committed, and two agents in it. */
export const twoAgents = async () => {
  const root = copyRepository(join(temporaryFolder(), "repo"), "two agents", (template) => {
    makeRepository(template);
    put(join(template, "src/a.ts"), "export const a = 1;\n");
    put(join(template, "src/b.ts"), "export const b = 1;\n");
    put(join(template, "docs/x.md"), "# x\n");
    mkdirSync(join(template, "empty"));
    git(template, "add", ".");
    git(template, "commit", "--quiet", "--message", "Two");
  });
  const headgate = await openHeadgate({ repo: root, actor: ada, shared: sharedParsers });
  onTestFinished(() => headgate.close());
  const { repository } = headgate;
  const claims = (actor: string) => headgate.claims.as(actor);
  return {
    root,
    headgate,
    claims,
    /** Claims for bob unless somebody else is named. */
    hold: async (targets: readonly string[], actor = bob) => {
      const result = await claims(actor).claim({ targets, reason: "mending" });
      if (!result.ok) throw new Error(JSON.stringify(result));
    },
    /** Adds a line through the gate of lines, as bob unless another one is named. */
    write: async (path: string, actor = bob) => {
      const before = readOr(join(root, path));
      const after = `${before}// ${actor}\n`;
      const by = { actor: parseActor(actor), kind: "edit" } as const;
      const content = { before: Buffer.from(before), after: Buffer.from(after) };
      await headgate.lines.ask([{ path, ...content }], by);
      writeFileSync(join(root, path), after);
      await headgate.lines.note([path], by);
    },
    end: (actor = bob) =>
      headgate.lines.heard({ actor: parseActor(actor), kind: "edit" }, { isEnd: true }),
    change: (path: string, text = "changed\n") =>
      writeFileSync(join(root, path), text + (path === "new.ts" ? "" : readOr(join(root, path)))),
    /** Codes and paths of what ada is told. */
    judge: async (command: string, context: Partial<ShellContext> = {}) => {
      const { reasons } = await judgeShell(command, {
        shell: "posix",
        cwd: root,
        root,
        worktrees: repository.worktrees,
        caseInsensitive: repository.caseInsensitive,
        claims: claims(ada),
        linesIn: async () => headgate.lines,
        home: join(root, ".."),
        ...context,
      });
      return reasons;
    },
  };
};

const readOr = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};
