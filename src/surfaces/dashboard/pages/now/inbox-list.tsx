import type { InboxAnswer, NoticeView } from "../../../http/api/shapes.ts";
import { Panel, Problem } from "../../parts.tsx";
import { useAction } from "../../use-action.ts";
import { useAnswer } from "../../use-answer.ts";
import { Actor, Ago, Code, visible } from "../../words.tsx";
import type { Letter } from "./notice-dialogs.tsx";

/** Notices for the dashboard's user. They stay until they are marked as read, here or by `headgate inbox`. */
export const InboxList = ({ write }: { write(letter: Letter): void }) => {
  const { answer, error: problem } = useAnswer<InboxAnswer>("/api/inbox");
  const { act, error = problem, isBusy } = useAction(() => {});
  const { notices: all = [], more = 0 } = answer ?? {};
  // Requests have a list of their own.
  const notices = all.filter(({ kind }) => kind !== "ask");
  const newest = notices.at(-1);
  if (!newest) return error ? <Problem error={error} /> : null;
  return (
    <Panel
      title="For you"
      count={notices.length + more}
      tools={
        <button
          type="button"
          class="button is-small"
          disabled={isBusy}
          onClick={() => void act(["inbox-read", { upTo: newest.id }])}
        >
          Mark as read
        </button>
      }
    >
      {error && <Problem error={error} />}
      <ol class="list scrolls" aria-live="polite" aria-relevant="additions">
        {notices.map((notice) => (
          <Item key={notice.id} notice={notice} write={write} />
        ))}
      </ol>
    </Panel>
  );
};

const Item = ({ notice, write }: { notice: NoticeView; write(letter: Letter): void }) => {
  const { id, kind, from, at, text, target } = notice;
  return (
    <li class="waiter">
      <div class="list-row">
        <Actor id={from} />
        <span class="list-detail">{visible(kind)}</span>
        <Ago at={at} />
        {kind === "message" && (
          <button
            type="button"
            class="button is-small"
            onClick={() => write({ to: from, replyTo: id })}
          >
            Reply…
          </button>
        )}
      </div>
      {target !== undefined && (
        <p class="under">
          on <Code text={target} />
        </p>
      )}
      <p class="under is-said">“{visible(text)}”</p>
    </li>
  );
};
