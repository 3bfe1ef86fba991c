/** One actor's ring: a look before its tool runs, a look after, and word to those whose files changed. */
import { isoTime, systemClock } from "../../../base/clock.ts";
import { systemEnvironment } from "../../../base/environment.ts";
import { systemFiles } from "../../../base/files.ts";
import { createGit, type Git } from "../../../git/index.ts";
import { showText } from "../../../base/text.ts";
import { parseActor } from "../../../claims/index.ts";
import { UnjudgedWrites } from "../../unjudged/index.ts";
import { readCommitted } from "../../../landing/index.ts";
import type { NearEdit } from "../../../gate/index.ts";
import { branchNotices } from "./branch-notices.ts";
import { type Change, compareStates } from "./compare-states.ts";
import { editedSince } from "./edited-meanwhile.ts";
import { findHolders } from "./find-holders.ts";
import { judgeUngated, type UngatedVerdict } from "./judge-ungated.ts";
import { holderText, nearText, notComparedText, reportText } from "./report-text.ts";
import { RingFiles, type Snapshot } from "./ring-files.ts";
import { ringLimits } from "./ring-limits.ts";
import { settleUnjudged } from "./settle-unjudged.ts";
import type { Ring, RingCall, RingContext, RingReport, UngatedWrite } from "./types.ts";
import {
  changedByCommits,
  readHead,
  LookBudget,
  lookAtWorktree,
  NotCompared,
  sameAsCommitted,
  type WorktreeState,
} from "./worktree-state.ts";

export const openRing = (context: RingContext): Ring => new WorktreeRing(context);

class WorktreeRing implements Ring {
  readonly #context: RingContext;
  readonly #files: RingFiles;
  readonly #register: UnjudgedWrites;
  readonly #clock;
  readonly #disk;
  #git: Git | undefined;

  constructor(context: RingContext) {
    this.#context = context;
    const { clock = systemClock, files = systemFiles, localDir } = context;
    const { environment = systemEnvironment() } = context;
    this.#clock = clock;
    this.#disk = files;
    this.#files = new RingFiles({ localDir, files, clock, environment });
    this.#register = new UnjudgedWrites({ localDir, files, clock, environment });
  }

