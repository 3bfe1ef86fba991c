/**
 * The judgement of changes between two states that git knows. Neither state is the working tree: what
 * lies there may be other people's unfinished work.
 */
import { join } from "node:path";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { type Git, splitNul, type Change, readBlobs } from "../../git/index.ts";
import { limits } from "../../base/limits.ts";
import { spellingProblem } from "../../base/path-spelling.ts";
import { showText } from "../../base/text.ts";
import type { TargetInput } from "../../claims/index.ts";
import type { Headgate } from "../../compose.ts";
import { isScratchName } from "../../edit/index.ts";
import {
  answered,
  callArguments,
  goCalls,
  configuredPolicy,
  conflictFinding,
  type Finding,
  imports,
  judge,
  type JudgeContext,
  type ManyRule,
  type Policy,
  projectFiles,
  type Reason,
  references,
  targetsOf,
  type Write,
} from "../../gate/index.ts";
import {
  type Analyser,
  type Family,
  languageOf,
  type SymbolUniverse,
} from "../../structure/index.ts";
import { commitsOwnLines } from "./narrow.ts";
import { foreignBlockers, type ForeignClaims, foreignSessions } from "./foreign-claims.ts";

export interface Judged {
  readonly reasons: readonly Reason[];
  readonly notes: readonly Reason[];
  /** Changed files, and how many of them were not looked into. */
  readonly files: number;
  readonly notAnalysed: number;
}

export interface JudgingOptions {
  readonly headgate: Pick<Headgate, "config" | "repository" | "shared" | "structure">;
  readonly git: Git;
  readonly environment: Environment;
  /** Instead of the repository's own. */
  readonly analyser?: Analyser;
}

export interface Judging {
  judge(
    changes: readonly Change[],
    options: {
      readonly claims?: ForeignClaims | undefined;
      /**
       * The tree that all these changes start from, where names are looked up. Without it calls are not
       * looked at; nor are they in a repository without files, nor in very large changes.
       */
      readonly base?: string | undefined;
      /** Nothing but claims is asked. */
      readonly onlyClaims?: boolean;
    },
  ): Promise<Judged>;
}

export const openJudging = (options: JudgingOptions): Judging => {
  const { headgate, git, environment } = options;
  const { repository, config } = headgate;
  const root = repository.worktree;
  const policy = configuredPolicy(config.gate, environment.platform);
  const names = treeNames({ headgate, git });
  return {
    judge: async (changes, { claims, base, onlyClaims = false }) => {
      const analyser = options.analyser ?? (await headgate.shared()).analyser;
      const isClaimed = claims !== undefined && (await foreignSessions(claims)).size > 0;
      const isWhole = changes.length <= filesAtOnce;
      const total = { reasons: [] as Reason[], notes: [] as Reason[], files: 0, notAnalysed: 0 };
      for (let start = 0; start < changes.length; start += filesAtOnce) {
        const part = changes.slice(start, start + filesAtOnce);
        const found = await judgePart(part, {
          git,
          policy: onlyClaims ? claimsOnly(policy) : policy,
          analyser,
          environment,
          takesComments: claims === undefined || !commitsOwnLines(claims.actor),
          further: [
            ...(base && isWhole && !onlyClaims ? names.rules(base, analyser) : []),
            ...(isClaimed ? claimRules(claims, root, part, environment) : []),
          ],
        });
        total.reasons.push(...found.reasons);
        total.notes.push(...found.notes);
        total.notAnalysed += found.notAnalysed;
        total.files += part.length;
      }
      return total;
    },
  };
};

const filesAtOnce = limits.proposalWritesMax;

const claimsOnly = (policy: Policy): Policy => ({
  ...(policy.platform !== undefined && { platform: policy.platform }),
  levelOf: (rule) => (rule === "claims" ? "deny" : "off"),
});

