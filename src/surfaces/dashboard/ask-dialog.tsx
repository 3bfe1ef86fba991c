/** Asks before something is changed: what will happen, the way back, and the word for doing it. */
import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";
import { Problem } from "./parts.tsx";
import { type Step, useAction } from "./use-action.ts";

interface Choice {
  readonly label: string;
  readonly steps: readonly Step[];
}

export const AskDialog = (props: {
  title: string;
  close(): void;
  /** What will happen. */
  children: ComponentChildren;
  /** What Enter does. */
  main: Choice;
  other?: Choice | undefined;
  /** It takes something from somebody. */
  isHard?: boolean;
  /** Something is still to be said. */
  isOpen?: boolean;
}) => {
  const { act, error, isBusy } = useAction(props.close);
  const { main, other, isHard = false, isOpen = false } = props;
  return (
    <Dialog title={props.title} close={props.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOpen) void act(...main.steps);
        }}
      >
        {props.children}
        {error && <Problem error={error} />}
        <div class="dialog-actions">
          <button type="button" class="button" onClick={() => props.close()}>
            Back
          </button>
          {other && (
            <button
              type="button"
              class="button"
              disabled={isBusy || isOpen}
              onClick={() => void act(...other.steps)}
            >
              {other.label}
            </button>
          )}
          <button
            type="submit"
            class={isHard ? "button is-hard is-main" : "button is-main"}
            disabled={isBusy || isOpen}
          >
            {main.label}
          </button>
        </div>
      </form>
    </Dialog>
  );
};

/** One line that a person may write. */
export const TextField = (props: {
  label: string;
  value: string;
  set(value: string): void;
  lengthMax?: number;
  isFirst?: boolean;
}) => (
  <label class="field">
    <span>{props.label}</span>
    <input
      type="text"
      maxLength={props.lengthMax ?? 400}
      value={props.value}
      autoFocus={props.isFirst ?? false}
      autocomplete="off"
      spellcheck={false}
      onInput={(event) => props.set(event.currentTarget.value)}
    />
  </label>
);
