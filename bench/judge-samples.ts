/** Sources of any length that parse, in the languages whose judgement is measured. */
export interface Sample {
  readonly path: string;
  readonly grammar: string;
  readonly language: string;
  /** A file of about so many lines; `mark` makes it another content. */
  text(lines: number, mark: number): string;
}

export const samples: readonly Sample[] = [
  {
    path: "sample.py",
    grammar: "python",
    language: "python",
    text: (lines, mark) =>
      Array.from({ length: Math.ceil(lines / 100) }, (_, index) => {
        const method = (at: number) =>
          `    def method_${at}(self, value, *rest, key=None):\n        """Does step ${at}."""\n` +
          `        total = [value * ${at} + len(rest)]\n        for one in rest:\n` +
          `            if one is not key:\n                total.append({"one": one, "at": ${at}})\n` +
          `        return sum(1 for _ in total) + ${index === 0 ? mark : at}\n\n`;
        const methods = Array.from({ length: 12 }, (__, at) => method(at)).join("");
        return `class Sample${index}(object):\n${methods}\n\n`;
      }).join(""),
  },
  {
    path: "sample.ts",
    grammar: "typescript",
    language: "typescript",
    text: (lines, mark) =>
      Array.from({ length: Math.ceil(lines / 100) }, (_, index) => {
        const method = (at: number) =>
          `  /** Does step ${at}. */\n  step${at}<T extends object>(value: number, ...rest: T[]): number {\n` +
          `    const total = [value * ${at} + rest.length];\n    for (const one of rest) {\n` +
          `      if ("key" in one) total.push(Object.keys(one).length);\n    }\n` +
          `    return total.length + ${index === 0 ? mark : at};\n  }\n\n`;
        const methods = Array.from({ length: 11 }, (__, at) => method(at)).join("");
        return `export class Sample${index} {\n${methods}}\n\n`;
      }).join(""),
  },
];
