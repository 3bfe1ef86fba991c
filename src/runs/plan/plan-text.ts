/**
 * A plan's text taken apart: front matter, what stands before the tasks, and the tasks with their keys. Two
 * ways to write a task are read: a heading with a list of keys under it, and a `<task>` element.
 */
import { limits } from "../../base/limits.ts";
import { nearestName, withoutHashes } from "../../base/text.ts";

export interface TextProblem {
  readonly line: number;
  readonly message: string;
}

export interface PlanPart {
  /** YAML between the `---` lines. */
  readonly front: string;
  readonly frontLine: number;
  readonly title: string;
  readonly text: string;
  readonly tasks: readonly TaskPart[];
  readonly problems: readonly TextProblem[];
}

export interface TaskPart {
  readonly name: string;
  readonly line: number;
  readonly keys: Readonly<Record<string, { readonly value: string; readonly line: number }>>;
  readonly text: string;
}

/** Every plan of a text: each begins with front matter that has the key `plan`. */
export const splitPlans = (
  given: string,
): { readonly plans: PlanPart[]; readonly before: string } => {
  const lines = given
    .replace(/^\ufeff/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n");
  const starts = findFronts(lines);
  const plans = starts.map(({ start, end }, index) => {
    const stop = starts[index + 1]?.start ?? lines.length;
    return readPart(lines, { start, end, stop });
  });
  return {
    plans,
    before: lines
      .slice(0, starts[0]?.start ?? lines.length)
      .join("\n")
      .trim(),
  };
};

const findFronts = (lines: readonly string[]): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    fence = fenceAfter(fence, line);
    if (fence !== undefined || !isRule(line)) continue;
    const end = lines.findIndex((one, index) => index > at && isRule(one));
    if (end < 0) break;
    if (!lines.slice(at + 1, end).some((one) => /^["']?plan["']?\s*:/.test(one))) continue;
    found.push({ start: at, end });
    at = end;
    if (found.length > limits.runPlansMax) break;
  }
  return found;
};

const isRule = (line: string): boolean => /^---[ \t]*$/.test(line);

/** The mark of the code block that is open after this line. */
const fenceAfter = (fence: string | undefined, line: string): string | undefined => {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === undefined) return mark;
  return mark.startsWith(fence) ? undefined : fence;
};

const readPart = (
  lines: readonly string[],
  { start, end, stop }: { start: number; end: number; stop: number },
): PlanPart => {
  const problems: TextProblem[] = [];
  const body = { lines, from: end + 1, stop, problems };
  const tasks = [...headingTasks(body), ...elementTasks(body)].toSorted((a, b) => a.line - b.line);
  const firstTask = (tasks[0]?.line ?? stop + 1) - 1;
  let title = "";
  const text: string[] = [];
  for (let at = end + 1; at < Math.min(firstTask, stop); at += 1) {
    const heading = /^#\s+(\S.*)$/s.exec(lines[at] ?? "");
    if (heading && title === "") title = withoutHashes(heading[1] ?? "");
    else if (!/^<\/?tasks>\s*$/.test(lines[at] ?? "")) text.push(lines[at] ?? "");
  }
  return {
    front: lines.slice(start + 1, end).join("\n"),
    frontLine: start + 1,
    title,
    text: text.join("\n").trim(),
    tasks,
    problems,
  };
};

interface Body {
  readonly lines: readonly string[];
  readonly from: number;
  readonly stop: number;
  readonly problems: TextProblem[];
}

const taskHeading = /^(#{2,4})\s+Task(?:\s+\d+)?\s*:(.*)$/is;

const headingTasks = ({ lines, from, stop, problems }: Body): TaskPart[] => {
  const tasks: TaskPart[] = [];
  let fence: string | undefined;
  let open: { name: string; line: number; level: number; body: number[] } | undefined;
  const close = (): void => {
    if (open) tasks.push(readList(lines, open, problems));
    open = undefined;
  };
  for (let at = from; at < stop; at += 1) {
    const line = lines[at] ?? "";
    fence = fenceAfter(fence, line);
    const heading = fence === undefined ? /^(#{1,6})\s+\S/.exec(line) : null;
    const task = heading && taskHeading.exec(line);
    if (task) {
      close();
      open = {
        name: withoutHashes(task[2] ?? ""),
        line: at + 1,
        level: task[1]?.length ?? 2,
        body: [],
      };
    } else if (heading && open && (heading[1]?.length ?? 9) <= open.level) close();
    else open?.body.push(at);
  }
  close();
  return tasks;
};

const listKeys = ["name", "files", "action", "verify", "done"];

/** `- files: …` and the like at the top of a task; the first other line begins the text for the agent. */
const readList = (
  lines: readonly string[],
  { name, line, body }: { name: string; line: number; body: readonly number[] },
  problems: TextProblem[],
): TaskPart => {
  const keys: Record<string, { value: string; line: number }> = {};
  let last: string | undefined;
  let index = 0;
  for (; index < body.length; index += 1) {
    const at = body[index] ?? 0;
    const text = lines[at] ?? "";
    if (text.trim() === "") {
      last = undefined;
      continue;
    }
    const item = /^[-*]\s+(?:\*\*)?([A-Za-z_]+)(?:\*\*)?\s*:(?:\*\*)?\s*(.*)$/.exec(text);
    const key = item?.[1]?.toLowerCase();
    if (item && key !== undefined && listKeys.includes(key)) {
      if (keys[key]) problems.push({ line: at + 1, message: `"${key}" is written twice` });
      keys[key] = { value: item[2] ?? "", line: at + 1 };
      last = key;
      continue;
    }
    const known = last === undefined ? undefined : keys[last];
    if (last !== undefined && known && /^\s{2,}\S/.test(text)) {
      keys[last] = { value: `${known.value}\n${text.trim()}`.trim(), line: known.line };
      continue;
    }
    const near = key === undefined ? undefined : nearestName(key, listKeys);
    if (item && key !== undefined && (near !== undefined || Object.keys(keys).length === 0)) {
      const hint = near === undefined ? listKeys.join(", ") : `did you mean "${near}"?`;
      problems.push({ line: at + 1, message: `a task has no key "${key}": ${hint}` });
    }
    break;
  }
  const rest = body.slice(index).map((at) => lines[at] ?? "");
  return { name, line, keys, text: rest.join("\n").trim() };
};

/** `<task><name>…</name><files>…</files><action>…</action><verify>…</verify><done>…</done></task>` */
const elementTasks = ({ lines, from, stop, problems }: Body): TaskPart[] => {
  const tasks: TaskPart[] = [];
  const text = lines.slice(from, stop).join("\n");
  const lineAt = (offset: number): number => from + text.slice(0, offset).split("\n").length;
  for (const match of text.matchAll(/^[ \t]*<task\b[^>\n]*>/gm)) {
    const start = match.index + match[0].length;
    const end = text.indexOf("</task>", start);
    const line = lineAt(match.index);
    if (end < 0) {
      problems.push({ line, message: "<task> is never closed by </task>" });
      break;
    }
    const inner = text.slice(start, end);
    const keys: Record<string, { value: string; line: number }> = {};
    for (const key of listKeys) {
      const found = new RegExp(`<${key}>([^]*?)</${key}>`).exec(inner);
      if (!found) continue;
      keys[key] = { value: (found[1] ?? "").trim(), line: lineAt(start + found.index) };
    }
    tasks.push({ name: keys["name"]?.value ?? "", line, keys, text: "" });
  }
  return tasks;
};
