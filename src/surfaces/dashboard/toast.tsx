/** Short news at the edge of the page, read aloud where somebody listens. */
import { useEffect, useState } from "preact/hooks";
import { after } from "./browser.ts";
import { visible } from "./words.tsx";

const listeners = new Set<(text: string) => void>();

export const say = (text: string): void => {
  for (const listener of listeners) listener(text);
};

export const Toasts = () => {
  const [text, setText] = useState("");
  useEffect(() => {
    let forget = () => {};
    const listener = (said: string) => {
      forget();
      setText(said);
      forget = after(6000, () => setText(""));
    };
    listeners.add(listener);
    return () => {
      forget();
      listeners.delete(listener);
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {text && <div class="toast">{visible(text)}</div>}
    </div>
  );
};
