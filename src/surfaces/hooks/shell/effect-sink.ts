/** Where effects are gathered while a command line is gone through, and what a word means as a path. */
import { posix } from "node:path";
import { marks, personalVariable } from "./personal-uses.ts";
import type { Effect, FileEffect, GitEffect, PersonalUse } from "./types.ts";
import type { Word } from "./syntax-tree.ts";
import { isOrdinaryDevice } from "../../../base/path-kinds.ts";
import { showText } from "../../../base/text.ts";

/** Where the next command runs. */
export interface Place {
  /** Undefined once that is not known any more. */
  readonly cwd: string | undefined;
  /** Where the last `cd` of the line led. */
  readonly folder?: string;
  /** Inside a function or behind something unknown: nothing is certain. */
  readonly isUnsure?: true;
  /** What runs once may run again from elsewhere. */
  readonly isLoop?: true;
}

export interface SinkOptions {
  readonly home?: string;
}

export interface Located {
  readonly path: string;
  readonly certain: boolean;
}

type Extra = Partial<Pick<FileEffect, "into" | "isTree" | "keepsContent">> & {
  readonly isUnsure?: boolean;
};

/** Effects beyond this are of no use to anybody: the first few decide. */
const effectsMax = 2_000;
const reasonsMax = 20;

export class EffectSink {
  readonly effects: Effect[] = [];
  readonly personal: PersonalUse[] = [];
  readonly #reasons = new Set<string>();
  readonly #home: string | undefined;
  /** Names that the line itself defines: what they run is not what the name says. */
  readonly functions = new Set<string>();
  /** A variable of the line decides what git works on. */
  hasGitVariables = false;
  /** The line says itself which folder `~` is. */
  hasOtherHome = false;
  /** The line says itself which settings git reads, or in which repository it works. */
  hasOtherSettings = false;
  hasOtherRepository = false;
  /** `git init`, `git clone`. */
  makesRepository = false;
  /** A variable of the line turns a hook manager off, and with it the hooks that it runs. */
  skipsHooks = false;

  constructor({ home }: SinkOptions) {
    this.#home = home;
  }

  get uncertain(): readonly string[] {
    return [...this.#reasons];
  }

  /** A variable that the line sets, with what is known of its value: `NAME=value`. */
  variable(text: string, place: Place): void {
    if (text.startsWith("GIT_")) this.hasGitVariables = true;
    if (/^GIT_(?:DIR|WORK_TREE)=./.test(text)) this.hasOtherRepository = true;
    if (/^GIT_CONFIG_(?:GLOBAL|SYSTEM)=(?!\/dev\/null$)./.test(text)) this.hasOtherSettings = true;
    if (text.startsWith("HOME=")) this.hasOtherHome = true;
    if (/^(?:HUSKY|LEFTHOOK)=(?:0|false)$/.test(text)) this.skipsHooks = true;
    const found = personalVariable(text);
    if (!found) return;
    const { by, actor } = found;
    if (actor !== undefined) this.person({ kind: "actor", by, actor }, place);
    else this.person({ kind: marks.has(by) ? "mark" : "bypass", by }, place);
  }

  person(use: Omit<PersonalUse, "at" | "folder">, place: Place): void {
    const { cwd } = place;
    if (this.personal.length >= effectsMax) return;
    const where = { ...(cwd !== undefined && { at: cwd }), ...folderOf(place) };
    this.personal.push({ ...use, ...where, ...(this.makesRepository && { isFresh: true }) });
  }

  unsure(reason: string): void {
    if (this.#reasons.size < reasonsMax) this.#reasons.add(showText(reason, 80));
  }

  locate(word: Word, place: Place): Located {
    const { text } = word;
    if (!word.known) return { path: text, certain: false };
    if (word.tilde) {
      const isOwn = text === "~" || text.startsWith("~/");
      if (!isOwn || this.#home === undefined || this.hasOtherHome)
        return { path: text, certain: false };
      return { path: posix.join(this.#home, text.slice(1)), certain: !place.isUnsure };
    }
    if (text === "") return { path: "", certain: false };
    if (posix.isAbsolute(text)) return { path: posix.normalize(text), certain: !place.isUnsure };
    if (place.cwd === undefined) return { path: posix.normalize(text), certain: false };
    return { path: posix.join(place.cwd, text), certain: !place.isUnsure };
  }

  file(kind: FileEffect["kind"], word: Word, place: Place, by: string, extra: Extra = {}): void {
    const { path, certain } = this.locate(word, place);
    if (isOrdinaryDevice(path)) return;
    const { isUnsure = false, ...rest } = extra;
    const near = certain && isUnsure ? ({ isNear: true } as const) : {};
    const where = { ...near, ...folderOf(place) };
    this.#add({ kind, path, certain: certain && !isUnsure, by, ...rest, ...where });
    if (word.stem !== undefined) this.inside({ ...word, text: word.stem }, place, by);
  }

  /** Something in this folder, decided later. */
  inside({ text, plain, tilde }: Word, place: Place, by: string): void {
    this.file("write", { text, plain, tilde, known: true }, place, by, { isUnsure: true });
  }

  write(word: Word, place: Place, by: string, extra: Extra = {}): void {
    this.file("write", word, place, by, extra);
  }

  move(
    from: Word,
    to: Word,
    place: Place,
    { by, into, isUnsure = false }: { by: string; into?: string; isUnsure?: boolean },
  ): void {
    const source = this.locate(from, place);
    const target = this.locate(to, place);
    this.#add({
      kind: "move",
      path: source.path,
      to: target.path,
      certain: source.certain && target.certain && !isUnsure,
      by,
      ...(into !== undefined && { into }),
      ...folderOf(place),
    });
  }

  git(effect: Omit<GitEffect, "kind" | "folder">, place: Place): void {
    this.#add({ kind: "git", ...effect, ...folderOf(place) });
  }

  #add(effect: Effect): void {
    if (!effect.certain) this.unsure(`${effect.by} works on something that is decided later`);
    if (this.effects.length < effectsMax) this.effects.push(effect);
  }
}

const folderOf = ({ folder }: Place) => (folder === undefined ? {} : { folder });

/** Terminals, the null device, other commands' ends of a pipe; not files in memory, which Linux has in /dev/shm. */
