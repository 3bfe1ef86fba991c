/**
 * Git's settings file, as far as it can be read in one way only: `[section]` or `[section "name"]`,
 * `key = value`, comments on lines of their own. Undefined when any line is something else, such as
 * quotes, backslashes, a comment behind a value or a key without one; then git is to be asked.
 * Keys come as git names them: section and key in lower case, the name between as it is written.
 */
export const readPlainGitSettings = (
  text: string,
): readonly (readonly [key: string, value: string])[] | undefined => {
  const found: [string, string][] = [];
  let section: string | undefined;
  for (const line of text.split("\n")) {
    if (emptyLine.test(line)) continue;
    const [, name, inner] = sectionLine.exec(line) ?? [];
    if (name !== undefined) {
      section = inner === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${inner}`;
      continue;
    }
    const [, key, value] = valueLine.exec(line) ?? [];
    if (section === undefined || key === undefined || value === undefined) return undefined;
    found.push([`${section}.${key.toLowerCase()}`, value]);
  }
  return found;
};

const emptyLine = /^[ \t]*(?:[#;][^\0\r]*)?$/;
// Without the flag for any case: with it, a pattern takes longer to compile than to use here.
const sectionLine = /^[ \t]*\[([A-Za-z][A-Za-z0-9-]*)(?: "([^"\\\0\r]*)")?\][ \t]*$/;
// Space around a value is cut, but which characters are space is not the same question everywhere.
const valueLine =
  // oxlint-disable-next-line no-control-regex -- keeping control characters out is the purpose here.
  /^[ \t]*([A-Za-z][A-Za-z0-9-]*) *= *([^\s"\\#;\0-\x1f\x7f](?:[^"\\#;\0-\x1f\x7f]*[^\s"\\#;\0-\x1f\x7f])?)$/;
