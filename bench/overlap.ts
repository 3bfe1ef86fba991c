// How long it takes to decide whether two targets overlap. The floor is one test of a compiled regular
// expression against one path: it decides less (a pattern and a path, never two patterns).
import { posix } from "node:path";
import { covers, overlap } from "../src/claims/targets/overlap.ts";
import { parseTarget } from "../src/claims/targets/target.ts";
import { compare, measuredRows, printTable, saveResult } from "./harness.ts";

const names = ["src", "test", "claims", "store", "deep", "overlap", "index", "a", "b", "util"];
const folders = (count: number, from: number) =>
  Array.from({ length: count }, (_, level) => names[(from * 7 + level * 3) % names.length]);
const paths = Array.from({ length: 1000 }, (_, index) =>
  [...folders(2 + (index % 5), index), `file-${index}.${index % 3 === 0 ? "md" : "ts"}`].join("/"),
);
/** Each with the expression that somebody would write by hand for it. */
const written: readonly (readonly [glob: string, expression: RegExp])[] = [
  ["**/*.ts", /^(?:.*\/)?[^/]*\.ts$/],
  ["src/**", /^src(?:\/.*)?$/],
  ["src/**/*.{ts,tsx}", /^src\/(?:.*\/)?[^/]*\.(?:ts|tsx)$/],
  ["**/test/**/*.md", /^(?:.*\/)?test\/(?:.*\/)?[^/]*\.md$/],
  ["{src,test}/*/deep/**", /^(?:src|test)\/[^/]+\/deep(?:\/.*)?$/],
  ["src/[a-m]*/**/*.ts", /^src\/[a-m][^/]*\/(?:.*\/)?[^/]*\.ts$/],
  ["**/file-1??.ts", /^(?:.*\/)?file-1[^/][^/]\.ts$/],
  ["*/store/**", /^[^/]+\/store(?:\/.*)?$/],
];
const globs = written.map(([glob]) => glob);
const expressions = written.map(([, expression]) => expression);
const file = (text: string) => parseTarget(text, { extent: "file" });
const fileTargets = paths.map(file);
const folderTargets = paths.map((path) => parseTarget(posix.dirname(path)));
const globTargets = globs.map((glob) => parseTarget(glob));
for (const [glob, expression] of written) {
  const target = parseTarget(glob);
  const differing = paths.filter((path) => overlap(target, file(path)) !== expression.test(path));
  if (differing.length > 0) throw new Error(`${glob} and its expression differ: ${differing[0]}`);
}

/** Not one of our packages; measured where another one brought it. */
const picomatch = await import("picomatch" as string).then(
  (module: { default: (glob: string, options: object) => (path: string) => boolean }) =>
    module.default,
  () => undefined,
);
const matchers = globs.map((glob) => picomatch?.(glob, { dot: true }));

/** Each round makes this many decisions, so that one is long enough for the clock. */
const decisions = 8000;
let found = 0;
const each = (name: string, decide: (first: number, second: number) => boolean) => ({
  name,
  run: () => {
    for (let index = 0; index < decisions; index += 1) {
      if (decide(index % paths.length, (index * 31) % 997)) found += 1;
    }
  },
});

const measured = await compare(
  [
    each("RegExp.test of one path (floor)", (first, second) =>
      expressions[second % globs.length]!.test(paths[first]!),
    ),
    ...(picomatch
      ? [
          each("picomatch, pattern and path", (first, second) =>
            matchers[second % globs.length]!(paths[first]!),
          ),
        ]
      : []),
    each("overlap, file and file", (first, second) =>
      overlap(fileTargets[first]!, fileTargets[second]!),
    ),
    each("overlap, folder and file", (first, second) =>
      overlap(folderTargets[second]!, fileTargets[first]!),
    ),
    each("overlap, pattern and file", (first, second) =>
      overlap(globTargets[second % globs.length]!, fileTargets[first]!),
    ),
    each("overlap, pattern and folder", (first, second) =>
      overlap(globTargets[second % globs.length]!, folderTargets[first]!),
    ),
    each("overlap, pattern and pattern", (first, second) =>
      overlap(globTargets[first % globs.length]!, globTargets[second % globs.length]!),
    ),
    each("covers, folder and file", (first, second) =>
      covers(folderTargets[second]!, fileTargets[first]!),
    ),
    each("parse a path", (first) => file(paths[first]!).tail === ""),
    each("parse a pattern", (first) => parseTarget(globs[first % globs.length]!).tail === ""),
  ],
  { rounds: 15, perRound: 3 },
);
if (found === 0) throw new Error("nothing overlapped: the benchmark measures nothing");

const perSecond = measured.map(({ medianMs }) => Math.round((decisions / medianMs) * 1000));
printTable(
  `${decisions} decisions (median of 15 interleaved rounds)`,
  ["decision", "ms", "ratio", "per second"],
  measuredRows(measured).map((row, index) => [...row, perSecond[index]!.toLocaleString("en-GB")]),
);
saveResult("overlap", {
  rounds: 15,
  decisions,
  measured: measured.map((one, index) => ({ ...one, perSecond: perSecond[index] })),
});
