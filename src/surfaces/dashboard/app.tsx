/** The frame around all pages: who may come in, the way between the pages, and the connection. */
import { Component, type ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { HealthAnswer, NowAnswer } from "../http/api/shapes.ts";
import { hasSecret, onSignedOut } from "./call.ts";
import { Icon } from "./icons.tsx";
import { Live } from "./live.ts";
import { pages } from "./pages/index.ts";
import { Problem } from "./parts.tsx";
import { useRoute } from "./route.ts";
import { SignInPage } from "./sign-in.tsx";
import { applyTheme, nextTheme, readTheme } from "./theme.ts";
import { Toasts } from "./toast.tsx";
import { LiveContext, useAnswer, useConnection } from "./use-answer.ts";
import { plural, visible } from "./words.tsx";

export const App = ({ problem }: { problem: string | undefined }) => {
  const [isIn, setIn] = useState(hasSecret);
  const [why, setWhy] = useState(problem);
  useEffect(
    () =>
      onSignedOut(() => {
        setWhy("The server was started again, so this page is signed out.");
        setIn(false);
      }),
    [],
  );
  return isIn ? <Inside /> : <SignInPage problem={why} />;
};

const Inside = () => {
  const live = useMemo(() => new Live(), []);
  useEffect(() => {
    live.start();
    return () => live.stop();
  }, [live]);
  return (
    <LiveContext.Provider value={live}>
      <Frame live={live} />
    </LiveContext.Provider>
  );
};

const Frame = ({ live }: { live: Live }) => {
  const { page: name } = useRoute();
  const { answer: now } = useAnswer<NowAnswer>("/api/now");
  const page = pages.find((one) => one.name === name) ?? pages[0];
  const main = useRef<HTMLElement>(null);
  const shown = useRef(name);
  useEffect(() => {
    if (now) live.beginAt(now.head);
  }, [now, live]);
  useEffect(() => {
    document.title = `${page?.title ?? "Headgate"} · ${now?.repository.name ?? "Headgate"}`;
    // A reader who follows a link hears the new page from its start.
    if (shown.current !== name) main.current?.focus();
    shown.current = name;
  }, [name, page, now?.repository.name]);
  if (!page) return null;
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to the page
      </a>
      <SideBar now={now} current={page.name} />
      <main ref={main} id="main" tabIndex={-1} class="main">
        <OfflineBanner />
        <Boundary key={page.name}>
          <page.Page now={now} />
        </Boundary>
      </main>
      <Toasts />
    </div>
  );
};

const skip = (event: Event, main: HTMLElement | null): void => {
  event.preventDefault();
  main?.focus();
};

const SideBar = ({ now, current }: { now: NowAnswer | undefined; current: string }) => (
  <div class="side">
    <div class="brand">
      <img src="/icon.svg" alt="" width="22" height="22" />
      <span>Headgate</span>
    </div>
    {now && (
      <p class="repository" title={visible(now.repository.root)}>
        <bdi>{visible(now.repository.name)}</bdi>
      </p>
    )}
    <nav aria-label="Pages">
      <ul>
        {pages.map(({ name, title, icon, badge }) => {
          const count = now && badge?.(now);
          return (
            <li key={name}>
              <a href={`#/${name}`} {...(name === current && { "aria-current": "page" as const })}>
                <Icon name={icon} />
                <span>{title}</span>
                {count ? <span class="badge">{count.toLocaleString("en")}</span> : null}
                {name === "health" && <HealthMark />}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
    <div class="side-foot">
      <ConnectionSign />
      <ThemeButton />
    </div>
  </div>
);

/** Seen on every page: one who never opens Health learns that agents are not guarded. */
const HealthMark = () => {
  const { answer } = useAnswer<HealthAnswer>("/api/health-report", { isLive: false });
  const problems = answer?.checks.filter(({ state }) => state === "problem").length ?? 0;
  if (problems === 0) return null;
  return (
    <span class="badge is-bad" title={plural(problems, "problem")}>
      {problems}
      <span class="sr-only"> {problems === 1 ? "problem" : "problems"}</span>
    </span>
  );
};

const ConnectionSign = () => {
  const connection = useConnection();
  const words = { live: "live", connecting: "connecting", offline: "offline" }[connection];
  return (
    <span class={`connection is-${connection}`} role="status">
      <span class="life-dot" aria-hidden="true" />
      {words}
    </span>
  );
};

const OfflineBanner = () => {
  const connection = useConnection();
  if (connection !== "offline") return null;
  return (
    <div class="banner" role="alert">
      <Icon name="warning" />
      <span>
        The server does not answer. What you see is from before; this page goes on by itself when
        the server is back. Start it with <code>headgate up</code>.
      </span>
    </div>
  );
};

const ThemeButton = () => {
  const [theme, setTheme] = useState(readTheme);
  const icon = { system: "system", light: "sun", dark: "moon" } as const;
  const change = () => {
    const next = nextTheme(theme);
    applyTheme(next);
    setTheme(next);
    dispatchEvent(new Event("headgate-theme"));
  };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Colours: ${theme}. Change`}
      title={`Colours: ${theme}`}
      onClick={change}
    >
      <Icon name={icon[theme]} />
    </button>
  );
};

/** A defect of one page leaves the others usable. */
class Boundary extends Component<{ children: ComponentChildren }, { error?: Error }> {
  override componentDidCatch(error: Error): void {
    this.setState({ error });
  }

  override render() {
    return this.state.error ? <Problem error={this.state.error} /> : this.props.children;
  }
}
