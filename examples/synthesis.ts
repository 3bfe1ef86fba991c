// Three reviewers saw two problems; the synthesis says which, how sure that is, and what follows.
import { synthesize } from "headgate";

const review = "r1";
const { verdict, counts, clusters } = synthesize([
  {
    id: "1",
    review,
    reviewer: "safety",
    severity: "P1",
    title: "Token is written to the log in login()",
    path: "src/auth.ts",
    line: 12,
  },
  {
    id: "2",
    review,
    reviewer: "quality",
    severity: "P2",
    title: "login() writes the token to the log",
    path: "src/auth.ts",
    line: 13,
  },
  {
    id: "3",
    review,
    reviewer: "performance",
    severity: "P3",
    title: "Sorting inside the loop is quadratic",
    path: "src/list.ts",
    line: 40,
  },
]);
console.log(verdict, counts.raw, counts.clusters);
for (const { severity, title, reviewers } of clusters)
  console.log(severity, title, reviewers.join("+"));
