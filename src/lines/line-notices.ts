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
      ...{ to: actor, kind: "claim", target: path, about: `over:${path}:${by}` },
      text:
        `${showText(by, 80)} edited your uncommitted lines; read the file again before you change it: ` +
        "your version is kept until it is committed",
    },
  ]);

const reasons = {
  circle: "each of you waits for the other",
  idle: "it has been idle for a while",
  ended: "its session has ended",
  dead: "its process is gone",
} as const satisfies Record<LineGrant["why"], string>;

/** The lines of a file that sessions wait for are committed or gone: the first in line hears of it. */
export const freeNotices = (
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
): NewNotice[] => {
  const [had, have] = [sessionsIn(before), sessionsIn(after)];
  const free = waits.filter((wait) => {
    const holders = JSON.parse(wait.holders) as string[];
    const isDone = holders.some((one) => had.has(one)) && !holders.some((one) => have.has(one));
    return wait.path === path && isDone;
  });
  return firstInLine(free, "the lines that you waited for are committed or gone");
};

/** A session has ended: its lines stop no edit any more. */
export const leftNotices = (waits: readonly WaitRow[], session: string): NewNotice[] =>
  [...Map.groupBy(waits, ({ path }) => path)].flatMap(([path, group]) => {
    const concerned = group.filter(
      (wait) => path !== "" && (JSON.parse(wait.holders) as string[]).includes(session),
    );
    const who = showText(session, 80);
    return firstInLine(concerned, `${who}, whose lines you waited for, has ended its session`);
  });

const firstInLine = (waits: readonly WaitRow[], what: string): NewNotice[] => {
  const [first] = waits.toSorted((a, b) => a.since - b.since);
  if (!first) return [];
  const { session: to, path } = first;
  return [
    {
      ...{ to, kind: "claim", target: path, about: freeAbout(path, to) },
      text: `${what}: repeat your edit`,
    },
  ];
};

/** Not worth a word any more once its session has made the edit. */
export const freeAbout = (path: string, session: string): string => `free:${path}:${session}`;

const sessionsIn = ({ weave }: FileRecord): Set<string> =>
  new Set(weave.edits.map(({ session }) => session));
