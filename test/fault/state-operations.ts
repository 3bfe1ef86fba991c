import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../../src/base/process-identity.ts";
import { ownIdentity } from "../../src/base/process-identity.ts";
import { systemRandom } from "../../src/base/random.ts";
import { contentHash } from "../../src/state/index.ts";
import { temporaryName } from "../../src/state/temporary-name.ts";

/** The operations under fault tests: how their folder looks before, and what it may hold afterwards. */
export interface StateOperation {
  readonly op: string;
  /** What comes after `settle` need not be on the disk yet when the operation begins. */
  prepare(folder: string, settle?: () => void): void;
  /** The contents, by file name without the time of quarantine, before and after. */
  readonly before: Contents;
  readonly after: Contents;
  /** Contents between two steps of the operation that a second recovery finishes. */
  readonly between?: readonly Contents[];
}

export type Contents = Readonly<Record<string, string>>;

export const oldText = '{"count": 1}\n';
export const newText = '{"count": 2, "more": "new content"}\n';
export const oldMarkdown = "---\nstatus: old\n---\n# State\n\ntext\n";
const counted = '{\n  "count": 2\n}\n';
const corrupt = '{"count": 1,';

const put = (contents: Contents) => (folder: string) => {
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
};

/** What a writer that died right before its rename left behind. */
export const putOrphan = (
  folder: string,
  orphan: {
    readonly target?: string;
    readonly content?: string;
    /** What of the content made it to the disk. */
    readonly written?: string;
    readonly base?: string | undefined;
    readonly owner?: Partial<ProcessIdentity>;
    readonly ageMs?: number;
  },
): string => {
  const { target = "state.json", content = newText, base, ageMs = 0 } = orphan;
  const name = temporaryName(
    {
      target,
      owner: { ...deadOwner(), ...orphan.owner },
      baseHash: base === undefined ? undefined : contentHash(base),
      hash: contentHash(content),
    },
    systemRandom,
  );
  const path = join(folder, name);
  writeFileSync(path, orphan.written ?? content, { mode: 0o600 });
  const seconds = (Date.now() - ageMs) / 1000;
  utimesSync(path, seconds, seconds);
  return path;
};

/** This machine and boot, but a process number that was never given out at that tick. */
export const deadOwner = (): ProcessIdentity => ({ ...ownIdentity(), pid: 1, startTime: "1" });

export const stateOperations: readonly StateOperation[] = [
  ...["write", "write-expected", "write-normal", "write-cache"].map((op) => ({
    op,
    prepare: put({ "state.json": oldText }),
    before: { "state.json": oldText },
    after: { "state.json": newText },
  })),
  { op: "create", prepare: () => {}, before: {}, after: { "state.json": newText } },
  ...["json", "json-later"].map((op) => ({
    op,
    prepare: put({ "state.json": oldText }),
    before: { "state.json": oldText },
    after: { "state.json": counted },
  })),
  {
    op: "markdown",
    prepare: put({ "state.md": oldMarkdown }),
    before: { "state.md": oldMarkdown },
    after: { "state.md": oldMarkdown.replace("old", "new") },
  },
];

/** Recovery itself, on the different things it can find. */
export const recoveries: Readonly<Record<string, StateOperation>> = {
  promote: {
    op: "recover",
    prepare: (folder, settle = () => {}) => {
      put({ "state.json": oldText })(folder);
      settle();
      putOrphan(folder, { base: oldText });
    },
    before: { "state.json": oldText },
    after: { "state.json": newText },
  },
  "promote a missing file": {
    op: "recover",
    prepare: (folder) => void putOrphan(folder, {}),
    before: {},
    after: { "state.json": newText },
  },
  discard: {
    op: "recover",
    prepare: (folder) => {
      put({ "state.json": oldText })(folder);
      putOrphan(folder, { base: "something else" });
      putOrphan(folder, { base: oldText, written: newText.slice(0, 7) });
    },
    before: { "state.json": oldText },
    after: { "state.json": oldText },
  },
  quarantine: {
    op: "recover",
    prepare: put({ "state.json": corrupt }),
    before: { "state.json": corrupt },
    after: { "state.json.corrupt": corrupt },
  },
  "replace a corrupt file": {
    op: "recover",
    prepare: (folder) => {
      put({ "state.json": corrupt })(folder);
      putOrphan(folder, { base: oldText });
    },
    before: { "state.json": corrupt },
    after: { "state.json": newText, "state.json.corrupt": corrupt },
    between: [{ "state.json": corrupt, "state.json.corrupt": corrupt }],
  },
};

/** Every file that is not one of our temporaries, with its content. */
export const contentsOf = (folder: string): Contents =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => !name.endsWith(".tmp"))
      .toSorted()
      .map((name) => [
        name.replace(/\.corrupt-.*$/, ".corrupt"),
        readFileSync(join(folder, name), "utf8"),
      ]),
  );

export const temporariesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.endsWith(".tmp"));
