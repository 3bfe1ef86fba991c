/** `node eval/calls/main.ts [--all]`: the table of docs/evaluation.md, and what was missed of the tuned half. */
import { Analyser } from "../../src/structure/index.ts";
import { addLibraries, type JudgedCall, lists, measure } from "./measure.ts";

const analyser = new Analyser();
const showAll = process.argv.includes("--all");
const count = (calls: readonly JudgedCall[], ...outcomes: readonly JudgedCall["outcome"][]) =>
  calls.filter(({ outcome }) => outcomes.includes(outcome)).length;

for (const [language, list] of Object.entries(lists)) {
  const { missing, legal } = await measure(list, analyser, addLibraries);
  for (const half of ["seen while tuning", "unseen"] as const) {
    const [bad, good] = [missing, legal].map((all) => all.filter((one) => one.half === half));
    console.log(
      `| ${language} | ${half} | ${bad!.length - count(bad!, "nothing")}/${bad!.length} | ${count(bad!, "edit")} | ${count(bad!, "commit")} | ${count(bad!, "note")} | ${count(good!, "edit", "commit")}/${good!.length} | ${count(good!, "note")} |`,
    );
    if (half === "unseen" && !showAll) continue;
    for (const one of bad!) if (one.outcome === "nothing") console.log("  missed ", one.call);
    for (const one of good!) {
      if (one.outcome === "edit" || one.outcome === "commit")
        console.log("  wrong  ", one.call, JSON.stringify(one.text.slice(list.head.length)));
    }
  }
}
analyser.close();
