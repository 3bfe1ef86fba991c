import type { StaticRule } from "../rule.ts";
import { gitCommands, isOwnRepository } from "../git-commands.ts";

export const gitAddAll: StaticRule = {
  name: "git-add-all",
  severity: "P2",
  kind: "reliability",
  languages: ["python", "script", "go", "bash"],
  needs: /git[\s\S]{0,40}(add|commit)/,
  skipsTests: true,
  why: "Everything that happens to lie in the tree is taken: other people's unfinished work, secrets, build output.",
  fix: "Name the files: `git add -- path…`; with several writers use `git commit -- path…` or an index of your own.",
  *check(file) {
    if (isOwnRepository(file.text)) return;
    for (const { node, words } of gitCommands(file)) {
      const [verb, ...rest] = words;
      const isAll =
        (verb === "add" &&
          rest.some((word) => /^(-A|--all|-u|--update|\.|:\/|\*)$/.test(word)) &&
          !rest.some((word) => /^(?!\.$|:\/$|\*$)[^-]/.test(word))) ||
        (verb === "commit" && rest.some((word) => /^(-[b-ln-z]*a[a-z]*|--all)$/.test(word)));
      if (isAll)
        yield {
          node,
          title: `\`git ${words.slice(0, 3).join(" ")}\` takes everything in the tree`,
        };
    }
  },
};
