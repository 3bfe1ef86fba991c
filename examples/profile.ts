// What kind of project is this, and why?
import { mkdirSync, writeFileSync } from "node:fs";
import { detectProfile } from "headgate";

mkdirSync("shop", { recursive: true });
writeFileSync(
  "shop/package.json",
  JSON.stringify({ name: "shop", scripts: { start: "node ." }, dependencies: { express: "5" } }),
);

const { primary, domains } = await detectProfile("shop");
console.log(primary);
for (const { name, confidence, evidence } of domains) {
  console.log(name, confidence.toFixed(2), evidence.map(({ signal }) => signal).join(", "));
}
