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
  if (missing.length === 0) return edited;
  const text = edited.trimEnd();
  // Git reads the last paragraph only: trailers that are there already are joined.
  const last = text.slice(text.lastIndexOf("\n\n") + 2);
  const isBlock = text.includes("\n\n") && last.split("\n").every((line) => /^[\w-]+: /.test(line));
  return `${text}${isBlock ? "\n" : "\n\n"}${missing.join("\n")}\n`;
};

/** Every value of one name, in the order of the message. */
export const readTrailers = (message: string, name: string): readonly string[] =>
  message
    .split(/\r?\n/)
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2));
