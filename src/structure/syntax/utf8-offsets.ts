/** Places of parsers that count bytes of UTF-8, as offsets in the text. */

/** Ascending offsets are found in one pass over the text; an earlier one begins again. */
export const utf8Offsets = (text: string): ((byte: number) => number) => {
  let [unit, seen] = [0, 0];
  return (byte) => {
    if (byte < seen) [unit, seen] = [0, 0];
    while (seen < byte && unit < text.length) {
      const code = text.codePointAt(unit) ?? 0;
      seen += code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4;
      unit += code < 0x1_00_00 ? 1 : 2;
    }
    return unit;
  };
};
