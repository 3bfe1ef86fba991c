/** Back in time: who held what at any moment that the event log knows. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { HeldView, NowAnswer, RangeAnswer, TimelineAnswer } from "../../http/api/shapes.ts";
import { nowMs, pause } from "../browser.ts";
import { get, query } from "../call.ts";
import { Empty, Filter, NotYet, PageHead, Panel, Problem } from "../parts.tsx";
import { noteParameter, readRoute } from "../route.ts";
import { useAnswer } from "../use-answer.ts";
import { useRows } from "../use-rows.ts";
import { VirtualList } from "../virtual-list.tsx";
import { Actor, clock, Code, dateAndTime, plural, span, visible } from "../words.tsx";
import { TimeBar } from "./timeline/time-bar.tsx";

type Ready = Extract<TimelineAnswer, { ready: true }>;

export const TimelinePage = (_props: { now: NowAnswer | undefined }) => {
  const [hours, setHours] = useState<number>();
  const path = `/api/timeline/range?${query({ hours })}`;
  // Not live: a bar that moves under the finger cannot be used.
  const { answer: range, error } = useAnswer<RangeAnswer>(path, { isLive: false });
  const [atMs, setAtMs] = useState<number | undefined>(() => {
    const given = Date.parse(readRoute().parameters.get("at") ?? "");
    return Number.isNaN(given) ? undefined : given;
  });
  const go = useCallback((ms: number | undefined) => {
    setAtMs(ms);
    noteParameter("at", ms === undefined ? undefined : new Date(ms).toISOString());
  }, []);
  if (error || !range) {
    return <NotYet title="Timeline" what="Reading the log" error={error} />;
  }
  if (range.head === 0) {
    return (
      <>
        <PageHead title="Timeline" />
        <Empty title="Nothing happened yet" icon="timeline">
          <p>As soon as somebody claims something, you can go back to any moment here.</p>
        </Empty>
      </>
    );
  }
  const shownMs = Math.min(atMs ?? Date.parse(range.to), nowMs());
  return (
    <>
      <PageHead title="Timeline">
        <p class="summary">{plural(range.head, "event")} in the log</p>
      </PageHead>
      <TimeBar range={range} atMs={shownMs} hours={hours} setHours={setHours} go={go} />
      <AtMoment atMs={shownMs} />
    </>
  );
};

const AtMoment = ({ atMs }: { atMs: number }) => {
  const [filter, setFilter] = useState("");
  const [state, setState] = useState<Ready>();
  const [progress, setProgress] = useState<number>();
  const at = useSettled(atMs, 120);
  const asked = query({ at: new Date(at).toISOString(), filter });
  const load = useMemo(
    () => async (offset: number, limit: number, signal: AbortSignal) => {
      const answer = await askUntilReady(
        `${asked}&${query({ offset, limit })}`,
        signal,
        setProgress,
      );
      setState(answer);
      return { rows: answer.held, total: answer.total };
    },
    [asked],
  );
  const rows = useRows<HeldView>(asked, load);
  return (
    <div class="timeline-grid">
      <Panel
        title={`Held at ${clock(new Date(atMs).toISOString())}`}
        count={rows.isReady ? rows.total : undefined}
        class="held-panel"
        tools={<Filter label="Filter by path or actor" value={filter} set={setFilter} />}
      >
        {rows.error && <Problem error={rows.error} />}
        {progress !== undefined && (
          <div class="progress" role="status">
            <progress value={progress} max={1} aria-label="Reading the event log" /> reading the
            event log, {Math.round(progress * 100)} %
          </div>
        )}
        {state?.prunedBefore !== undefined && (
          <p class="note">
            Events before {dateAndTime(state.prunedBefore)} were pruned: what was claimed before
            them is missing here.
          </p>
        )}
        {rows.isReady && rows.total === 0 && (
          <Empty title="Nothing was held" icon="folder">
            <p>
              At this moment nobody held {filter ? "anything that fits" : "a claim"}. Move along the
              bar to another one.
            </p>
          </Empty>
        )}
        {rows.total > 0 && (
          <VirtualList
            id="held"
            role="listbox"
            label="Claims that were held"
            total={rows.total}
            rowHeight={32}
            see={rows.see}
            row={(index) => heldRow(rows.row(index), atMs)}
          />
        )}
      </Panel>
      <div class="timeline-side">
        <Panel title="Waiting then" count={state?.waiting.length}>
          {state?.waiting.length === 0 && <p class="note">Nobody waited.</p>}
          <ul class="list scrolls">
            {state?.waiting.slice(0, 50).map((one, index) => (
              <li key={index} class="waiter">
                <div class="list-row">
                  <Actor id={one.actor} />
                </div>
                <p class="under">
                  for{" "}
                  {one.targets.slice(0, 3).map((target) => (
                    <Code key={target} text={target} />
                  ))}
                </p>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="Just before">
          <ol class="list scrolls is-tall">
            {state?.events.map((event) => (
              <li key={event.seq} class="event">
                <span class="event-time">{clock(event.at)}</span>
                <span class="event-kind">{event.kind}</span>
                {event.actor && <Actor id={event.actor} />}
                <bdi class="event-text" title={visible(event.text)}>
                  {visible(event.text)}
                </bdi>
              </li>
            ))}
          </ol>
        </Panel>
      </div>
    </div>
  );
};

const heldRow = (held: HeldView | undefined, atMs: number) => {
  if (!held) return { content: <span class="row-wait" aria-hidden="true" /> };
  return {
    attributes: { "aria-label": visible(`${held.target}, ${held.mode}, held by ${held.actor}`) },
    content: (
      <div class="held-row">
        <span class="held-target">
          <Code text={held.target} />
          {held.mode === "shared" && <span class="tag">shared</span>}
        </span>
        <span class="tree-reason">{visible(held.reason)}</span>
        <Actor id={held.actor} />
        <span class="tree-time" title={`since ${dateAndTime(held.since)}`}>
          for {span(atMs - Date.parse(held.since))}
        </span>
      </div>
    ),
  };
};

/** A long log is read in parts by the server; each answer says how far it is. */
const askUntilReady = async (
  asked: string,
  signal: AbortSignal,
  tell: (progress: number | undefined) => void,
): Promise<Ready> => {
  for (;;) {
    const answer = await get<TimelineAnswer>(`/api/timeline?${asked}`, signal);
    if (answer.ready) {
      tell(undefined);
      return answer;
    }
    tell(answer.of === 0 ? 0 : answer.done / answer.of);
    await pause(20);
  }
};

/** The value once it stopped moving: a slider passes many that nobody wants to see. */
const useSettled = (value: number, ms: number): number => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    let isOver = false;
    void pause(ms).then(() => !isOver && setSettled(value));
    return () => {
      isOver = true;
    };
  }, [value, ms]);
  return settled;
};
