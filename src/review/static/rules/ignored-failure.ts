import type { StaticRule } from "../rule.ts";

export const ignoredFailure: StaticRule = {
  name: "ignored-failure",
  severity: "P3",
  kind: "reliability",
  languages: ["bash"],
  needs: /\|\|\s*(true|:)/,
  skipsTests: true,
  why: "The script goes on as if the work had been done.",
  fix: "Let it fail, or test for the one case that may go wrong and say so.",
  *check(file) {
    for (const node of file.of("list")) {
      const last = node.named.at(-1);
      if (!node.hasToken("||") || !last || !/^(true|:)$/.test(last.text)) continue;
      const [call] = file.callsWithin(node);
      if (!call) continue;
      const line = [call.name, ...call.args.map(({ text }) => text)].join(" ");
      if (matters.test(line))
        yield { node, title: `a failure of \`${line.slice(0, 40)}\` is ignored` };
    }
  },
};

const matters =
  /^(cp|mv|rsync|tar|unzip|pg_dump|pg_restore|psql|mysqldump|mysql|sqlite3|git (push|commit|merge|rebase|pull)|npm (publish|ci|install)|docker (push|build)|kubectl apply|terraform apply|make|go (build|test)|cargo (build|test|publish)|pip install)\b/;
