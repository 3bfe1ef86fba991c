import { showText } from "../../base/text.ts";
import type { ClaimList } from "../../claims/index.ts";
import { actorWords, type SeenClaim } from "../claim-vias.ts";
import { showSpan } from "./duration.ts";
import type { Style } from "./output.ts";
import { alignedLines } from "./table.ts";
import { cutMiddle, textWidth } from "./text-width.ts";

/**
 * Claims as a table that fits the terminal. Ids are never cut, because they are copied; targets and
 * actors share what room is left. A wide terminal gets the fence and the reason as well.
 */
export const claimTable = (
  claims: readonly Listed[],
  {
    width,
    cutTo,
    style,
    nowMs,
  }: {
    /** Which columns are shown. */
    readonly width: number;
    readonly cutTo: number;
    readonly style: Style;
    readonly nowMs: number;
  },
): string[] => {
  const columns = allColumns.filter(({ fromWidth = 0 }) => width >= fromWidth);
  const texts = claims.map((claim) => columns.map(({ cell }) => cell(claim, nowMs)));
  const natural = columns.map(({ title }, index) =>
    Math.max(title.length, ...texts.map((row) => textWidth(row[index] ?? ""))),
  );
  const fixed = columns.map(({ share }, index) =>
    share === undefined ? (natural[index] ?? 0) : 0,
  );
  const room = cutTo - gap * (columns.length - 1) - fixed.reduce((sum, one) => sum + one, 0);
  const widths = shareOut(
    room,
    columns.map(({ share = 0 }, index) => ({ share, natural: natural[index] ?? 0 })),
  );
  const rows = texts.map((row) =>
    row.map((text, index) =>
      columns[index]?.share === undefined ? text : cutMiddle(text, widths[index] ?? 0),
    ),
  );
  const titles = columns.map(({ title }) => title);
  const [head = "", ...lines] = alignedLines([titles, ...rows], (cell, index) =>
    titles[index] === "TARGET" ? style.bold(cell) : cell,
  );
  return [style.dim(head), ...lines];
};

type Listed = SeenClaim<ClaimList["claims"][number]>;

interface Column {
  readonly title: string;
  readonly cell: (claim: Listed, nowMs: number) => string;
  /** May be cut; its part of the room that is left. */
  readonly share?: number;
  /** Shown from this width of the terminal on. */
  readonly fromWidth?: number;
}

const gap = 2;

const allColumns: readonly Column[] = [
  { title: "TARGET", share: 3, cell: ({ target }) => showText(target, 4096) },
  { title: "MODE", cell: ({ mode }) => (mode === "exclusive" ? "excl" : mode) },
  { title: "ACTOR", share: 2, cell: ({ actor, via }) => showText(actorWords(actor, via)) },
  { title: "FENCE", fromWidth: 100, cell: ({ fence }) => String(fence) },
  { title: "LEFT", cell: ({ expiresAt }, nowMs) => showSpan(Date.parse(expiresAt) - nowMs) },
  { title: "LIFE", cell: ({ liveness }) => liveness.state },
  { title: "REASON", share: 2, fromWidth: 120, cell: ({ reason }) => showText(reason) },
  { title: "ID", cell: ({ id }) => id },
];

/** Who needs less than its part leaves the rest to the others. */
const shareOut = (
  room: number,
  wishes: readonly { readonly share: number; readonly natural: number }[],
): number[] => {
  const widths = wishes.map(() => 0);
  let open = wishes.map((_, index) => index).filter((index) => (wishes[index]?.share ?? 0) > 0);
  let left = Math.max(room, open.length * narrowest);
  for (;;) {
    const shares = open.reduce((sum, index) => sum + (wishes[index]?.share ?? 0), 0);
    const part = (index: number) => Math.floor((left * (wishes[index]?.share ?? 0)) / shares);
    const content = open.filter((index) => (wishes[index]?.natural ?? 0) <= part(index));
    if (content.length === 0) {
      for (const index of open) widths[index] = part(index);
      return widths;
    }
    for (const index of content) {
      widths[index] = wishes[index]?.natural ?? 0;
      left -= widths[index] ?? 0;
    }
    open = open.filter((index) => !content.includes(index));
  }
};

const narrowest = 6;