  get #actor(): string {
    return this.#context.claims.actor.id;
  }

  async before(call: RingCall): Promise<void> {
    const { root } = this.#context;
    const base = { actor: this.#actor, tool: call.tool, root };
    try {
      // Taken before looking: what is written while we look counts as written.
      const at = this.#clock.wallMs();
      const snapshot = await this.#look().then(
        (state): Snapshot => ({ ...base, at, state }),
        (error: unknown): Snapshot => ({ ...base, at, problem: sentenceOf(error) }),
      );
      await this.#files.saveSnapshot(this.#key(call), snapshot);
    } catch {
      // Nothing was kept; `after` says that nothing was compared.
    }
  }

  async after(call: RingCall): Promise<RingReport> {
    try {
      const snapshot = this.#files.takeSnapshot(this.#key(call));
      if (!snapshot) return await this.#notCompared(call, "nothing was noted before the tool ran");
      if (!snapshot.state) throw new NotCompared(snapshot.problem ?? "unknown");
      return await this.#compare(call, { ...snapshot, state: snapshot.state });
    } catch (error) {
      const why = sentenceOf(error);
      await this.#emit("ring.skipped", { why, tool: call.tool.slice(0, 100) });
      return this.#notCompared(call, why);
    }
  }

  /** With every command of a large worktree it would be noise: the agent reads each reason once. */
  async #notCompared({ tool }: RingCall, why: string): Promise<RingReport> {
    const report: RingReport = { compared: false, notCompared: why, ungated: [] };
    try {
      const isNew = await this.#files.sayOnce(this.#actor, why.replaceAll(/\d+/g, "#"));
      return isNew ? { ...report, text: notComparedText(tool, why) } : report;
    } catch {
      return { ...report, text: notComparedText(tool, why) };
    }
  }

  async settle(ms: number = ringLimits.settleMs): Promise<void> {
    const { root, judge } = this.#context;
    if (!judge) return;
    try {
      const settled = await settleUnjudged({
        ...{ judge, root, ms, register: this.#register },
        ...{ files: this.#disk, clock: this.#clock },
        git: () => this.#gitOf(),
        head: () => this.#head(),
        say: (actor, text) => this.#files.leaveMessage(actor, text),
      });
      if (settled.length === 0) return;
      await this.#emit("write.judged", {
        paths: settled.slice(0, ringLimits.eventPathsMax).map(({ path }) => showText(path, 500)),
        count: settled.length,
      });
    } catch {
      // They go on waiting, and `status` shows them.
    }
  }

  async #head(): Promise<string | null> {
    const { kind } = this.#context;
    return kind === "folder" ? null : readHead(this.#gitOf());
  }

  async admitted(
    writes: readonly { readonly path: string; readonly hash: string | null }[],
  ): Promise<void> {
    const { root } = this.#context;
    try {
      this.#files.addPassed(writes.map((one) => ({ root, ...one })));
    } catch {
      // Then the write is told about later although it passed: a false word, not a lost one.
    }
  }

  async tellNear(near: readonly NearEdit[]): Promise<readonly string[]> {
    const { session: own } = this.#context.claims.actor;
    const texts: string[] = [];
    for (const one of near) {
      const { path, target, actor, session, elsewhere } = one;
      // Of a region the numbers change with every edit.
      const thing = target.replace(/lines:[\d-]+$/, "lines");
      if (!(await this.isNews(["near", session, elsewhere ?? "", thing]))) continue;
      texts.push(nearText(one));
      const sessions = { session: own, other: session };
      const data = {
        path,
        target,
        actor,
        ...sessions,
        ...(elsewhere !== undefined && { elsewhere }),
      };
      await this.#emit("lines.near", data);
    }
    return texts;
  }

  isNews(what: readonly string[]): Promise<boolean> {
    const { session } = this.#context.claims.actor;
    return this.#files.sayOnce(session, what.join("\0")).catch(() => true);
  }

  async isNewsOfLines(newestMs: number): Promise<boolean> {
    try {
      return await this.#files.remindOnce(this.#actor, newestMs);
    } catch {
      // Without a place to remember it, every turn would end with it.
      return false;
    }
  }

  async takeMessages(): Promise<readonly string[]> {
    try {
      return await this.#files.takeMessages(this.#actor);
    } catch {
      return [];
    }
  }

  /** A tool use without a name of its own: an actor has one at a time. */
  #key({ toolUseId = "" }: RingCall): string {
    return `${this.#actor}\0${this.#context.root}\0${toolUseId}`;
  }

  #gitOf(): Git {
    const { root, environment, git } = this.#context;
    this.#git ??= git ?? createGit({ cwd: root, ...(environment && { environment }) });
    return this.#git;
  }

  #look(known?: { readonly state: WorktreeState; readonly at: number }): Promise<WorktreeState> {
    const { root, kind } = this.#context;
    return lookAtWorktree({
      ...{ root, kind, files: this.#disk, clock: this.#clock },
      git: () => this.#gitOf(),
      ...(known && { known }),
    });
  }

  async #compare(
    { tool }: RingCall,
    { at, state: before }: Snapshot & { readonly state: WorktreeState },
  ): Promise<RingReport> {
    const { root } = this.#context;
    const after = await this.#look({ state: before, at });
    const hasMoved = before.head !== after.head;
    const others = this.#files.othersAtWork(root, this.#actor);
    const by = [this.#actor, ...others].map((actor) => parseActor(actor).session);
    const report: RingReport = {
      ...{ compared: true, ungated: [] },
      ...(hasMoved && before.head !== null && { moved: { from: before.head, by } }),
    };
    await this.#tellBranch(before, after);
    const changes = await this.#changesBetween({ at, state: before }, after);
    if (changes.length === 0) return report;
    await this.#noteLines(changes, { head: before.head, since: at });

    const writes = await this.#describe(changes, before, tool);
    // What git brought with another commit was judged when it was committed: only holders are told.
    const told = writes.filter(({ byGit, holders }) => !(byGit && hasMoved) || holders.length > 0);
    if (told.length === 0) return report;
    await this.#emit("write.ungated", {
      paths: told.slice(0, ringLimits.eventPathsMax).map(({ path }) => showText(path, 500)),
      count: told.length,
      tool: tool.slice(0, 100),
      ...(others.length > 0 && { also: others.slice(0, 10) }),
    });
    await this.#tellOthers(told, tool);
    return { ...report, ungated: told, text: reportText(told, { tool, others }) };
  }

  /** Without what the gate has let pass. */
  async #changesBetween(
    { at, state: before }: { readonly at: number; readonly state: WorktreeState },
    after: WorktreeState,
  ): Promise<readonly Change[]> {
    const { root, kind } = this.#context;
    const budget = new LookBudget(this.#clock);
    const hasPassed = this.#files.passed(root, at);
    const found = [
      ...compareStates(before, after, { root, kind, at, files: this.#disk, budget }),
      ...(before.head === after.head ? [] : await this.#byCommits(before, after)),
    ].filter(({ path, after: hash }) => !hasPassed(path, hash));
    return this.#withoutModes(await this.#withoutEdits(found, at), before.head);
  }

  async noteSoFar(): Promise<void> {
    const { root, claims } = this.#context;
    try {
      const opened = this.#files.opened(root);
      const { at, state } =
        opened.find(({ actor }) => parseActor(actor).session === claims.actor.session) ?? {};
      if (at === undefined || !state) return;
      const changes = await this.#changesBetween({ at, state }, await this.#look({ state, at }));
      if (changes.length > 0) await this.#noteLines(changes, { head: state.head, since: at });
    } catch {
      // `after` looks again, and a commit leaves what is not known to be its session's.
    }
  }

  async #tellBranch(before: WorktreeState, after: WorktreeState): Promise<void> {
    const { lines, notify, claims, kind } = this.#context;
    if (kind === "folder" || !lines || !notify) return;
    const git = () => this.#gitOf();
    await notify(await branchNotices(before, after, { by: claims.actor, git, lines }));
  }

  /** Where another's command ran in the same time, nothing proves whose a change is. */
  async #noteLines(
    changes: readonly Change[],
    { head, since }: { readonly head: string | null; readonly since: number },
  ): Promise<void> {
    const { lines, root, claims } = this.#context;
    // A file that was never committed leaves nothing dirty behind when it goes.
    const own = changes.filter(
      ({ isClean, before, after }) => !isClean || (after === null && typeof before === "string"),
    );
    if (!lines || own.length === 0) return;
    if (this.#files.othersSince(root, this.#actor, since).length > 0) return;
    const asCommitted = own.filter(({ before }) => before === undefined).map(({ path }) => path);
    const committed =
      asCommitted.length === 0
        ? new Map<string, undefined>()
        : await readCommitted(this.#gitOf(), head ?? undefined, asCommitted);
    await lines.noteCommand(
      own.map(({ path, before }) => ({
        path,
        ...(before !== undefined && { before }),
        committed: committed.get(path)?.content,
      })),
      { actor: claims.actor, kind: "shell" },
      Math.trunc(since),
    );
  }

  async #withoutEdits(changes: readonly Change[], at: number): Promise<readonly Change[]> {
    if (changes.length === 0) return changes;
    const isEdited = await editedSince(this.#context.events, at);
    return changes.filter(({ path, after }) => !isEdited(path, after));
  }

  /** Without files of which only the mode has changed. */
  async #withoutModes(changes: readonly Change[], head: string | null): Promise<readonly Change[]> {
    const doubtful = changes.filter(({ maySame }) => maySame).map(({ path }) => path);
    if (doubtful.length === 0 || head === null) return changes;
    const { root } = this.#context;
    const git = this.#gitOf();
    const same = await sameAsCommitted(doubtful, { git, head, root, files: this.#disk });
    return changes.filter(({ path, maySame }) => !maySame || !same.has(path));
  }

  async #byCommits(before: WorktreeState, after: WorktreeState): Promise<Change[]> {
    if (before.head === null || after.head === null) return [];
    const paths = await changedByCommits(this.#gitOf(), before.head, after.head);
    return paths
      .filter((path) => !Object.hasOwn(before.files, path) && !Object.hasOwn(after.files, path))
      .slice(0, ringLimits.heldPathsMax)
      .map((path) => ({ path, after: "", isClean: true }));
  }

  async #describe(
    changes: readonly Change[],
    before: WorktreeState,
    tool: string,
  ): Promise<UngatedWrite[]> {
    const { claims, root, judge } = this.#context;
    const paths = changes.map(({ path }) => path);
    const holders = await findHolders(paths.slice(0, ringLimits.heldPathsMax), root, claims);
    const dirty = changes.filter(({ isClean, after }) => !isClean && after !== null);
    const { problems, notJudged } = judge
      ? await judgeUngated(
          dirty.map(({ path }) => path),
          {
            ...{ judge, root, head: before.head, files: this.#disk, clock: this.#clock },
            git: () => this.#gitOf(),
          },
        )
      : nothingJudged;
    await this.#keepUnjudged(dirty, notJudged, tool);
    return changes.map(({ path, before: was, after, isClean }) => ({
      path,
      ...(was !== undefined && { before: was }),
      after,
      holders: holders.get(path) ?? [],
      problems: problems.get(path) ?? [],
      ...(notJudged.has(path) && { notJudged: notJudged.get(path)?.why ?? "" }),
      ...(isClean && { byGit: true as const }),
    }));
  }

  /** A judgement that ran out of time is repeated later; the rest of it is left to the commit. */
  async #keepUnjudged(
    changes: readonly Change[],
    notJudged: UngatedVerdict["notJudged"],
    tool: string,
  ): Promise<void> {
    const { root } = this.#context;
    const kept = changes.flatMap(({ path, before = null, after }) => {
      const { why, ranOut } = notJudged.get(path) ?? {};
      if (!ranOut || why === undefined) return [];
      return [{ root, path, before, after, actor: this.#actor, tool: tool.slice(0, 100), why }];
    });
    try {
      if (kept.length > 0) await this.#register.add(kept);
    } catch {
      // The text says that they are not judged, and the commit judges them.
    }
  }

  async #tellOthers(writes: readonly UngatedWrite[], tool: string): Promise<void> {
    const at = isoTime(this.#clock.wallMs());
    const holders = new Set(writes.flatMap((one) => one.holders));
    try {
      for (const holder of holders) {
        const theirs = writes.filter((one) => one.holders.includes(holder));
        await this.#files.leaveMessage(
          holder,
          holderText(theirs, { actor: this.#actor, tool, at }),
        );
      }
      const { root } = this.#context;
      const reported = writes.slice(0, ringLimits.heldPathsMax);
      this.#files.addPassed(
        reported.map(({ path, after }) => ({ root, path, hash: after, isReported: true as const })),
      );
    } catch {
      // The agent and the event log know; a full disk is told about by whoever needs it.
    }
  }

  async #emit(kind: string, data: Readonly<Record<string, string | number | string[]>>) {
    try {
      await this.#context.emit({ kind, actor: this.#actor, data });
    } catch {
      // A log that cannot be written must not keep the word from the agent.
    }
  }
}

const nothingJudged: UngatedVerdict = { problems: new Map(), notJudged: new Map() };

const sentenceOf = (error: unknown): string =>
  showText(error instanceof Error ? error.message : String(error));
