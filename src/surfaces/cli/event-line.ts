import { showText } from "../../base/text.ts";
import { actorWords } from "../claim-vias.ts";
import type { Event } from "../../store/index.ts";
import type { Style } from "./output.ts";

/** `2026-03-01 14:32:09`, where the reader is. */
const localTime = (iso: string): string => {
  const at = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":")}`;
};

/** One event as one line: time, number, kind, who, about what, and the start of its data. */
export const eventLine = (event: Event, style: Style): string => {
  const time = localTime(event.at);
  const parts = [
    style.dim(time),
    style.bold(String(event.seq).padStart(6)),
    style.cyan(showText(event.kind).padEnd(16)),
    showText(actorWords(event.actor ?? "-", event.via), 80),
  ];
  if (event.subject !== null) parts.push(showText(event.subject, 80));
  const data = Object.entries(event.data).map(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `${showText(key, 40)}=${showText(text, 60)}`;
  });
  if (data.length > 0) parts.push(style.dim(showText(data.join(" "), 160)));
  return parts.join("  ");
};
