/** Very many findings with places, made by a program: eight reviewers, files with several problems, other words each time. */
import { Random } from "../random.ts";
import type { Labelled } from "./labelled.ts";

/** The same seed makes the same findings. */
export const scaleFindings = (count: number, seed: number): Labelled[] => {
  const chance = new Random(`review scale ${seed}`);
  const random = (): number => chance.next();
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const findings: Labelled[] = [];
  let path = "";
  for (let problem = 0; findings.length < count; problem += 1) {
    if (problem % 4 === 0) path = `src/${pick(nouns)}/${pick(nouns)}_${problem / 4}.ts`;
    const line = 10 + (problem % 4) * (40 + Math.floor(random() * 60));
    const [noun, other] = [pick(nouns), pick(nouns)];
    const name = `${pick(verbs)}${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
    const form = forms[Math.floor(random() * forms.length)] ?? [];
    const seers = reviewers.filter(() => random() < 0.6);
    for (const reviewer of seers.length > 0 ? seers : ["r1"]) {
      const [title = "", body = ""] = form[Math.floor(random() * form.length)] ?? [];
      const fill = (text: string): string =>
        text.replaceAll("NAME", name).replaceAll("NOUN", noun).replaceAll("OTHER", other);
      const shift = Math.floor(random() * 3);
      findings.push({
        ...{ id: `${findings.length}`, review: "scale", reviewer, family: reviewer },
        ...{ title: fill(title), path, line: line + shift },
        body: `**Place**: ${path}:${line + shift}\n**Failure**: ${fill(body)}\n**Confidence**: 0.7`,
        ...{ severity: "P1", problem: `p${problem}`, real: true },
      });
    }
  }
  return findings.slice(0, count);
};

const reviewers = ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"];
const verbs = [
  "load",
  "save",
  "parse",
  "render",
  "merge",
  "send",
  "apply",
  "check",
  "build",
  "drop",
];
const nouns =
  "order invoice session token upload report ticket basket account ledger cursor buffer frame widget tenant quota"
    .concat(
      " webhook mailbox catalog voucher sensor palette backup index shard replica lease topic stream batch",
    )
    .split(" ");

/** For each sort of problem some ways to say it. */
const forms: readonly (readonly (readonly [title: string, body: string])[])[] = [
  [
    [
      "NAME is called without the lock",
      "Two threads write the NOUN at once and one change is lost.",
    ],
    ["Race in NAME", "The NOUN map is changed while another thread reads the OTHER."],
    ["Unsynchronised access to the NOUN", "NAME mutates it and nothing holds the mutex."],
  ],
  [
    ["NAME never closes the NOUN", "Each call leaks a handle until the process has none left."],
    ["Resource leak in NAME", "The NOUN stays open when the OTHER fails."],
    ["Missing cleanup of the NOUN", "On the error path NAME returns without closing."],
  ],
  [
    ["The NOUN is not checked in NAME", "A missing NOUN throws when the OTHER is empty."],
    ["Null dereference in NAME", "NAME reads a field of the NOUN that may be undefined."],
    ["NAME assumes that a NOUN exists", "Without an OTHER it is null and the request fails."],
  ],
  [
    ["Errors of NAME are swallowed", "The catch block is empty, so a failed NOUN looks saved."],
    ["NAME hides failures", "Exceptions about the NOUN are ignored and the OTHER goes on."],
    ["Silent failure in NAME", "A rejected NOUN is dropped without a log line."],
  ],
  [
    ["NAME builds SQL from the NOUN", "A quote in the OTHER ends the statement."],
    ["SQL injection in NAME", "The NOUN goes into the query as text."],
    ["Unescaped NOUN in a query", "NAME concatenates the OTHER into the WHERE clause."],
  ],
];
