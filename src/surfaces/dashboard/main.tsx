import { render } from "preact";
import { App } from "./app.tsx";
import { CallError, signIn } from "./call.ts";
import { applyTheme, readTheme } from "./theme.ts";

applyTheme(readTheme());

/** The key is out of the address before anything else happens: it must not be copied along with it. */
const takeKey = (): string | undefined => {
  const key = /^#key=([0-9a-f]{32})$/.exec(location.hash)?.[1];
  if (key !== undefined) history.replaceState(null, "", "#/now");
  return key;
};

let starts = 0;

const start = async (): Promise<void> => {
  const element = document.querySelector("#page");
  if (!element) return;
  const key = takeKey();
  let problem: string | undefined;
  try {
    if (key !== undefined) await signIn(key);
  } catch (error) {
    problem =
      error instanceof CallError
        ? "This link was used already, or is too old."
        : "The server does not answer.";
  }
  starts += 1;
  render(<App key={starts} problem={problem} />, element);
};

void start();
// A new link that is opened in the tab of an old one changes the hash only.
addEventListener("hashchange", () => {
  if (location.hash.startsWith("#key=")) void start();
});
