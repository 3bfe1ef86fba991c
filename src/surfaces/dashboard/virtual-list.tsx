/**
 * Any number of rows of one height, of which only those in sight are in the document. It is one stop for
 * the Tab key; arrows, Page Up and Down, Home and End move the active row, Enter opens it.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface VirtualListProps {
  readonly label: string;
  readonly role: "tree" | "listbox";
  readonly total: number;
  readonly rowHeight: number;
  /** The attributes of a row and what is in it. */
  row(index: number): { readonly content: ComponentChildren; readonly attributes?: object };
  see?(first: number, last: number): void;
  open?(index: number): void;
  /** True when it did something with the key. */
  onKey?(index: number, key: string): boolean;
  /** Set from outside, where the choice is part of the page's address. */
  readonly active?: number;
  onActive?(index: number): void;
  readonly id: string;
}

export const VirtualList = (props: VirtualListProps) => {
  const { label, role, total, rowHeight, id } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const [own, setOwn] = useState(-1);
  const active = Math.min(props.active ?? own, total - 1);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = Math.min(total - 1, Math.ceil((view.top + view.height) / rowHeight) + overscan);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  useEffect(() => props.see?.(first, last), [first, last, total, props.see]);

  const go = (index: number): void => {
    const next = Math.max(0, Math.min(total - 1, index));
    setOwn(next);
    props.onActive?.(next);
    const element = box.current;
    if (!element) return;
    const top = next * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + rowHeight - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || total === 0) return;
    const perPage = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + perPage,
      PageUp: active - perPage,
      Home: 0,
      End: total - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) go(to);
    else if ((event.key === "Enter" || event.key === " ") && active >= 0) props.open?.(active);
    else if (!(active >= 0 && props.onKey?.(active, event.key))) return;
    event.preventDefault();
  };

  const rows = [];
  for (let index = first; index <= last; index += 1) {
    const { content, attributes } = props.row(index);
    rows.push(
      <div
        key={index}
        id={`${id}-${index}`}
        role={role === "tree" ? "treeitem" : "option"}
        class={`row${index === active ? " is-active" : ""}`}
        style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
        aria-setsize={total}
        aria-posinset={index + 1}
        aria-selected={index === active}
        onClick={() => {
          go(index);
          props.open?.(index);
        }}
        {...attributes}
      >
        {content}
      </div>,
    );
  }
  return (
    <div
      ref={box}
      class="virtual"
      style={{ "--full": `${total * rowHeight + 1}px` }}
      role={role}
      tabIndex={0}
      aria-label={label}
      {...(active >= first && active <= last && { "aria-activedescendant": `${id}-${active}` })}
      onKeyDown={onKeyDown}
      onFocus={() => active < 0 && total > 0 && setOwn(0)}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${total * rowHeight}px` }}>
        {rows}
      </div>
    </div>
  );
};

const overscan = 8;
