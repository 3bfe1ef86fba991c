/**
 * POST /api/actions/person-approve and person-decline: a person answers what a session wanted and only a person may do
 * (T-04). Only a page that was signed in to may: the token and the socket are within an agent's reach.
 */
import * as v from "valibot";
import { showText } from "../../../base/text.ts";
import { approveAct, parseActor } from "../../../claims/index.ts";
import { HeadgateError } from "../../../errors.ts";
import { personRequests } from "../../person-requests.ts";
import { readJsonBody } from "../json-body.ts";
import type { ApiContext, App } from "./context.ts";
import { parseBody } from "./parse-body.ts";
import type { ActionAnswer } from "./shapes.ts";

export const addPersonRequests = (app: App, api: ApiContext): void => {
  for (const answer of ["approved", "declined"] as const) {
    app.post(`/api/actions/${paths[answer]}`, async (context) => {
      const body = await readJsonBody(context.req.raw);
      if (!api.isSignedIn(context.env.incoming)) {
        throw new HeadgateError("HTTP_TOKEN_REFUSED", "only the dashboard answers for a person");
      }
      const text = await answerRequest(parseBody(idBody, body).id, answer, api);
      return context.json({ ok: true, text } satisfies ActionAnswer);
    });
  }
};

const paths = { approved: "person-approve", declined: "person-decline" } as const;

const idBody = v.strictObject({ id: v.pipe(v.string(), v.maxLength(100)) });

const answerRequest = async (
  id: string,
  answer: "approved" | "declined",
  { headgate, clock }: ApiContext,
): Promise<string> => {
  const { events, claims, repository } = headgate;
  const wanted = (await personRequests(headgate, clock.wallMs())).find((one) => one.id === id);
  if (!wanted) {
    throw new HeadgateError("REQUEST_UNKNOWN", `there is no open request ${showText(id)}`);
  }
  const { what, line, actor } = wanted;
  const { session } = parseActor(actor);
  // Said first: what passes is never without its event.
  await events.append({
    ...{ kind: "person.answered", actor: claims.actor.id, subject: id },
    data: { answer, what, line, to: actor },
  });
  if (answer === "approved") approveAct({ what, line, session }, repository.localDir);
  await headgate.notify([
    {
      ...{ to: actor, kind: "decision", about: `person:${id}` },
      text:
        answer === "approved"
          ? `A person approved ${what}, for one use within an hour: run the same command again.`
          : `A person declined ${what}: go on without it.`,
    },
  ]);
  return `${answer} ${what} for ${actor}`;
};
