/** Notices about lines, sent in the transaction that changes them. */
import { showText } from "../base/text.ts";
import type { NewNotice } from "../notices/index.ts";
import type { FileRecord } from "./file-record.ts";
import type { WaitRow } from "./lines-store.ts";
import type { LineGrant } from "./ports.ts";

/** For the writer that goes over uncommitted lines, and for their author (N-08). */
export const grantNotices = (granted: readonly LineGrant[], by: string): NewNotice[] =>
  granted.flatMap(({ path, actor, why }): NewNotice[] => [
    {
      ...{ to: by, kind: "claim", target: path, about: `over:${path}:${actor}` },
      text:
        `your edit meets uncommitted lines of ${showText(actor, 80)} and passed because ${reasons[why]}; ` +
        "your commit takes exactly those lines along, with their author named",
    },
    {
      ...{ to: actor, kind: "claim", target: path, about: overKey(path, by) },
      text:
        `${showText(by, 80)} edited your uncommitted lines; read the file again before you change it: ` +
        "your version is kept until it is committed",
    },
  ]);

/** Of the notice that the receiver's uncommitted lines of a file were edited. */
export const overKey = (path: string, by: string): string => `over:${path}:${by}`;

const reasons = {
  circle: "each of you waits for the other",
  idle: "it has been idle for a while",
  ended: "its session has ended",
  dead: "its process is gone",
} as const satisfies Record<LineGrant["why"], string>;

/** Those whose lines of a file are committed or gone. */
export const freeAfter = (
  path: string,
  {
    before,
    after,
    waits,
  }: {
    readonly before: FileRecord;
    readonly after: FileRecord;
    readonly waits: readonly WaitRow[];
  },
): WaitRow[] => {
  const [had, have] = [sessionsIn(before), sessionsIn(after)];
  return waits.filter((wait) => {
    const holders = JSON.parse(wait.holders) as string[];
    const isDone = holders.some((one) => had.has(one)) && !holders.some((one) => have.has(one));
    return wait.path === path && isDone;
  });
};

/** Those who wait for lines of this session alone, which stop no edit once it has ended. */
export const freeWithout = (waits: readonly WaitRow[], session: string): WaitRow[] =>
  waits.filter(
    ({ path, holders }) => path !== "" && (JSON.parse(holders) as string[]).includes(session),
  );

/** Not worth a word any more once its session has made the edit; it is said with its turn. */
export const freeNotice = (
  { session, path }: Pick<WaitRow, "session" | "path">,
  { why, after }: { readonly why?: string | undefined; readonly after?: number } = {},
): NewNotice => ({
  ...{ to: session, kind: "claim", target: path, about: `free:${path}:${session}` },
  text: `${why ?? "the lines that you waited for are committed or gone"}; they are kept for you for a moment: repeat your edit now`,
  ...(after !== undefined && { notBefore: after }),
});

const sessionsIn = ({ weave }: FileRecord): Set<string> =>
  new Set(weave.edits.map(({ session }) => session));
