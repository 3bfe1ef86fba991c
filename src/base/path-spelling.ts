import { limits } from "./limits.ts";
import { hasBidiControl, showText } from "./text.ts";

/**
 * Judges how a path is written, before the disk is asked. Returns why it is refused, or undefined.
 * Nothing is decoded: `%2e%2e` is a file name like any other.
 */
export const spellingProblem = (input: string, platform: NodeJS.Platform): string | undefined => {
  if (input === "") return "the path is empty";
  const shown = showText(input);
  if (Buffer.byteLength(input) > limits.pathBytesMax) {
    return `the path is longer than ${limits.pathBytesMax} bytes: ${shown}`;
  }
  if (input.startsWith("~")) {
    return `"~" is not expanded: write the path out, or ./${shown} if the name begins with it`;
  }
  if (/^file:\/\//i.test(input)) return `give a path, not an address: ${shown}`;
  return (
    characterProblem(input) ??
    (platform === "win32" ? windowsProblem(input) : undefined) ??
    componentProblem(input, platform)
  );
};

/** Characters that no path may hold, whether the caller wrote them or a link's target brought them. */
export const characterProblem = (path: string): string | undefined => {
  const shown = showText(path);
  if (controls.test(path)) return `the path holds a control character: ${shown}`;
  if (hasBidiControl(path)) return `the path holds a character that reorders text: ${shown}`;
  if (hiddenSign.test(path)) return `the path holds a character without width: ${shown}`;
  // Half a surrogate pair becomes another name on its way to the disk.
  if (!path.isWellFormed()) return `the path is not valid Unicode: ${shown}`;
  return undefined;
};

/** Backslash separates on Windows only; elsewhere it is an ordinary character of a name. */
export const splitPath = (path: string, platform: NodeJS.Platform): string[] =>
  path.split(platform === "win32" ? /[\\/]/ : "/");

// Line and paragraph separators break lines in many programs that print names.
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose here.
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * They are not seen, and some disks leave them out: `.g<U+200C>it` is `.git` there. Joiners after a letter of a
 * script that is written with them, or in an emoji, are spelling.
 */
const hiddenSign =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- each counts by itself.
  /[\u00ad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff]|(?:^|[\u0000-\u007f])[\u200c\u200d]/;

const componentProblem = (input: string, platform: NodeJS.Platform): string | undefined => {
  for (const name of splitPath(input, platform)) {
    // NTFS counts UTF-16 units, the others bytes.
    const length = platform === "win32" ? name.length : Buffer.byteLength(name);
    if (length > limits.nameBytesMax) {
      return `a name in the path is longer than ${limits.nameBytesMax} bytes: ${showText(name)}`;
    }
  }
  return undefined;
};

/** Windows opens the same file under several names; each of these is another way in. */
const windowsProblem = (input: string): string | undefined => {
  const shown = showText(input);
  if (/^[\\/]{2}/.test(input)) return `network and device paths are not accepted: ${shown}`;
  const rest = input.replace(/^[a-z]:(?=[\\/])/i, "");
  if (rest.includes(":")) return `the path names a data stream or a drive's own folder: ${shown}`;
  for (const name of splitPath(rest, "win32")) {
    if (name === "" || name === "." || name === "..") continue;
    if (/[. ]$/.test(name)) return `a name ends with a dot or a space: ${shown}`;
    if (/[<>"|?*]/.test(name)) return `a name holds a character Windows does not allow: ${shown}`;
    if (deviceName.test(name)) return `a name is a Windows device: ${shown}`;
  }
  return undefined;
};

const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\.|$)/i;
