/** The doors' part for git's hooks; loaded with the first of them. */
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { answerGitHookRequest } from "../git/index.ts";
import { placeOf } from "../hooks/index.ts";
import { readJsonBody } from "./json-body.ts";
import type { Worktrees } from "./worktrees.ts";

export interface GitHooks {
  answer(name: string, request: Request): Promise<Response | undefined>;
}

export const openGitHooks = (options: {
  readonly worktrees: Worktrees;
  readonly environment: Environment;
  readonly mark: string;
}): GitHooks => {
  const { worktrees, environment, mark } = options;
  return {
    answer: async (name, request) => {
      const pid = request.headers.get("x-headgate-pid");
      return answerGitHookRequest(
        name,
        { body: await readJsonBody(request), pid },
        {
          ...{ environment, mark },
          open: async (folder) => {
            const there = placeOf(join(folder, "any"), await worktrees.list());
            return there && worktrees.at(there.root, { repairs: name !== "pre-commit" });
          },
        },
      );
    },
  };
};
