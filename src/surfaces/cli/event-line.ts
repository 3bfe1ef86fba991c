import { showText } from "../../base/text.ts";
import { actorWords } from "../claim-vias.ts";
import type { Event } from "../../store/index.ts";
import type { Style } from "./output.ts";

/** One event as one line: time, number, kind, who, about what, and the start of its data. */
export const eventLine = (event: Event, style: Style): string => {
  const time = `${event.at.slice(0, 10)} ${event.at.slice(11, 19)}Z`;
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