const claimRules = (
  claims: ForeignClaims,
  root: string,
  part: readonly Change[],
  environment: Environment,
): NonNullable<JudgeContext["further"]> => {
  const plain = part.filter((change) => !isJudged(change, environment)).map(({ path }) => path);
  const moved = part.flatMap(({ from }) => (from === undefined ? [] : [from]));
  return [{ name: "claims", rule: foreignClaimsRule(claims, root, [...plain, ...moved]) }];
};

/** `more` are paths beside those of the files that are looked into. */
const foreignClaimsRule =
  (claims: ForeignClaims, root: string, more: readonly string[]): ManyRule =>
  async (cases): Promise<readonly Finding[]> => {
    const targets: TargetInput[] = [
      ...cases.flatMap((file) => targetsOf(file, root)),
      ...more.map((path): TargetInput => ({ path: `${root}/${path}`, extent: "file" })),
    ];
    const blockers = await foreignBlockers(claims, targets);
    return blockers.map((blocker) => conflictFinding(blocker, cases[0]?.path ?? more[0] ?? ""));
  };

/**
 * Whether the gate looks into it. Names that git accepts and the gate does not, links and submodules are
 * only asked about at the claims; so are Headgate's own tracked files, which its commands write.
 */
const isJudged = ({ path, kind }: Change, { platform }: Environment): boolean =>
  kind === "file" && spellingProblem(path, platform) === undefined && !isOwn(path);

const isOwn = (path: string): boolean => /^\.headgate\//i.test(path);
const isLocal = (path: string): boolean => /^\.headgate\/local(?:\/|$)/i.test(path);

interface PartContext {
  readonly git: Git;
  readonly policy: Policy;
  readonly analyser: Analyser;
  readonly environment: Environment;
  /** Of an agent's commit only comments count that HEAD has; a range is read by persons. */
  readonly takesComments: boolean;
  readonly further: NonNullable<JudgeContext["further"]>;
}

const judgePart = async (part: readonly Change[], context: PartContext) => {
  const { git, policy, analyser, environment, further, takesComments } = context;
  const judged = part.filter((change) => isJudged(change, environment));
  const blobs = await readBlobs(
    git,
    judged.flatMap(({ before, after }) => [before, after].filter((name) => name !== undefined)),
  );
  const old = new Map<string, Buffer>();
  const writes: Write[] = [];
  const unread: Reason[] = [];
  for (const { path, before, after } of judged) {
    const [was, is] = [before && blobs.get(before), after && blobs.get(after)];
    if ((before !== undefined && !was) || (after !== undefined && !is)) {
      // Too large, or a partial clone does not have it: only its bytes changed, as far as we know.
      unread.push(notRead(path));
      writes.push({ path, after: placeholderBytes });
      old.set(path, Buffer.from([...placeholderBytes, 1]));
      continue;
    }
    if (was) old.set(path, was);
    writes.push({ path, after: is ?? null });
  }
  const reasons: Reason[] = part
    .filter(({ path, after }) => after && (isLocal(path) || isScratchName(path)))
    .map(ownFile);
  if (writes.length === 0) {
    for (const { rule } of further) reasons.push(...(await rule([])).map(toReason));
    return { reasons, notes: [], notAnalysed: part.length };
  }
  const verdict = await judge(
    { writes },
    {
      ...{ analyser, policy, further, takesComments },
      ...{ tree: { read: (path) => old.get(path) }, stage: "commit" },
    },
  );
  const silent = [...verdict.notes, ...verdict.reasons].filter(
    ({ code }) => code === "NOT_ANALYSED" || code === "NOT_JUDGEABLE",
  ).length;
  return {
    reasons: [...reasons, ...verdict.reasons],
    notes: [
      ...verdict.notes.filter(({ code }) => code !== "NOT_ANALYSED"),
      ...unread.filter(
        ({ path }) => languageOf(path) !== "text" && policy.levelOf?.("judgeable", path) !== "off",
      ),
    ],
    notAnalysed: part.length - judged.length + Math.max(unread.length, silent),
  };
};

/** The beginning of a picture: nothing in it is looked at. */
const placeholderBytes = Buffer.from("\x89PNG\r\n\x1a\n\0", "latin1");

