/** A person writes to agents, and answers a request, also in the place of its holder. */
import { useState } from "preact/hooks";
import type { RequestView } from "../../../http/api/shapes.ts";
import { AskDialog, TextField } from "../../ask-dialog.tsx";
import { Actor, Ago, Code, shortActor, visible } from "../../words.tsx";

/** To an actor, or to `all`; as a reply where a notice is named. */
export interface Letter {
  readonly to: string;
  readonly replyTo?: string;
}

export const WriteDialog = ({ letter, close }: { letter: Letter; close(): void }) => {
  const [text, setText] = useState("");
  const isToAll = letter.to === "all";
  return (
    <AskDialog
      title={isToAll ? "Write to all sessions" : `Write to ${visible(shortActor(letter.to))}`}
      close={close}
      main={{ label: "Send", steps: [["tell", { ...letter, text }]] }}
      isOpen={text.trim() === ""}
    >
      <p>
        {isToAll ? "Every session that was heard of lately" : <Actor id={letter.to} />} reads it
        with the next tool call, as words of yours and as data.
      </p>
      <TextField label="Message" value={text} set={setText} lengthMax={2000} isFirst />
    </AskDialog>
  );
};

const words = ["yes", "no", "later"] as const;

export const AnswerDialog = (props: { request: RequestView; me: string; close(): void }) => {
  const { request, me, close } = props;
  const { id, holder, asker } = request;
  const [answer, choose] = useState<(typeof words)[number]>();
  const [text, setText] = useState("");
  const isOwn = holder === me;
  return (
    <AskDialog
      title={isOwn ? "Answer this request?" : "Answer in the place of the holder?"}
      close={close}
      main={{ label: "Answer", steps: [["answer", { request: id, holder, answer, text }]] }}
      isHard={answer === "yes" && !isOwn}
      isOpen={answer === undefined}
    >
      <dl class="facts is-inside">
        <dt>Target</dt>
        <dd>
          <Code text={request.target} />
        </dd>
        <dt>Asked by</dt>
        <dd>
          <Actor id={asker} /> <Ago at={request.askedAt} />
        </dd>
        <dt>Held by</dt>
        <dd>{isOwn ? "you" : <Actor id={holder} />}</dd>
      </dl>
      <div class="segments is-answer" role="group" aria-label="Answer">
        {words.map((word) => (
          <button
            key={word}
            type="button"
            aria-pressed={word === answer}
            onClick={() => choose(word)}
          >
            {word}
          </button>
        ))}
      </div>
      <TextField label="Text, for the asker" value={text} set={setText} lengthMax={2000} isFirst />
      <p>{answer && consequences[answer]}</p>
      {!isOwn && <p>The holder gets a notice of it. This is recorded under your name.</p>}
    </AskDialog>
  );
};

const consequences = {
  yes: "The claim is released, and the next in line gets it.",
  no: "The claim stays, and the request is closed.",
  later: "The claim stays, and the request is open for ten minutes more.",
};
