import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

/** The browser's own modal dialog: it keeps the focus inside, and Escape closes it. */
export const Dialog = (props: { title: string; close(): void; children: ComponentChildren }) => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
    element.current?.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onClose={() => props.close()}
      onClick={(event) => event.target === element.current && props.close()}
    >
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id="dialog-title">{props.title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label="Close"
            onClick={() => props.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
};
