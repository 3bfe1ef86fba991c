/** Reviews: the same problem seen by several reviewers is one; one verdict over all; a person decides. */
import { useEffect, useState } from "preact/hooks";
import type { ReviewAnswer, ReviewsAnswer, ReviewView } from "../../http/api/reviews-shape.ts";
import type { NowAnswer } from "../../http/api/shapes.ts";
import { Empty, Loading, NotYet, PageHead, Panel, Problem } from "../parts.tsx";
import { noteParameter, useRoute } from "../route.ts";
import { useAnswer } from "../use-answer.ts";
import { VirtualList } from "../virtual-list.tsx";
import { Ago, Actor, dateAndTime, plural, visible } from "../words.tsx";
import { FindingList } from "./reviews/finding-list.tsx";

export const ReviewsPage = (_props: { now: NowAnswer | undefined }) => {
  const { parameters } = useRoute();
  const { answer, error } = useAnswer<ReviewsAnswer>("/api/reviews");
  const [id, setId] = useState(parameters.get("id") ?? "");
  useEffect(() => setId((old) => parameters.get("id") ?? old), [parameters]);
  if (error || !answer) {
    return <NotYet title="Reviews" what="Looking for reviews" error={error} />;
  }
  const { reviews } = answer;
  const place = Math.max(
    0,
    reviews.findIndex((one) => one.id === id),
  );
  const chosen = reviews[place];
  return (
    <>
      <PageHead title="Reviews">
        <p class="summary">
          {answer.before === null ? (
            "what reviewers found, put together; you decide about it"
          ) : (
            <>
              the newest {reviews.length}; <code>headgate review list</code> knows more
            </>
          )}
        </p>
      </PageHead>
      {!chosen ? (
        <Empty title="No review yet" icon="reviews">
          <p>
            <code>headgate review</code> asks the reviewers that fit this project and puts their
            findings together.
          </p>
        </Empty>
      ) : (
        <div class="split">
          <Panel title="Newest first" class="split-list">
            <VirtualList
              id="review"
              role="listbox"
              label="Reviews, the newest first"
              total={reviews.length}
              rowHeight={58}
              active={place}
              onActive={(index) => {
                const next = reviews[index]?.id;
                if (next === undefined) return;
                setId(next);
                noteParameter("id", next);
              }}
              row={(index) => reviewRow(reviews[index])}
            />
          </Panel>
          <Review id={chosen.id} key={chosen.id} />
        </div>
      )}
    </>
  );
};

const reviewRow = (review: ReviewView | undefined) => {
  if (!review) return { content: null };
  const verdict = review.verdict ?? review.state;
  return {
    attributes: { "aria-label": visible(`${verdict}: ${review.subject}`) },
    content: (
      <div class="refusal-row">
        <div class="refusal-line">
          <Verdict text={verdict} />
          <Ago at={review.at} />
        </div>
        <div class="refusal-line">
          <bdi class="is-path" title={visible(review.subject)}>
            {visible(review.subject)}
          </bdi>
          <span class="muted">{severities(review)}</span>
        </div>
      </div>
    ),
  };
};

const Verdict = ({ text }: { text: string }) => (
  <span class={`verdict is-${text.replaceAll(/[^a-z-]/g, "")}`}>{visible(text)}</span>
);

const severities = ({ bySeverity }: ReviewView): string =>
  Object.entries(bySeverity)
    .filter(([, count]) => count > 0)
    .map(([severity, count]) => `${count} ${severity}`)
    .join(" · ") || "nothing found";

const Review = ({ id }: { id: string }) => {
  const { answer, error } = useAnswer<ReviewAnswer>(
    `/api/reviews/one?id=${encodeURIComponent(id)}`,
  );
  if (error) return <Problem error={error} />;
  if (!answer) return <Loading what="Reading the review" />;
  const { asked, findings, findingsTotal, clusters, converged, notJudged = [] } = answer;
  const quiet = notJudged.length > 0 ? "Nothing was found in what was judged" : "Nothing was found";
  return (
    <Panel
      title={visible(answer.subject)}
      tools={<Verdict text={answer.verdict ?? answer.state} />}
      class="review-detail"
    >
      <div class="detail-body">
        <p class="detail-meta">
          <Actor id={answer.actor} /> {dateAndTime(answer.at)} · {plural(clusters, "problem")},{" "}
          {converged} seen by several
          {answer.costUsd > 0 && ` · $${answer.costUsd.toFixed(2)}`}
        </p>
        {answer.problem !== undefined && <p class="note is-warning">{visible(answer.problem)}</p>}
        {notJudged.map(({ where, why }) => (
          <p key={where} class="note is-warning">
            Not judged: {visible(where)}, {visible(why)}
          </p>
        ))}
        <ul class="asked">
          {asked.map((one) => (
            <li key={one.reviewer} title={visible(one.problem ?? "")}>
              <b>{visible(one.reviewer)}</b>
              {one.isShadow && " (shadow)"}{" "}
              <span class="muted">
                {plural(one.findings, "finding")}
                {one.state !== "strict" && `, ${visible(one.state)}`}
              </span>
            </li>
          ))}
        </ul>
        {findings.length === 0 ? (
          <Empty title={quiet} icon={notJudged.length > 0 ? "warning" : "check"} />
        ) : (
          <FindingList findings={findings} />
        )}
        {findingsTotal > findings.length && (
          <p class="note">
            and {findingsTotal - findings.length} more: <code>headgate findings list</code>
          </p>
        )}
      </div>
    </Panel>
  );
};
