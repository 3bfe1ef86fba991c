import type { StaticRule } from "../rule.ts";
import { gitCommands, isOwnRepository } from "../git-commands.ts";

export const gitDestructive: StaticRule = {
  name: "git-destructive",
  severity: "P2",
  kind: "reliability",
  languages: ["python", "script", "go", "bash"],
  needs: /git[\s\S]{0,40}(reset|push|clean|checkout|restore)/,
  skipsTests: true,
  why: "What is not committed, or what others have pushed meanwhile, is gone without a question and without a copy.",
  fix: "Push with `--force-with-lease`; keep changes first (`git stash`, a branch) or work in a worktree of your own.",
  *check(file) {
    if (isOwnRepository(file.text)) return;
    for (const { node, words } of gitCommands(file)) {
      const [verb, ...rest] = words;
      const has = (pattern: RegExp): boolean => rest.some((word) => pattern.test(word));
      const isLoss =
        (verb === "reset" && has(/^--hard$/)) ||
        (verb === "push" && has(/^(-f|--force)$/)) ||
        (verb === "clean" && has(/^-[a-z]*f[a-z]*$/) && has(/^-[a-z]*[dx]/)) ||
        (verb === "checkout" && has(/^(-f|--force|\.)$/));
      if (isLoss) yield { node, title: `\`git ${words.slice(0, 3).join(" ")}\` throws work away` };
    }
  },
};
