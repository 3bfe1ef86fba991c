/** What the gate refused: why, what would have been written, and what to do instead. */
import { useEffect, useState } from "preact/hooks";
import type { NowAnswer, RefusalDiffAnswer, RefusalView } from "../../http/api/shapes.ts";
import { Empty, Filter, Loading, PageHead, Panel, Problem } from "../parts.tsx";
import { noteParameter, useRoute } from "../route.ts";
import { useAnswer } from "../use-answer.ts";
import { useRefusals } from "../use-refusals.ts";
import { VirtualList } from "../virtual-list.tsx";
import { Actor, Ago, Code, dateAndTime, Marked, visible } from "../words.tsx";
import { Diff } from "./refusals/diff.tsx";

export const RefusalsPage = (_props: { now: NowAnswer | undefined }) => {
  const { parameters } = useRoute();
  const { refusals, isReady, hasMore, error, more } = useRefusals(100);
  const [filter, setFilter] = useState("");
  const [seq, setSeq] = useState<number | undefined>(
    () => Number(parameters.get("seq")) || undefined,
  );
  useEffect(() => {
    const given = Number(parameters.get("seq"));
    if (given) setSeq(given);
  }, [parameters]);
  const shown = refusals.filter((one) => fits(one, filter.toLowerCase()));
  const place = shown.findIndex((one) => one.seq === seq);
  const chosen = shown[Math.max(0, place)];
  const choose = (index: number): void => {
    const one = shown[index];
    if (!one) return;
    setSeq(one.seq);
    noteParameter("seq", String(one.seq));
  };
  if (error && !isReady) return <Problem error={error} />;
  if (!isReady) return <Loading what="Looking for refusals" />;
  return (
    <>
      <PageHead title="Refusals">
        <p class="summary">
          <b>
            {refusals.length.toLocaleString("en")}
            {hasMore && "+"}
          </b>{" "}
          refused
        </p>
      </PageHead>
      {refusals.length === 0 ? (
        <Empty title="Nothing was refused" icon="check">
          <p>
            When an edit would break something, the gate says no, and it is shown here with the
            change and the way out. Try it: <code>headgate doctor --prove</code>
          </p>
        </Empty>
      ) : (
        <div class="split">
          <Panel
            title="Newest first"
            class="split-list"
            tools={<Filter label="Filter" value={filter} set={setFilter} />}
          >
            <VirtualList
              id="refusal"
              role="listbox"
              label="Refusals, the newest first"
              total={shown.length}
              rowHeight={58}
              active={Math.max(0, place)}
              onActive={choose}
              see={(_first, last) => last >= shown.length - 5 && hasMore && more()}
              row={(index) => refusalRow(shown[index])}
            />
          </Panel>
          {chosen && <Detail refusal={chosen} key={chosen.seq} />}
        </div>
      )}
    </>
  );
};

const fits = ({ code, path, actor }: RefusalView, filter: string): boolean =>
  filter === "" || [code, path, actor].some((text) => text.toLowerCase().includes(filter));

const refusalRow = (one: RefusalView | undefined) => {
  if (!one) return { content: null };
  return {
    attributes: { "aria-label": visible(`${one.code} ${one.path}, by ${one.actor}`) },
    content: (
      <div class="refusal-row">
        <div class="refusal-line">
          <span class="reason-code">{visible(one.code)}</span>
          <Ago at={one.at} />
        </div>
        <div class="refusal-line">
          <bdi class="is-path" title={visible(one.path)}>
            {visible(one.path)}
            {one.symbol !== undefined && `#${visible(one.symbol)}`}
          </bdi>
          <Actor id={one.actor} />
        </div>
      </div>
    ),
  };
};

const Detail = ({ refusal }: { refusal: RefusalView }) => {
  const path = refusal.kept && `/api/refusals/diff?id=${encodeURIComponent(refusal.kept)}`;
  const { answer, error } = useAnswer<RefusalDiffAnswer>(path, { isLive: false });
  return (
    <Panel title={visible(refusal.code)} class="refusal-detail">
      <div class="detail-body" aria-live="polite">
        <p class="detail-path">
          <Code text={refusal.path + (refusal.symbol === undefined ? "" : `#${refusal.symbol}`)} />
        </p>
        <p class="detail-meta">
          <Actor id={refusal.actor} /> by {visible(refusal.tool)} · {dateAndTime(refusal.at)} ·
          event {refusal.seq}
        </p>
        {refusal.message && <p class="detail-message">{visible(refusal.message)}</p>}
        {refusal.remedy && (
          <div class="remedy">
            <h3>What to do</h3>
            <p>
              <Marked text={refusal.remedy} />
            </p>
          </div>
        )}
        <h3>The change that was refused</h3>
        {path === undefined && <p class="note">It was no change of a text file, or is not kept.</p>}
        {error && <p class="note">{visible(error.message)}</p>}
        {answer && <Diff lines={answer.lines} isCut={answer.isCut} />}
      </div>
    </Panel>
  );
};
