/** Notices for those concerned by a transaction on claims, sent in that very transaction. */
import type { IdSource } from "../base/ids.ts";
import { showText } from "../base/text.ts";
import { type NewNotice, sendIn, withdrawIn } from "../notices/index.ts";
import type { Statement } from "../store/index.ts";
import type { ClaimRow } from "./claim-row.ts";
import { inList, listParameters, listSize } from "./in-list.ts";
import type { Ending, Ledger } from "./ledger.ts";
import { requestColumns, type RequestRow } from "./requests.ts";

export const sendTidings = async (ledger: Ledger, ids: IdSource): Promise<void> => {
  await tellAskers(ledger);
  tellHolders(ledger);
  await sendIn(ledger.tx, { scope: ledger.scope, now: ledger.now, ids }, ledger.notices);
};

export const askNotice = (request: RequestRow): NewNotice => ({
  id: request.id,
  to: request.holder,
  from: request.asker,
  kind: "ask",
  text: request.reason === "" ? "please release it" : request.reason,
  target: request.target,
  about: askKey(request),
});

export const answerNotice = (request: RequestRow, by: string, word: string): NewNotice => ({
  to: request.asker,
  from: by,
  kind: "answer",
  text: request.note === "" ? word : `${word}: ${request.note}`,
  target: request.target,
  replyTo: request.id,
  about: `answer:${request.id}`,
});

/** The holder may have read the request already: it hears that a person has answered it. */
export const answeredNotice = (request: RequestRow, by: string, word: string): NewNotice => {
  const said = JSON.stringify(showText(answerNotice(request, by, word).text, 300));
  const end = request.answer === "released" ? "; your claim is released" : "";
  return {
    ...{ to: request.holder, kind: "claim", target: request.target },
    text: `${showText(by, 80)} answered ${showText(request.asker, 80)} in your place: ${said}${end}`,
    about: `answered:${request.id}`,
  };
};

/** A repeated request replaces the one that the holder has not read yet. */
const askKey = ({ claim_id, asker }: RequestRow): string => `ask:${claim_id}:${asker}`;

export const withdrawAsk = (ledger: Ledger, request: RequestRow): Promise<void> =>
  withdrawIn(ledger.tx, ledger.scope, askKey(request));

/** Requests end with their claim; those that were answered in words have their answer. */
const tellAskers = async (ledger: Ledger): Promise<void> => {
  if (!ledger.hasRequests || ledger.endings.length === 0) return;
  const claims = ledger.endings.map(({ row }) => row.id);
  const answered = new Set(ledger.notices.map(({ replyTo }) => replyTo));
  for (const request of await readRequestsFor(ledger, claims, endedAnswers)) {
    await withdrawAsk(ledger, request);
    if (answered.has(request.id)) continue;
    const ending = ledger.endings.find(({ row }) => row.id === request.claim_id)?.ending;
    ledger.notices.push({
      ...answerNotice(request, "", ""),
      text: `the claim that you asked ${showText(request.holder, 80)} for has ended: ${ending ?? ""}`,
    });
  }
};

const endedAnswers = ["released", "expired", "taken-over"];

/** A holder that ended its claim itself knows; edits are held for a moment only. */
const tellHolders = (ledger: Ledger): void => {
  for (const { row, ending } of ledger.endings) {
    if (ending === "released" || row.mode === "edit") continue;
    const text = {
      expired: "your claim is over: it was not renewed in time",
      reclaimed: "your claim was taken back: its process was gone, and uncommitted work was saved",
    }[ending satisfies Exclude<Ending, "released">];
    ledger.notices.push({
      ...{ to: row.actor, kind: "claim", text, target: row.target, about: `claim:${row.id}` },
    });
  }
};

/** N-06: requests follow the claim to its new holder. */
export const moveRequests = async (ledger: Ledger, moved: readonly ClaimRow[]): Promise<void> => {
  if (!ledger.hasRequests || moved.length === 0) return;
  const claims = new Map(moved.map((row) => [row.id, row]));
  for (const request of await readRequestsFor(ledger, [...claims.keys()], ["none", "deferred"])) {
    const holder = claims.get(request.claim_id)?.actor ?? request.holder;
    await withdrawAsk(ledger, request);
    // Handed to the very one that asked: nothing is left to ask for.
    const answer = holder === request.asker ? "released" : "none";
    ledger.send(moveRequest, { scope: ledger.scope.id, id: request.id, holder, answer });
    if (answer === "none") ledger.notices.push(askNotice({ ...request, holder }));
  }
};

export const tellMoved = (
  ledger: Ledger,
  rows: { readonly before: readonly ClaimRow[]; readonly after: readonly ClaimRow[] },
  { by, reason }: { readonly by: string; readonly reason: string | undefined },
): void => {
  const why = reason === undefined ? "" : `: ${JSON.stringify(showText(reason, 300))}`;
  const actor = showText(by, 80);
  for (const [index, { id, target, actor: to }] of rows.after.entries()) {
    const from = rows.before[index]?.actor ?? by;
    const common = { kind: "claim", target, about: `claim:${id}` } as const;
    if (to !== by) ledger.notices.push({ ...common, to, text: `handed to you by ${actor}${why}` });
    if (from !== by) {
      const text = `your claim was handed to ${showText(to, 80)} by ${actor}${why}`;
      ledger.notices.push({ ...common, to: from, text });
    }
  }
};

const readRequestsFor = (
  ledger: Ledger,
  claims: readonly string[],
  answers: readonly string[],
): Promise<RequestRow[]> =>
  ledger.tx.all<RequestRow>(selectFor(claims, answers), {
    scope: ledger.scope.id,
    ...listParameters("claim", claims),
    ...listParameters("answer", answers),
  });

const selectFor = (claims: readonly string[], answers: readonly string[]): Statement => ({
  sql: `SELECT ${requestColumns} FROM release_requests
        WHERE scope_id = :scope AND ${inList("claim_id", "claim", listSize(claims))}
          AND ${inList("answer", "answer", listSize(answers))} ORDER BY id`,
});
const moveRequest: Statement = {
  sql: `UPDATE release_requests SET holder = :holder, answer = :answer
        WHERE scope_id = :scope AND id = :id`,
};
