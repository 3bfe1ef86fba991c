// A file is reviewed by the static rules alone (no model, no cost); what was found stays in the ledger.
import { writeFileSync } from "node:fs";
import { openHeadgate } from "headgate";

writeFileSync(
  "deploy.js",
  'import { exec } from "node:child_process";\nexport const deploy = (name) => exec(`rsync ${name} host:`);\n',
);
await using headgate = await openHeadgate({ repo: ".", actor: "build-bot" });
const outcome = await headgate.review.run(
  { target: "deploy.js", runner: "none" },
  { signal: AbortSignal.timeout(60_000) },
);
console.log(outcome?.synthesis.verdict);
for (const { severity, path, line } of outcome?.synthesis.clusters ?? [])
  console.log(severity, `${path}:${line}`);

const [finding] = await (await headgate.ledger()).findings();
if (finding) {
  const dismissed = await (await headgate.ledger()).dismiss(finding.id, { reason: "wrong" });
  console.log(finding.state, "→", dismissed.state);
}
