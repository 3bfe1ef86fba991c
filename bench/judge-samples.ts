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

/** As long as the files of large C programs. */
export const cSample: Sample = {
  path: "sample.c",
  grammar: "c",
  language: "c",
  text: (lines, mark) =>
    `#include <stdio.h>\n#include "server.h"\n\n${Array.from(
      { length: Math.ceil(lines / 14) },
      (_, at) =>
        `/* Step ${at}. */\nstatic int step${at}(struct client *c, long long value) {\n    int total = 0;\n\n` +
        `    if (c->flags & CLIENT_${at % 7}) return C_ERR;\n    for (int i = 0; i < value; i++) {\n` +
        `        total += i * ${at === 0 ? mark : at};\n        serverAssert(total >= 0);\n    }\n` +
        `    return total ? C_OK : C_ERR;\n}\n\n#define STEP_${at} ${at}\n\n`,
    ).join("")}`,
};
