/**
 * One run of the product from one seed: actors claim, edit, release and write by hand in one repository, processes
 * die at any call, the power fails, the clock jumps, the disk fills up, the folder moves. The rooms are the real
 * ones (claims, journal of edits, repair by every command, verify); clock, scheduler, disk and faults are simulated.
 * What must hold is asked after every step; at the end faults stop, and ordinary commands alone must reach "clean".
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import type { Clock } from "../../src/base/clock.ts";
import { systemFiles } from "../../src/base/files.ts";
import { createIdSource } from "../../src/base/ids.ts";
import {
  type Liveness,
  ownIdentity,
  type ProcessIdentity,
} from "../../src/base/process-identity.ts";
import {
  type Claims,
  FenceMark,
  findLostFences,
  openClaimsIn,
  parseActor,
} from "../../src/claims/index.ts";
import { applyChanges, type ApplyOptions } from "../../src/edit/apply.ts";
import { openHistoryIn } from "../../src/edit/history.ts";
import type { FileChange } from "../../src/edit/index.ts";
import { recoverEdits } from "../../src/edit/recover.ts";
import { HeadgateError } from "../../src/errors.ts";
import type { Scope, Store } from "../../src/store/index.ts";
import { verifyEvents } from "../../src/store/index.ts";
import { repairLeftWork, verifyRepository, type VerifyPorts } from "../../src/verify/index.ts";
import { randomNumbers } from "../helpers/claims-history.ts";
import { CrashDisk, type Door, type Fault, filesBelow } from "./crash-disk.ts";

/** Each is a defect of one room, planted at a port; the simulator must find it. */
export const plantedBugs = {
  "claims-no-exclusion": "every actor is granted what it asks for, whoever holds it",
  "edit-no-fence-check": "an edit is written whether its claim is still held or not",
  "edit-record-not-synced": "the record of an edit is not on the disk before its files change",
  "repair-not-called": "no command looks for what dead processes left",
  "repair-keeps-scratch": "what a killed edit had prepared stays, and its record goes",
} as const;
export type PlantedBug = keyof typeof plantedBugs;

export interface RunReport {
  readonly seed: number;
  readonly steps: number;
  readonly history: readonly string[];
  readonly digest: string;
  readonly simulatedMs: number;
  readonly faults: Readonly<Record<string, number>>;
  /** Numbers of calls at which a process died, by the command that it ran. */
  readonly points: ReadonlySet<string>;
  /** Undefined: everything held. */
  readonly failure?: string;
}

class Broken extends Error {}

const actors = ["ann", "bob", "cid", "dan"];
const paths = ["a.txt", "b.txt", "src/c.txt", "src/d.txt", "src/deep/e.txt"];

/** Only the store may not know how it ended. That is durable once a later record is: they share a folder. */
const finishedRecord = /\.(?:applied|rolled-back)\.json$/;

const startMs = Date.UTC(2030, 0, 1);

export class SimulatedClock implements Clock {
  wall = startMs;
  mono = startMs;
  spentMs = 0;
  reset(): void {
    this.wall = startMs;
    this.mono = startMs;
  }
  wallMs(): number {
    return this.wall;
  }
  monoMs(): number {
    return this.mono;
  }
  pass(ms: number): void {
    this.wall += ms;
    this.mono += ms;
    this.spentMs += ms;
  }
  async sleep(ms: number): Promise<void> {
    this.pass(ms);
  }
  async yield(): Promise<void> {}
  sleepSync(ms: number): void {
    this.pass(ms);
  }
}

export interface SharedStore {
  readonly store: Store;
  readonly clock: SimulatedClock;
}

interface Process {
  readonly identity: ProcessIdentity;
  readonly door: Door;
}

interface OpenEdit {
  readonly id: string;
  readonly before: Map<string, string | undefined>;
  readonly after: Map<string, string>;
}

interface Held {
  readonly fence: number;
  readonly path: string;
}

export class World {
  readonly #random: () => number;
  readonly #shared: SharedStore;
  readonly #bug: PlantedBug | undefined;
  readonly #disk: CrashDisk;
  readonly #ids;
  readonly #history: string[] = [];
  readonly #faults: Record<string, number> = {};
  readonly #points = new Set<string>();
  /** What each file must hold; absent: it does not exist. */
  readonly #files = new Map<string, string>();
  /** Edits whose end is not known yet: whole or not at all. */
  #open: OpenEdit[] = [];
  readonly #held = new Map<string, Held[]>();
  readonly #alive = new Set<number>();
  #scope!: Scope;
  #fences!: FenceMark;
  #root: string;
  #boot = 1;
  #pids = 0;
  #steps = 0;
  #moves = 0;
  #highest = 0;
  #faultsOn = true;

