/** E-25: line ends and the byte order mark are the file's own; a change of theirs is seldom meant. */
import type { Finding } from "./rule.ts";
import type { TextChange, TextSide } from "./text-change.ts";

export interface LineEnds {
  readonly lf: number;
  readonly crlf: number;
  readonly cr: number;
}

export const countLineEnds = (side: TextSide | undefined): LineEnds => {
  const known = side && counted.get(side);
  if (known) return known;
  const counts = countIn(side?.text ?? "");
  if (side) counted.set(side, counts);
  return counts;
};

const counted = new WeakMap<TextSide, LineEnds>();

const countIn = (text: string): LineEnds => {
  const crlf = text.match(/\r\n/g)?.length ?? 0;
  return {
    lf: (text.match(/\n/g)?.length ?? 0) - crlf,
    crlf,
    cr: (text.match(/\r/g)?.length ?? 0) - crlf,
  };
};

export const lineEnds = ({ path, before, after }: TextChange): readonly Finding[] => {
  if (!after || after.text.includes("\0")) return [];
  const [old, now] = [countLineEnds(before), countLineEnds(after)];
  const remark = (code: string, message: string, remedy: string): Finding => ({
    ...{ level: "remark", code, path, message, remedy },
  });
  const found: Finding[] = [];
  const keep = "Keep the line ends that the file has, unless the change is about them.";
  if (before && only(old) !== undefined && only(now) !== undefined && only(old) !== only(now)) {
    const message = `all line ends change from ${only(old)} to ${only(now)} (${total(now)} lines)`;
    found.push(remark("LINE_ENDS_CHANGED", message, keep));
  } else if (kinds(now) > 1 && kinds(old) <= 1 && total(now) > 2) {
    const shown = `${now.crlf} CRLF, ${now.lf} LF${now.cr > 0 ? `, ${now.cr} CR` : ""}`;
    found.push(remark("LINE_ENDS_CHANGED", `the line ends would be mixed: ${shown}`, keep));
  }
  if (before && before.text !== "" && after.hasBom && !before.hasBom) {
    const message = "the change puts a byte order mark before the first character";
    found.push(remark("BYTE_ORDER_MARK", message, "Write the file without it, as it was."));
  }
  return found;
};

const total = ({ lf, crlf, cr }: LineEnds): number => lf + crlf + cr;
const kinds = (ends: LineEnds): number => Object.values(ends).filter((count) => count > 0).length;

/** The one kind of a file that has several lines and no other kind. */
const only = (ends: LineEnds): string | undefined => {
  if (kinds(ends) !== 1 || total(ends) < 2) return undefined;
  return ends.lf > 0 ? "LF" : ends.crlf > 0 ? "CRLF" : "CR";
};
