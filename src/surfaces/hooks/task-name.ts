/** A name for what a session works on: the first line of what the user wrote. */
import { redactSecrets } from "../../base/secrets.ts";
import { oneLine } from "../../notices/index.ts";

/** Empty when nothing was written. Others read it, so secrets are taken out first. */
export const taskName = (prompt: string): string => {
  const start = redactSecrets(prompt.slice(0, promptLengthMax)).trimStart();
  const line = oneLine(start.split("\n", 1)[0] ?? "");
  return line.length > nameLengthMax ? `${line.slice(0, nameLengthMax - 1)}…` : line;
};

const promptLengthMax = 8_000;
const nameLengthMax = 100;
