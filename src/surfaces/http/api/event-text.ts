import type { Event } from "../../../store/index.ts";

/** What an event is about, in a few words: its target or path, or the start of its data. */
export const eventText = ({ data, subject }: Pick<Event, "data" | "subject">): string => {
  const { target, targets, path, code, from, to, files, plan, task } = data;
  const about = target ?? path ?? from;
  const parts: string[] = [];
  if (typeof code === "string") parts.push(code);
  if (typeof about === "string" && about !== "") parts.push(about);
  else if (Array.isArray(targets)) parts.push(targets.filter(isText).join(", "));
  else if (Array.isArray(files)) parts.push(files.filter(isText).join(", "));
  if (about === target && isText(to)) parts.push(`→ ${to}`);
  if (parts.length === 0 && isText(plan)) {
    parts.push(typeof task === "number" ? `plan ${plan}, task ${task}` : `plan ${plan}`);
  }
  if (parts.length === 0 && subject !== null) parts.push(subject);
  if (parts.length === 0) {
    parts.push(
      ...Object.entries(data).map(
        ([key, value]) => `${key} ${isText(value) ? value : JSON.stringify(value)}`,
      ),
    );
  }
  return parts.join(" ").slice(0, lengthMax);
};

const isText = (value: unknown): value is string => typeof value === "string";
const lengthMax = 300;
