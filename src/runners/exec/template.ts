/** An argv template: `{prompt}`, `{promptFile}`, `{model}`, `{cwd}`, `{schemaFile}`, whole or inside. */
import { limits } from "../../base/limits.ts";

const placeholders = ["prompt", "promptFile", "model", "cwd", "schemaFile"] as const;
export type Placeholder = (typeof placeholders)[number];

const shape = new RegExp(`\\{(${placeholders.join("|")})\\}`, "g");

export const placeholdersIn = (argv: readonly string[]): ReadonlySet<Placeholder> =>
  new Set(argv.flatMap((one) => [...one.matchAll(shape)].map(([, name]) => name as Placeholder)));

/**
 * The arguments, or what is missing. Everything is put in once: a prompt that holds `{cwd}` stays as it is.
 * An empty template argument stays one argument, whatever is put into it, so nothing can become a flag's twin.
 */
export const fillTemplate = (
  argv: readonly string[],
  values: Readonly<Partial<Record<Placeholder, string>>>,
): readonly [string, ...string[]] | string => {
  let problem: string | undefined;
  const filled = argv.map((one) => {
    const text = one.replaceAll(shape, (whole, name: Placeholder) => {
      const value = values[name];
      if (value === undefined) problem ??= `its template wants {${name}}, and there is none`;
      return value ?? whole;
    });
    if (text.includes("\0")) problem ??= "an argument would hold a NUL character";
    if (Buffer.byteLength(text) > limits.runnerArgumentBytesMax) {
      problem ??=
        "the prompt is too long for an argument; use {promptFile}, or neither for standard input";
    }
    return text;
  });
  const [program, ...args] = filled;
  if (program === undefined) return "its template is empty";
  return problem ?? [program, ...args];
};
