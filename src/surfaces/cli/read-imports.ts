/** `review --import`: what linters printed elsewhere. */
import { showText } from "../../base/text.ts";
import { readAnyReport } from "../../review/index.ts";
import { usageError } from "./arguments.ts";
import type { CommandContext } from "./command.ts";
import { namedFile, readText } from "./commands/review-synth.ts";

export const readImports = async (
  context: CommandContext,
): Promise<{ name: string; text: string }[]> => {
  const named = context.flags.texts("import");
  if (named.length === 0) return [];
  const imports: { name: string; text: string }[] = [];
  for (const given of named) {
    const { reviewer, file } = namedFile(given);
    const text = await readText(file, context);
    const { report } = readAnyReport(text, { review: "import", reviewer });
    if (report.state !== "strict" || report.family !== reviewer) {
      const known = "SARIF, rdjson, checkstyle, JUnit or ESLint JSON";
      throw usageError(`${showText(given)} is not ${known}`, "headgate review");
    }
    // Two of one name are two.
    const nth = imports.filter(({ name }) => name.replace(/-\d+$/, "") === reviewer).length + 1;
    imports.push({ name: nth === 1 ? reviewer : `${reviewer}-${nth}`, text });
  }
  return imports;
};
