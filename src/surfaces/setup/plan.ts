/** From parts to changes of files. Everything is read here, nothing is written. */
import { join } from "node:path";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import { contentHash, readContent } from "../../state/index.ts";
import { allClients } from "./clients/all-clients.ts";
import type { InstalledFile, Manifest } from "./manifest.ts";
import { sharedParts } from "./shared-parts.ts";
import {
  type Client,
  type FilePart,
  type PartOptions,
  type Plan,
  type PlannedFile,
  type SetupPlace,
  type SetupProblem,
  SetupRefusal,
} from "./types.ts";

/** What `init` would change for these clients. */
export const planSetup = (
  place: SetupPlace,
  clients: readonly Client[],
  options: PartOptions & { readonly manifest: Manifest },
): Plan =>
  eachPart(partsFor(place, clients, options), (part) => {
    const present = readFile(place, part.path);
    const installed = options.manifest.files.find(({ path }) => path === part.path);
    return planAdding(part, present, installed) ?? planMode(place, part, present, installed);
  });

/** What `uninstall` would change: what the manifest names, and what is found to be ours without it. */
export const planRemoval = (place: SetupPlace, manifest: Manifest | undefined): Plan => {
  const parts = partsFor(place, allClients, {});
  const known = new Set(parts.map(({ path }) => path));
  const others = (manifest?.files ?? []).filter(({ path }) => !known.has(path));
  return eachPart([...parts, ...others.map(foreignPart)], (part) => {
    const present = readFile(place, part.path);
    const installed = manifest?.files.find(({ path }) => path === part.path);
    // Whatever is wrong with a file in which we have no part is none of our business.
    if (!present || (!installed && !present.includes("headgate"))) return undefined;
    return planRemoving(part, present, { installed, hasManifest: !!manifest });
  });
};

/** A file that another release wrote, or that we would not write today: restored if nobody changed it. */
const foreignPart = ({ path }: InstalledFile): FilePart => ({
  path,
  isDone: () => true,
  add: (text) => text ?? "",
  strip: (text) => text,
  isBlank: () => false,
});

export const partsFor = (
  place: SetupPlace,
  clients: readonly Client[],
  options: PartOptions,
): FilePart[] => {
  const parts = [
    ...sharedParts(place, clients),
    ...clients.flatMap((client) => client.parts(place, options)),
  ];
  // Some clients read the files of another one: what they need there is the same.
  return parts.filter(({ path }, index) => parts.findIndex((one) => one.path === path) === index);
};

/** The present content; refuses what is not a plain file inside the repository. */
export const readFile = (
  { root, files }: Pick<SetupPlace, "root" | "files">,
  path: string,
): Buffer | undefined => {
  const names = path.split("/");
  for (let depth = 1; depth < names.length; depth += 1) {
    const folder = names.slice(0, depth).join("/");
    const stat = files.stat(join(root, folder));
    if (stat === undefined) return undefined;
    if (!stat.isDirectory()) {
      const what = stat.isSymbolicLink() ? "a link" : "not a folder";
      throw new SetupRefusal(`${folder} is ${what}`, "Make it a folder, then run it again.");
    }
  }
  return readContent(join(root, path), files);
};

const eachPart = (
  parts: readonly FilePart[],
  planOne: (part: FilePart) => PlannedFile | undefined,
): Plan => {
  const [files, problems]: [PlannedFile[], SetupProblem[]] = [[], []];
  for (const part of parts) {
    try {
      const planned = planOne(part);
      if (planned) files.push(planned);
    } catch (error) {
      problems.push(problemOf(part, error));
    }
  }
  return { files, problems };
};

const problemOf = ({ path, client }: FilePart, error: unknown): SetupProblem => {
  const whose = client === undefined ? {} : { client };
  if (error instanceof SetupRefusal) {
    return { path, ...whose, message: error.message, remedy: error.remedy };
  }
  if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
  return { path, ...whose, message: showText(error.message), remedy: error.toJSON().remedy };
};

const planAdding = (
  part: FilePart,
  present: Buffer | undefined,
  installed: InstalledFile | undefined,
): PlannedFile | undefined => {
  const { text, mark } = textOf(present);
  if (part.isDone(text)) return undefined;
  const isUntouched = installed && present && contentHash(present) === installed.written;
  const base = isUntouched ? textOf(installed.original).text : text && part.strip(text);
  const original = isUntouched ? installed.original : originalOf(part, present, base, mark);
  const isGone = base === undefined || original === undefined;
  const after = Buffer.from(mark + part.add(isGone ? undefined : base));
  if (present && after.equals(present)) return undefined;
  return { ...describe(part), before: present, after, original };
};

/** The content is right, but it cannot be run. */
const planMode = (
  { root, files }: SetupPlace,
  part: FilePart,
  present: Buffer | undefined,
  installed: InstalledFile | undefined,
): PlannedFile | undefined => {
  const mode = files.stat(join(root, part.path))?.mode ?? 0o777;
  if (!present || ((part.mode ?? 0) & ~mode & 0o111) === 0) return undefined;
  return { ...describe(part), before: present, after: present, original: installed?.original };
};

/** A file that held nothing but an older release's part had no content of its own. */
const originalOf = (
  part: FilePart,
  present: Buffer | undefined,
  base: string | undefined,
  mark: string,
): Buffer | undefined => {
  if (present === undefined || base === undefined) return undefined;
  const bytes = Buffer.from(mark + base);
  return !bytes.equals(present) && part.isBlank(base) ? undefined : bytes;
};

const planRemoving = (
  part: FilePart,
  present: Buffer,
  { installed, hasManifest }: { installed: InstalledFile | undefined; hasManifest: boolean },
): PlannedFile | undefined => {
  const shape = { ...describe(part), before: present, original: undefined };
  if (installed && contentHash(present) === installed.written) {
    return { ...shape, after: installed.original };
  }
  const { text = "", mark } = textOf(present);
  const rest = part.strip(text, textOf(installed?.original).text);
  if (rest === text) return undefined;
  const wasOurs = installed ? installed.original === undefined : !hasManifest || rest === "";
  const isGone = wasOurs && part.isBlank(rest);
  return { ...shape, after: isGone ? undefined : Buffer.from(mark + rest) };
};

const describe = ({ path, client, mode, isPackaged }: FilePart) => ({
  path,
  ...(client === undefined ? {} : { client }),
  ...(mode === undefined ? {} : { mode }),
  ...(isPackaged && { isPackaged }),
});

const byteOrderMark = "\uFEFF";

const textOf = (bytes: Buffer | undefined): { text: string | undefined; mark: string } => {
  if (bytes === undefined) return { text: undefined, mark: "" };
  let whole: string;
  try {
    whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SetupRefusal("it is not UTF-8 text", "Save it as UTF-8, then run it again.");
  }
  const mark = whole.startsWith(byteOrderMark) ? byteOrderMark : "";
  return { text: whole.slice(mark.length), mark };
};
