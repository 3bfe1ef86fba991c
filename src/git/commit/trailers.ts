/**
 * The lines in a commit's message from which a lost store is rebuilt. Git's own reading of trailers depends on
 * settings and sees the last paragraph only; a user's hook may add another one.
 */
const ours = "Headgate-";

/** A hook may rewrite the message; each of `wanted`'s own lines stays in it. */
export const keepTrailers = (edited: string, wanted: string): string => {
  const present = edited.split(/\r?\n/);
  const missing = wanted
    .split("\n")
    .filter((line) => line.startsWith(ours) && !present.includes(line));
  return missing.length === 0 ? edited : `${edited.trimEnd()}\n\n${missing.join("\n")}\n`;
};

/** Every value of one name, in the order of the message. */
export const readTrailers = (message: string, name: string): readonly string[] =>
  message
    .split(/\r?\n/)
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2));
