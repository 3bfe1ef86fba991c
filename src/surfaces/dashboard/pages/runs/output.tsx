/** What a run's agents print: asked for only while somebody looks, and again and again while they work. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunOutputAnswer, RunView } from "../../../http/api/runs-shape.ts";
import { every } from "../../browser.ts";
import { get, query } from "../../call.ts";
import { visible } from "../../words.tsx";

const lookMs = 1_000;

export const Output = ({ run }: { run: RunView }) => {
  const isAtWork = run.executor !== undefined;
  const [isOpen, setOpen] = useState(isAtWork);
  useEffect(() => {
    if (isAtWork) setOpen(true);
  }, [isAtWork]);
  if (!run.plans.some(({ state }) => state !== "pending")) return null;
  return (
    <details
      class="happened"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{isAtWork ? "Output (live)" : "Output of the last agent"}</summary>
      {isOpen && <Printed run={run.id} isAtWork={isAtWork} />}
    </details>
  );
};

const Printed = ({ run, isAtWork }: { run: string; isAtWork: boolean }) => {
  const [answer, setAnswer] = useState<RunOutputAnswer>();
  const isAsked = isAtWork || answer === undefined;
  useEffect(() => {
    const ending = new AbortController();
    const look = (): void => {
      get<RunOutputAnswer>(`/api/run-output?${query({ run })}`, ending.signal).then(
        (got) => !ending.signal.aborted && setAnswer(got),
        // The page itself says that nobody answers; what is shown stays.
        () => undefined,
      );
    };
    look();
    const stop = isAsked ? every(lookMs, look) : undefined;
    return () => {
      stop?.();
      ending.abort();
    };
  }, [run, isAsked]);
  if (!answer) return <p class="entry-text">…</p>;
  const shown = answer.agents.filter((one) => one.isAtWork || !isAtWork);
  return (
    <>
      {shown.length === 0 && <p class="entry-text">Nobody is at work.</p>}
      {shown.map(({ agent, plan, task, lines }) => (
        <div key={agent}>
          <p class="entry-text">
            plan {visible(plan)}, task {task}
            {lines.length === 0 && ": nothing was printed"}
          </p>
          {lines.length > 0 && (
            <Lines lines={lines} label={`Output of plan ${plan}, task ${task}`} />
          )}
        </div>
      ))}
    </>
  );
};

/** Stays at its end, unless somebody has scrolled up to read. */
const Lines = ({ lines, label }: { lines: readonly string[]; label: string }) => {
  const box = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  return (
    <pre
      ref={box}
      class="printed"
      // A box that scrolls must be reachable by keyboard.
      tabIndex={0}
      role="log"
      aria-label={visible(label)}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 20;
      }}
    >
      {lines.map(visible).join("\n")}
    </pre>
  );
};
