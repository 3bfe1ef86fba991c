/**
 * An edit found its place in a file that others had changed since its session read it. The agent hears so once for
 * each version that it read, when it works in the file, and not before.
 */
import { forTask } from "../../gate/index.ts";
import { showText } from "../../base/text.ts";
import type { HookHeadgate } from "./dependencies.ts";
import type { Ring } from "./ring/index.ts";

export interface ChangedFileRead {
  readonly path: string;
  /** Of what the session read. */
  readonly hash: string;
  readonly there: Pick<HookHeadgate, "lines">;
}

export const changedTexts = async (
  changed: readonly ChangedFileRead[],
  session: string,
  ring: Pick<Ring, "isNews"> | undefined,
): Promise<string[]> => {
  const texts: string[] = [];
  for (const { path, hash, there } of changed) {
    if (!(await ring?.isNews(["changed", path, hash]))) continue;
    const edits = (await there.lines.record(path))?.weave.edits ?? [];
    const others = edits.filter((one) => one.session !== session && one.kind !== "unknown");
    const [author] = others.toSorted((a, b) => b.at - a.at);
    const task = (author && (await there.lines.presence()).get(author.session)?.task) ?? "";
    const who = author
      ? `${showText(author.actor, 80)} changed it${forTask(task)}`
      : "another session or program changed it";
    texts.push(
      `Headgate: ${showText(path, 120)} is not as you read it: ${who}. Your edit is made; read the file again before you rely on the rest of it.`,
    );
  }
  return texts;
};
