/** What is put into files of each language: new members, legal twins, things in the wrong place. */
export interface Profile {
  readonly comment: string;
  /** A new member of a class; lines without outer indentation, `\t` for one level. */
  readonly member?: (name: string) => string;
  readonly func: (name: string) => string;
  /** Texts that are legal at the end of a file of this language; `N` stands for a fresh name. */
  readonly twins: readonly (readonly [kind: string, code: string])[];
  /** Decorators, annotations or attributes that do not make a second definition legal. */
  readonly marks: readonly string[];
  /** Words that are written twice, and lines that are out of place inside a body. */
  readonly keywords: readonly string[];
  readonly strayElse: string;
  readonly outside: readonly string[];
  readonly misplaced: readonly string[];
  /** A body of one harmless statement. */
  readonly nothing: string;
  readonly unit: string;
}

export const cStyle = {
  comment: "//",
  strayElse: "else {\n}",
  nothing: ";",
  unit: "    ",
} as const;

/** Levels of indentation made those of the file. */
export const fit = (code: string, indent: string, unit: string): string =>
  code
    .split("\n")
    .map((line) => {
      const levels = /^\t*/.exec(line)![0].length;
      const rest = line.slice(levels);
      return rest === "" ? "" : indent + unit.repeat(levels) + rest;
    })
    .join("\n");