  constructor(folder: string, seed: number, shared: SharedStore, bug?: PlantedBug) {
    this.#random = randomNumbers(seed);
    this.#shared = shared;
    this.#bug = bug;
    this.#root = join(folder, "repo-0");
    this.#disk = new CrashDisk(join(folder, "graves"), this.#random);
    if (bug === "edit-record-not-synced") this.#disk.syncless = /edits/;
    this.#ids = createIdSource({
      clock: shared.clock,
      random: {
        bytes: (count) =>
          Uint8Array.from({ length: count }, () => Math.floor(this.#random() * 256)),
        fraction: () => this.#random(),
      },
    });
  }

  async run(seed: number, steps: number): Promise<RunReport> {
    const { spentMs } = this.#shared.clock;
    let failure: string | undefined;
    try {
      await this.#begin();
      for (; this.#steps < steps; this.#steps += 1) {
        await this.#step();
        await this.#checkSafety();
      }
      await this.#checkLiveness();
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      failure = `step ${this.#steps}: ${error.message}`;
      this.#say(`BROKEN ${error.message}`);
    } finally {
      this.#fences.close();
    }
    const hash = createHash("sha256").update(this.#history.join("\n"));
    for (const path of paths) hash.update(this.#read(path) ?? "absent");
    return {
      ...{ seed, steps: this.#steps, history: this.#history, digest: hash.digest("hex") },
      ...{ faults: this.#faults, points: this.#points },
      simulatedMs: this.#shared.clock.spentMs - spentMs,
      ...(failure !== undefined && { failure }),
    };
  }

  async #begin(): Promise<void> {
    mkdirSync(join(this.#root, ".git/headgate"), { recursive: true });
    mkdirSync(join(this.#root, "src/deep"), { recursive: true });
    for (const path of paths.slice(0, 4)) this.#writeByHand(path, `${path}\n`);
    const { store } = this.#shared;
    this.#scope = await store.scope({ key: `path:${this.#root}`, name: basename(this.#root) });
    this.#fences = this.#openMark();
  }

  #openMark(): FenceMark {
    return new FenceMark({
      ...{ files: systemFiles, dir: this.#state, store: "sqlite:own", isShared: false },
      ...{ bootId: `boot-${this.#boot}`, scopeKey: "own", scopeId: this.#scope.id },
    });
  }

  get #state(): string {
    return join(this.#root, ".git/headgate");
  }

  async #step(): Promise<void> {
    const who = this.#pick(actors);
    const kinds: readonly (readonly [weight: number, work: () => Promise<void>])[] = [
      [5, () => this.#claim(who)],
      [8, () => this.#edit(who)],
      [2, () => this.#release(who)],
      [2, () => this.#look(who)],
      [1, async () => this.#editByHand()],
      [2, async () => this.#passTime()],
      [1, async () => this.#cutPower()],
      [1, async () => this.#moveFolder()],
    ];
    let at = this.#random() * kinds.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, work] of kinds) {
      at -= weight;
      if (at < 0) return work();
    }
  }

  /** A new process of the actor; what earlier ones left is repaired first, as every command does. */
  async #asProcess(
    who: string,
    what: string,
    work: (process: Process, claims: Claims) => Promise<string>,
  ): Promise<void> {
    this.#pids += 1;
    const pid = 5_000_000 + this.#pids;
    const identity = { ...ownIdentity(), pid, startTime: String(pid) };
    const process = { identity, door: this.#disk.door() };
    this.#alive.add(pid);
    const fault =
      this.#faultsOn && this.#random() < (what.startsWith("edit") ? 0.6 : 0.2)
        ? this.#pickFault()
        : undefined;
    if (fault) process.door.arm(1 + Math.floor(this.#random() * 60), fault);
    let answer: string;
    try {
      await this.#repair(process);
      this.#settleByDisk();
      answer = await work(process, this.#claimsOf(who));
    } catch (error) {
      if (error instanceof Broken) throw error;
      if (!process.door.isDead && !HeadgateError.isInstance(error)) throw error;
      answer = process.door.isDead ? "killed" : (error as HeadgateError).code;
    }
    if (process.door.isDead) {
      answer = "killed";
      this.#points.add(`${what} ${process.door.calls}`);
      this.#count("kill");
    } else if (fault && fault !== "kill") this.#count(fault);
    process.door.end();
    this.#alive.delete(pid);
    this.#say(`${who} ${what} -> ${answer}`);
  }

  #claimsOf(who: string): Claims {
    const { store, clock } = this.#shared;
    const place = { store, scope: this.#scope, fences: this.#fences };
    const actor = { ...parseActor(who), process: ownIdentity() };
    return openClaimsIn(place, { actor, clock });
  }

  async #claim(who: string): Promise<void> {
    const path = this.#pick(paths);
    await this.#asProcess(who, `claim ${path}`, async (_, claims) => {
      const asking = this.#bug === "claims-no-exclusion" ? this.#withoutExclusion(who) : claims;
      const result = await asking.claim({ targets: [{ path, extent: "file" }], ttlMs: 60_000 });
      if (!result.ok) return result.code;
      const [claim] = result.claims;
      if (!claim) throw new Broken("a grant without a claim");
      const isNew = !this.#heldBy(who).some(({ fence }) => fence === claim.fence);
      if (isNew && claim.fence <= this.#highest) {
        throw new Broken(`fence ${claim.fence} was handed out after ${this.#highest}`);
      }
      this.#highest = Math.max(this.#highest, claim.fence);
      this.#held.set(who, [
        ...this.#heldBy(who).filter((one) => one.path !== path),
        { path, fence: claim.fence },
      ]);
      return `fence ${claim.fence}`;
    });
  }

  /** Each actor in a scope of its own: nobody sees the others. */
  #withoutExclusion(who: string): Claims {
    const { store, clock } = this.#shared;
    const actor = { ...parseActor(who), process: ownIdentity() };
    const open = async () => {
      const scope = await store.scope({ key: `${this.#scope.key}#${who}`, name: who });
      return { store, scope, fences: this.#fences };
    };
    const place = { open, look: open };
    return {
      ...openClaimsIn({ store, scope: this.#scope, fences: this.#fences }, { actor, clock }),
      claim: async (request) => openClaimsIn(await place.open(), { actor, clock }).claim(request),
    };
  }

  /** Under what it believes to hold, which may have ended long ago. */
  async #edit(who: string): Promise<void> {
    const held = this.#heldBy(who);
    if (held.length === 0) return this.#claim(who);
    const chosen = held.slice(0, 1 + Math.floor(this.#random() * held.length));
    const names = chosen.map(({ path }) => path).join(" ");
    await this.#asProcess(who, `edit ${names}`, async ({ door, identity }, claims) => {
      const id = this.#ids("edit");
      const before = new Map(chosen.map(({ path }) => [path, this.#files.get(path)] as const));
      const after = new Map(
        chosen.map(({ path }) => [path, `${this.#files.get(path) ?? ""}${who} ${id}\n`] as const),
      );
      const live = (await claims.list({ actor: who })).claims.map(({ fence }) => fence);
      const isHeld = chosen.every(({ fence }) => live.includes(fence));
      const edit = { id, before, after };
      this.#open.push(edit);
      const options: ApplyOptions & { readonly probe: (identity: ProcessIdentity) => Liveness } = {
        ...{ root: this.#root, dir: join(this.#state, "edits"), id, actor: who },
        ...{ files: door.files, clock: this.#shared.clock, owner: identity },
        ...{ history: openHistoryIn({ store: this.#shared.store, scope: this.#scope }) },
        probe: (one) => this.#probe(one),
        ...(this.#bug !== "edit-no-fence-check" && {
          claims,
          fences: chosen.map(({ fence }) => fence),
        }),
        targetOf: (path) => ({ path, extent: "file" }),
        // Its writing may repair as well. From here on it may change files of earlier edits that are over.
        onStep: (step) => {
          if (step === "recorded") this.#settleByDisk(finishedRecord);
        },
        // Others work between its writing and its end.
        ...(this.#random() < 0.3 && {
          verify: async () => {
            await this.#look(this.#pick(actors.filter((one) => one !== who)));
            return { ok: true, message: "", output: "", exitCode: 0 } as never;
          },
        }),
      };
      const changes = chosen.map(({ path }): FileChange => {
        const [old, fresh] = [before.get(path), after.get(path) ?? ""];
        return old === undefined
          ? { path, kind: "create", before: null, after: Buffer.from(fresh) }
          : { path, kind: "modify", before: Buffer.from(old), after: Buffer.from(fresh) };
      });
      const applied = await applyChanges(changes, options);
      if (applied.ok && !isHeld)
        throw new Broken(`${who} wrote ${names} under a claim that had ended`);
      this.#settle(edit, applied.ok ? "after" : "before");
      return applied.ok ? "written" : applied.code;
    });
  }

  async #release(who: string): Promise<void> {
    await this.#asProcess(who, "release", async (_, claims) => {
      const { released } = await claims.release({ all: true });
      this.#held.delete(who);
      return `${released.length} claims`;
    });
  }

  async #look(who: string): Promise<void> {
    await this.#asProcess(
      who,
      "status",
      async (_, claims) => `${(await claims.list()).claims.length} claims`,
    );
  }

  async #repair({ door, identity }: Process): Promise<void> {
    if (this.#bug === "repair-not-called") return;
    await repairLeftWork(this.#ports(door, identity));
  }

  #ports(door: Door, identity: ProcessIdentity): VerifyPorts {
    const { store, clock } = this.#shared;
    const there = { store, scope: this.#scope };
    const claims = this.#claimsOf("watcher");
    return {
      repository: {
        ...{ kind: "folder", root: this.#root, worktree: this.#root, worktrees: [this.#root] },
        ...{
          localDir: this.#state,
          worktreesDir: this.#root,
          configFile: join(this.#root, "none"),
        },
        caseInsensitive: false,
        identity: { local: this.#scope, shared: this.#scope },
      },
      environment: undefined as never,
      clock,
      claims,
      edit: {
        recover: () =>
          recoverEdits({
            ...{ root: this.#root, dir: join(this.#state, "edits"), clock },
            files: this.#filesOfRepair(door),
            ...{ owner: identity, history: openHistoryIn(there) },
            probe: (one) => this.#probe(one),
          }),
      },
      routing: undefined as never,
      events: { verify: () => verifyEvents(store, this.#scope) as never },
      loss: {
        find: () =>
          findLostFences({
            ...{ there, scopeKey: "own", location: "sqlite:own", dir: this.#state },
            files: systemFiles,
          }),
        forget: async () => {},
      },
      probe: (one) => this.#probe(one),
      look: async () => there,
    };
  }

  #filesOfRepair({ files }: Door): Door["files"] {
    if (this.#bug !== "repair-keeps-scratch") return files;
    const unlink = (path: string): void => {
      if (!path.includes("/.headgate-ed_")) files.unlink(path);
    };
    return { ...files, unlink };
  }

  #probe({ pid }: ProcessIdentity): Liveness {
    const isAlive = this.#alive.has(pid);
    return isAlive
      ? { state: "alive", evidence: [] }
      : { state: "dead", evidence: [`${pid} is gone`] };
  }

  #editByHand(): void {
    // A person's file is not touched while it is half of somebody's edit.
    if (this.#open.length > 0) return;
    const path = this.#pick(paths);
    this.#writeByHand(path, `${this.#files.get(path) ?? ""}by hand ${this.#steps}\n`);
    this.#say(`a person writes ${path}`);
  }

  #writeByHand(path: string, text: string): void {
    writeFileSync(join(this.#root, path), text);
    this.#files.set(path, text);
  }

  #passTime(): void {
    const { clock } = this.#shared;
    const ms = this.#pick([1_000, 20_000, 70_000]);
    clock.pass(ms);
    if (this.#random() < 0.3) {
      clock.wall += this.#pick([-7_200_000, 7_200_000]);
      this.#count("clock jump");
    }
    this.#say(`${ms} ms pass`);
  }

  #cutPower(): void {
    if (!this.#faultsOn) return;
    this.#disk.cutPower(this.#root);
    this.#boot += 1;
    this.#fences.close();
    this.#fences = this.#openMark();
    this.#count("power cut");
    this.#say("the power fails");
  }

  #moveFolder(): void {
    // A power cut undoes names by their paths: what was not synced is on the disk by then.
    if (!this.#faultsOn || this.#open.length > 0) return;
    this.#disk.settle();
    this.#moves += 1;
    const to = join(this.#root, "..", `repo-${this.#moves}`);
    this.#fences.close();
    renameSync(this.#root, to);
    this.#root = to;
    this.#fences = this.#openMark();
    this.#count("moved");
    this.#say("the folder moves");
  }

  async #checkSafety(): Promise<void> {
    const { claims } = await this.#claimsOf("watcher").list();
    const lists = [claims];
    if (this.#bug === "claims-no-exclusion") {
      for (const who of actors) {
        const { store, clock } = this.#shared;
        const scope = await store.scope({ key: `${this.#scope.key}#${who}`, name: who });
        const own = openClaimsIn(
          { store, scope, fences: this.#fences },
          { clock, actor: parseActor(who) },
        );
        lists.push((await own.list()).claims);
      }
    }
    const live = lists.flat();
    for (const [index, one] of live.entries()) {
      const other = live.slice(index + 1).find(({ target }) => target === one.target);
      if (other) throw new Broken(`${one.actor} and ${other.actor} both hold ${one.target}`);
    }
    this.#settleByDisk();
    for (const path of paths) this.#checkFile(path);
  }

  #checkFile(path: string): void {
    const now = this.#read(path);
    const allowed = [this.#files.get(path)];
    for (const { before, after } of this.#open) {
      if (before.has(path)) allowed.push(before.get(path), after.get(path));
    }
    if (!allowed.includes(now)) {
      throw new Broken(`${path} holds ${JSON.stringify(now ?? null)}, which nobody wrote whole`);
    }
  }

  /** An edit without a record in the journal, or with one of these, is over: all of it is there, or nothing. */
  #settleByDisk(over?: RegExp): void {
    const folder = join(this.#state, "edits/open");
    const names = existsSync(folder) ? systemFiles.list(folder).map(({ name }) => name) : [];
    for (const edit of [...this.#open]) {
      if (names.some((name) => name.startsWith(edit.id) && !over?.test(name))) continue;
      const isAfter = [...edit.after].every(([path, text]) => this.#read(path) === text);
      const isBefore = [...edit.before].every(([path, text]) => this.#read(path) === text);
      if (!isAfter && !isBefore) {
        throw new Broken(
          `${edit.id} is half done in ${[...edit.after.keys()].join(", ")}, and nothing knows of it`,
        );
      }
      this.#settle(edit, isAfter ? "after" : "before");
    }
  }

  #settle(edit: OpenEdit, how: "before" | "after"): void {
    this.#open = this.#open.filter((one) => one !== edit);
    if (how === "after") for (const [path, text] of edit.after) this.#files.set(path, text);
  }

  /** Faults stop; each actor runs one ordinary command; then nothing may be in between. */
  async #checkLiveness(): Promise<void> {
    this.#faultsOn = false;
    for (const who of actors) await this.#look(who);
    this.#shared.clock.pass(120_000);
    await this.#claim("zoe");
    await this.#edit("zoe");
    await this.#release("zoe");
    await this.#checkSafety();
    const left = filesBelow(this.#root)
      .map((path) => relative(this.#root, path))
      .filter((path) => /\.headgate-ed_|edits\/open\/|edits\/done\//.test(path));
    if (left.length > 0) throw new Broken(`left over: ${left.join(", ")}`);
    if (this.#open.length > 0) throw new Broken("an edit is neither done nor undone");
    const door = this.#disk.door();
    const { clean, findings } = await verifyRepository(this.#ports(door, ownIdentity()), {
      repairs: false,
    });
    door.end();
    if (!clean) throw new Broken(`verify: ${findings.map(({ what }) => what).join("; ")}`);
    for (const path of paths) {
      const result = await this.#claimsOf("zoe").claim({ targets: [{ path, extent: "file" }] });
      if (!result.ok) throw new Broken(`${path} is not free for anybody: ${result.code}`);
    }
  }

  #read(path: string): string | undefined {
    const place = join(this.#root, path);
    return existsSync(place) ? readFileSync(place, "utf8") : undefined;
  }

  #heldBy(who: string): readonly Held[] {
    return this.#held.get(who) ?? [];
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T;
  }

  #pickFault(): Fault {
    return this.#pick(["kill", "kill", "kill", "ENOSPC", "EIO"] as const);
  }

  #count(fault: string): void {
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
  }

  #say(line: string): void {
    this.#history.push(`${this.#steps} ${line}`);
  }
}
