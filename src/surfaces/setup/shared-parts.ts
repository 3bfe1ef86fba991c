/** What belongs to no client alone: settings, the shim, and the rules that agents read. */
import { join } from "node:path";
import { shimPath, shimText } from "../../base/hook-line.ts";
import { blockPart, wholePart } from "./file-parts.ts";
import { rulesBegin, rulesEnd, rulesSection } from "./rules-section.ts";
import type { Client, FilePart, SetupPlace } from "./types.ts";

export const sharedParts = (place: SetupPlace, clients: readonly Client[]): FilePart[] => [
  wholePart({ path: ".headgate/config.jsonc", content: settings, isTheirs: true }),
  wholePart({ path: shimPath, content: shimText, mode: 0o755, isPackaged: true }),
  rulesIn("AGENTS.md"),
  ...(clients.some(({ name }) => name === "claude") && !leadsToAgents(place, "CLAUDE.md")
    ? [rulesIn("CLAUDE.md")]
    : []),
  ...(place.files.stat(join(place.root, "GEMINI.md")) && !leadsToAgents(place, "GEMINI.md")
    ? [rulesIn("GEMINI.md")]
    : []),
];

const settings = `// Headgate's settings for this repository. \`headgate config\` shows every key and its value.
{
}
`;

const rulesIn = (path: string): FilePart =>
  blockPart({ path, begin: rulesBegin, end: rulesEnd, content: rulesSection });

/** A link to AGENTS.md, or a text that imports it: its reader gets the rules already. */
const leadsToAgents = ({ root, files }: SetupPlace, path: string): boolean => {
  const stat = files.stat(join(root, path));
  if (stat?.isSymbolicLink()) {
    return /^(\.\/)?AGENTS\.md$/.test(files.readLink(join(root, path)));
  }
  if (!stat?.isFile() || stat.size > importBytesMax) return false;
  return /^[^\S\n]*@(\.\/)?AGENTS\.md[^\S\n]*$/m.test(
    files.readFile(join(root, path)).toString("utf8"),
  );
};

const importBytesMax = 1024 * 1024;