const notRead = (path: string): Reason => ({
  code: "NOT_JUDGEABLE",
  path,
  message: `${showText(path)} cannot be judged: it is larger than ${limits.structureBytesMax / 1024 / 1024} MB, or its content is not in this clone`,
  remedy: "Read the change yourself: no rule that needs its structure was applied.",
});

const toReason = (finding: Finding): Reason => {
  const { level: _, ...reason } = finding;
  return reason;
};

const ownFile = ({ path }: Change): Reason => ({
  code: "PATH_OWN",
  path,
  message: isScratchName(path)
    ? `${showText(path)} is a scratch file of an edit that was killed`
    : `${showText(path)} belongs to Headgate on this machine and to nobody else`,
  remedy: isScratchName(path)
    ? "Take it out of the index with git rm --cached, then run headgate verify --repair."
    : "Take it out of the index: git rm --cached -r .headgate/local",
});

/** Names as they are in a tree: those of the working tree, corrected by the differences. */
const treeNames = ({ headgate, git }: Pick<JudgingOptions, "headgate" | "git">) => {
  const { repository, structure } = headgate;
  const root = repository.worktree;
  const hasFiles = repository.worktrees.includes(root);
  const corrections = new Map<string, Promise<ReadonlyMap<string, Buffer | undefined>>>();
  const correctionsFor = (base: string) => {
    const known = corrections.get(base) ?? readCorrections(git, base);
    corrections.clear();
    corrections.set(base, known);
    return known;
  };
  const universe = async (base: string, families: readonly Family[]): Promise<SymbolUniverse> => {
    const changed = await correctionsFor(base);
    const all = (await structure.names(families)).copy();
    for (const [path, content] of changed) all.setFile(path, content);
    return all;
  };
  return {
    rules: (base: string, analyser: Analyser): NonNullable<JudgeContext["further"]> => {
      if (!hasFiles) return [];
      const outlineOf = async (path: string) => {
        const changed = await correctionsFor(base);
        const content = changed.has(path) ? changed.get(path) : readWorking(root, path);
        return content && answered(await analyser.outline(content, path), path);
      };
      const names = (families: readonly Family[]) => universe(base, families);
      const own = { universe: names, outlineOf, analyser };
      const files = async () => projectFiles(root, systemFiles, git, await correctionsFor(base));
      const project = { universe: names, files, analyser };
      return [
        { name: "references", rule: references(own) },
        { name: "references", rule: goCalls(project) },
        { name: "imports", rule: imports(project) },
        { name: "arguments", rule: callArguments(own) },
      ];
    },
  };
};

const readWorking = (root: string, path: string): Buffer | undefined => {
  const stat = systemFiles.stat(join(root, path));
  if (!stat?.isFile() || stat.size > limits.structureBytesMax) return undefined;
  return systemFiles.readFile(join(root, path));
};

/** What differs from the working tree, with its content there; undefined: it is not there. */
const readCorrections = async (
  git: Git,
  base: string,
): Promise<ReadonlyMap<string, Buffer | undefined>> => {
  const { stdout } = await git.run({
    args: ["diff-index", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-relative"],
    revisions: [base],
  });
  const words = splitNul(stdout);
  const names = new Map<string, string | undefined>();
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [, mode = "", name = ""] = /^:(\d+) \d+ ([0-9a-f]+) /.exec(words[at] ?? "") ?? [];
    names.set(words[at + 1] ?? "", mode.startsWith("100") ? name : undefined);
  }
  const others = await git.run({ args: ["ls-files", "-z", "--others", "--exclude-standard"] });
  for (const path of splitNul(others.stdout)) names.set(path, undefined);
  // Names are in sources only: of ten thousand other files none is read.
  for (const path of names.keys()) if (languageOf(path) === "text") names.delete(path);
  const blobs = await readBlobs(
    git,
    [...names.values()].filter((name) => name !== undefined),
  );
  const contents = new Map<string, Buffer | undefined>();
  for (const [path, name] of names) {
    contents.set(path, name === undefined ? undefined : blobs.get(name));
  }
  return contents;
};
