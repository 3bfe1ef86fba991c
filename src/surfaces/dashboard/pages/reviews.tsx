/** Reviews: the same problem seen by several reviewers is one cluster; one verdict over all. */
import { useState } from "preact/hooks";
import type { ReviewsAnswer, ReviewView } from "../../http/api/reviews-shape.ts";
import type { ActionAnswer, NowAnswer } from "../../http/api/shapes.ts";
import { post } from "../call.ts";
import { Empty, Loading, PageHead, Panel, Problem } from "../parts.tsx";
import { say } from "../toast.tsx";
import { useAnswer, useLive } from "../use-answer.ts";
import { Ago, Code, plural, visible } from "../words.tsx";

type Cluster = ReviewView["clusters"][number];

export const ReviewsPage = (_props: { now: NowAnswer | undefined }) => {
  const { answer, error } = useAnswer<ReviewsAnswer>("/api/reviews");
  if (error) return <Problem error={error} />;
  if (!answer) return <Loading what="Looking for reviews" />;
  return (
    <>
      <PageHead title="Reviews" />
      {answer.reviews.length === 0 && (
        <Empty title="No review yet" icon="reviews">
          <p>
            <code>headgate review</code> asks the reviewers that fit this project and puts their
            findings together.
          </p>
        </Empty>
      )}
      {answer.reviews.map((review) => (
        <Review key={review.id} review={review} canDecide={answer.canDecide} />
      ))}
    </>
  );
};

const Review = ({ review, canDecide }: { review: ReviewView; canDecide: boolean }) => (
  <Panel
    title={visible(review.title)}
    count={review.clusters.length}
    tools={
      <span class="tags">
        <span class="tag is-accent">{visible(review.verdict)}</span>
        <Ago at={review.at} />
      </span>
    }
  >
    <p class="note">
      {plural(review.reports.length, "report")}:{" "}
      {review.reports.map(({ reviewer, state }) => `${visible(reviewer)} (${state})`).join(", ")}
    </p>
    <ul class="list">
      {review.clusters.map((cluster) => (
        <ClusterLine key={cluster.id} cluster={cluster} canDecide={canDecide} />
      ))}
    </ul>
  </Panel>
);

const ClusterLine = ({ cluster, canDecide }: { cluster: Cluster; canDecide: boolean }) => {
  const live = useLive();
  const [error, setError] = useState<Error>();
  const decide = async (outcome: "accepted" | "dismissed"): Promise<void> => {
    if (!confirm(`Mark this finding as ${outcome}?`)) return;
    try {
      const body = { cluster: cluster.id, outcome };
      say((await post<ActionAnswer>("/api/actions/finding", body)).text);
      live.refresh();
    } catch (problem) {
      setError(problem as Error);
    }
  };
  const { path, line, reviewers, outcome } = cluster;
  return (
    <li class="cluster">
      <div class="list-row">
        <span class="tag">{visible(cluster.severity)}</span>
        <b class="list-detail">{visible(cluster.title)}</b>
        <span class="muted" title={reviewers.map(visible).join(", ")}>
          {plural(reviewers.length, "reviewer")} · {Math.round(cluster.probability * 100)} %
        </span>
        {outcome !== undefined && <span class="tag">{outcome}</span>}
        {canDecide && outcome === undefined && (
          <>
            <button type="button" class="button is-small" onClick={() => void decide("accepted")}>
              Accept…
            </button>
            <button type="button" class="button is-small" onClick={() => void decide("dismissed")}>
              Dismiss…
            </button>
          </>
        )}
      </div>
      {path !== undefined && (
        <p class="under">
          <Code text={line === undefined ? path : `${path}:${line}`} />
        </p>
      )}
      {cluster.body !== undefined && <p class="under">{visible(cluster.body)}</p>}
      {error && <Problem error={error} />}
    </li>
  );
};
