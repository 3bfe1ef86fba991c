/**
 * GET /api/inbox: the notices of the server's user that are not read yet; reading them changes nothing.
 * POST /api/actions/tell and inbox-read: a person writes to agents, and puts notices away. Answers to requests
 * are in actions.ts.
 */
import * as v from "valibot";
import { limits } from "../../../base/limits.ts";
import { plural, showText } from "../../../base/text.ts";
import type { Headgate } from "../../../compose.ts";
import { readJsonBody } from "../json-body.ts";
import type { ApiContext, App } from "./context.ts";
import { parseBody } from "./parse-body.ts";
import type { ActionAnswer, InboxAnswer } from "./shapes.ts";

export const addNotices = (app: App, { headgate }: ApiContext): void => {
  app.get("/api/inbox", async (context) =>
    context.json((await headgate.inbox.list()) satisfies InboxAnswer),
  );
  for (const [name, action] of Object.entries(actions)) {
    app.post(`/api/actions/${name}`, async (context) => {
      const text = await action(await readJsonBody(context.req.raw), headgate);
      return context.json({ ok: true, text } satisfies ActionAnswer);
    });
  }
};

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(limits.actorBytesMax));
/** How long a text may be, `tell` itself says. */
const tellBody = v.strictObject({ to: name, text: v.string(), replyTo: v.optional(name) });
const readBody = v.strictObject({ upTo: name });

const actions: Readonly<
  Record<string, (body: unknown, headgate: Pick<Headgate, "claims" | "inbox">) => Promise<string>>
> = {
  tell: async (body, { claims }) => {
    const { to, text, replyTo } = parseBody(tellBody, body);
    const sent = await claims.tell(to, text, { ...(replyTo !== undefined && { replyTo }) });
    const [first = "", ...more] = sent.to;
    return `sent to ${showText(first)}${more.length > 0 ? ` and ${plural(more.length, "other")}` : ""}`;
  },
  /** Up to the newest one that the person saw: one that came since stays. */
  "inbox-read": async (body, { inbox }) => {
    const { upTo } = parseBody(readBody, body);
    const taken = await inbox.take((waiting) => waiting.findLastIndex(({ id }) => id === upTo) + 1);
    const count = taken?.notices.length ?? 0;
    if (count > 0) await taken?.delivered();
    return `read ${plural(count, "notice")}`;
  },
};
