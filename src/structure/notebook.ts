/**
 * The code cells of a Jupyter notebook, as texts in the language of its kernel. Outputs, Markdown and cells in
 * another language (`%%bash`) are left out. IPython takes more than Python: magics, shell commands and questions are
 * blanked, line by line, so that all lines keep their numbers.
 */

export interface NotebookCell {
  /** Counted from 1, over cells of all kinds: as a person counts them. */
  readonly number: number;
  readonly id?: string;
  readonly code: string;
}

export interface Notebook {
  /** The ending of a file in the kernel's language; undefined where cells are no files of it. */
  readonly ending: string | undefined;
  readonly cells: readonly NotebookCell[];
}

export const isNotebook = (path: string): boolean => /\.ipynb$/i.test(path);

/** Undefined: not JSON. An empty file is a notebook without cells, as it is to Jupyter. */
export const readNotebook = (text: string): Notebook | undefined => {
  if (text.trim() === "") return { ending: undefined, cells: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { cells, metadata } = fieldsIn(value);
  const ending = endings[kernelLanguage(fieldsIn(metadata))];
  const all = Array.isArray(cells) ? cells : [];
  return {
    ending,
    cells: all.flatMap((cell: unknown, index) => readCell(cell, index + 1, ending)),
  };
};

/** As IPython would hand it to Python. */
export const withoutMagics = (code: string): string => {
  let goesOn = false;
  const lines = code.split("\n").map((line) => {
    const plain = goesOn ? "" : plainLine(line);
    // A command goes on after a backslash, as in a shell.
    goesOn = plain !== line && /\\\s*$/.test(line);
    return plain;
  });
  return lines.join("\n");
};

const readCell = (cell: unknown, number: number, ending: string | undefined): NotebookCell[] => {
  const { cell_type: type, source, id } = fieldsIn(cell);
  if (type !== "code") return [];
  const code = Array.isArray(source) ? source.join("") : typeof source === "string" ? source : "";
  if (ending === "py" && isOtherLanguage(code)) return [];
  return [{ number, code, ...(typeof id === "string" && { id }) }];
};

const fieldsIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const kernelLanguage = (metadata: Readonly<Record<string, unknown>>): string => {
  const [{ language }, { name }] = [
    fieldsIn(metadata["kernelspec"]),
    fieldsIn(metadata["language_info"]),
  ];
  const given = [language, name].find((one) => typeof one === "string");
  return typeof given === "string" ? given.toLowerCase() : "python";
};

/** Kernels of other languages run pieces that no file of the language could hold. */
const endings: Readonly<Record<string, string | undefined>> = {
  python: "py",
  python3: "py",
  ipython: "py",
  javascript: "js",
  typescript: "ts",
  ruby: "rb",
};

/** `%%time` and its like run the rest of the cell as Python; all others take it as text of their own. */
const isOtherLanguage = (code: string): boolean => {
  const magic = /^\s*%%(\w+)/.exec(code)?.[1];
  return magic !== undefined && !["time", "timeit", "capture", "prun", "memit"].includes(magic);
};

const plainLine = (line: string): string => {
  const [indent = ""] = /^\s*/.exec(line) ?? [];
  const text = line.slice(indent.length);
  if (/^(%|!|\?)/.test(text) || /^[^#"']*\?{1,2}\s*$/.test(text) || automagic.test(text)) {
    return `${indent}pass`;
  }
  // `files = !ls`, `run = %timeit -o f()`
  return line.replace(/^(\s*[\w.[\]"'][\w.[\]"', ]*=\s*)[!%].*$/, "$1None");
};

/** Words that IPython takes for magics without their `%`. */
const automagic =
  /^(pip|conda|mamba|ls|ll|cd|pwd|cat|mkdir|rmdir|rm|cp|mv|man|env|who|whos|run|load|history|time|timeit)(\s+[^\s=(.[,:+*/%&|<>-].*)?$/;
