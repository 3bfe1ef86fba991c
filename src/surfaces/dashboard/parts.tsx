/** Small pieces that all pages share. */
import type { ComponentChildren } from "preact";
import { CallError, Offline } from "./call.ts";
import { Icon, type IconName } from "./icons.tsx";
import { visible } from "./words.tsx";

export const PageHead = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <header class="page-head">
    <h1>{title}</h1>
    <div class="page-head-rest">{children}</div>
  </header>
);

export const Panel = (props: {
  title: string;
  count?: number | undefined;
  children?: ComponentChildren;
  tools?: ComponentChildren;
  class?: string;
}) => (
  <section class={`panel ${props.class ?? ""}`} aria-label={props.title}>
    <header class="panel-head">
      <h2>
        {props.title}
        {props.count !== undefined && <span class="count">{props.count.toLocaleString("en")}</span>}
      </h2>
      {props.tools}
    </header>
    {props.children}
  </section>
);

export const Empty = (props: { title: string; icon?: IconName; children?: ComponentChildren }) => (
  <div class="empty">
    {props.icon && <Icon name={props.icon} />}
    <p class="empty-title">{props.title}</p>
    <div class="empty-text">{props.children}</div>
  </div>
);

export const Problem = ({ error }: { error: Error }) => {
  // The banner at the top says that already.
  if (error instanceof Offline) return null;
  return (
    <div class="problem" role="alert">
      <strong>{visible(error.message)}</strong>
      {error instanceof CallError && error.code && <code class="problem-code">{error.code}</code>}
      {error instanceof CallError && error.remedy && <p>{visible(error.remedy)}</p>}
    </div>
  );
};

export const Loading = ({ what }: { what: string }) => (
  <p class="loading" role="status">
    {what}…
  </p>
);

/** A page that has no answer yet, or none at all. */
export const NotYet = (props: { title: string; what: string; error: Error | undefined }) => (
  <>
    <PageHead title={props.title} />
    {props.error ? <Problem error={props.error} /> : <Loading what={props.what} />}
  </>
);

export const Filter = (props: { label: string; value: string; set(value: string): void }) => (
  <label class="filter">
    <Icon name="search" />
    <span class="sr-only">{props.label}</span>
    <input
      type="search"
      placeholder={props.label}
      value={props.value}
      spellcheck={false}
      onInput={(event) => props.set(event.currentTarget.value)}
    />
  </label>
);
