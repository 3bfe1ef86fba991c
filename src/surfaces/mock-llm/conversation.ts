/** The shapes that the four protocols share, and what the chooser of steps must know of a conversation. */
import { asList, asObject, asText, type Json, type JsonObject } from "../../base/json.ts";

/** The texts in a content that is a text or a list of parts `{ text }`, as all four protocols have it. */
export const textIn = (content: Json | undefined): string =>
  typeof content === "string"
    ? content
    : asList(content)
        .map((part) => asText(asObject(part)["text"]))
        .filter((text) => text !== "")
        .join("\n");

/** A message or item of a conversation, whoever said it. */
export interface Said {
  readonly by: "model" | "user" | "tool" | "other";
  readonly text: string;
  /** Of a tool's result. */
  readonly call?: string;
}

/** What the chooser needs to know of a conversation. */
export const summarise = (said: readonly Said[]) => {
  const heard = said.filter(({ by }) => by !== "other");
  const users = heard.filter(({ by }) => by === "user");
  const since = heard.findLastIndex(({ by }) => by === "model");
  return {
    answers: heard.filter(({ by }, at) => by === "model" && heard[at - 1]?.by !== "model").length,
    firstUserText: users[0]?.text ?? "",
    lastUserText: users.at(-1)?.text ?? "",
    results: heard
      .slice(since + 1)
      .filter(({ by }) => by === "tool")
      .map(({ call = "", text }) => ({ call, text })),
  };
};

/** About four characters make a token; nobody counts here. */
export const tokensOf = (body: JsonObject): number => Math.ceil(JSON.stringify(body).length / 4);
