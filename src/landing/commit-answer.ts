/** The answers of `headgate commit`. */
import type { NotPrepared } from "../git/index.ts";
import { countHunks } from "../lines/index.ts";
import type { LeftLines, OwnPart, PartFile } from "./own-part.ts";

export interface CommitFile {
  readonly path: string;
  readonly hunks: number;
  readonly left: readonly { readonly actor: string; readonly hunks: number }[];
}

export type CommitAnswer =
  | {
      readonly ok: true;
      /** Null: only planned. */
      readonly commit: string | null;
      readonly files: readonly CommitFile[];
      /** Claims that ended with it. */
      readonly released: readonly string[];
      readonly notes: readonly string[];
    }
  | {
      readonly ok: false;
      readonly code: "COMMIT_NOTHING" | "COMMIT_REFUSED" | "COMMIT_UNFINISHED";
      readonly reasons: readonly string[];
      readonly left: readonly CommitFile[];
    };

export const ownFiles = ({ files }: OwnPart): readonly PartFile[] =>
  files.filter(({ isOwn }) => isOwn);

export const answerFor = (
  part: OwnPart,
  {
    commit,
    released,
    locked = [],
    more = [],
  }: {
    readonly commit: string | null;
    readonly released: readonly string[];
    readonly locked?: readonly string[];
    /** Changes without lines. */
    readonly more?: readonly CommitFile[];
  },
): CommitAnswer => {
  const own = ownFiles(part);
  const carried = new Set(own.flatMap((file) => file.carried.map(({ actor }) => actor)));
  return {
    ok: true,
    commit,
    files: [...own.map(describe), ...more],
    released,
    notes: [
      ...[...carried].map((actor) => `lines of ${actor} that yours were written onto went along`),
      ...(part.tookUnknown ? ["lines without a known author went along"] : []),
      ...locked.map(
        (path) =>
          `another git has the index locked: git shows ${path} as staged until the next commit here`,
      ),
    ],
  };
};

const describe = ({ path, content, committed, left }: PartFile): CommitFile => ({
  path,
  hunks: countHunks(committed?.content, content),
  left: describeLeft(left),
});

export const describeLeft = (left: readonly LeftLines[]): CommitFile["left"] =>
  left.map(({ actor, edits }) => ({ actor: actor === "" ? "unknown" : actor, hunks: edits }));

export const leftFiles = ({ files }: OwnPart, others: readonly CommitFile[]): CommitFile[] => [
  ...files.filter(({ left }) => left.length > 0).map(describe),
  ...others,
];

export const nothing = (part: OwnPart, others: readonly CommitFile[]): CommitAnswer => ({
  ok: false,
  code: "COMMIT_NOTHING",
  reasons: ["no uncommitted line here is yours"],
  left: leftFiles(part, others),
});

export const refused = (
  { reason, lines = [] }: NotPrepared,
  part: OwnPart,
  others: readonly CommitFile[],
): CommitAnswer => ({
  ok: false,
  code: "COMMIT_REFUSED",
  reasons: [reason, ...lines],
  left: leftFiles(part, others),
});
