/** A language server as a judge of edits: which missing names and wrong arguments does this edit bring in? */
import { systemClock } from "../../base/clock.ts";
import { languageOf } from "../languages/index.ts";
import { LanguageServer } from "./language-server.ts";
import { type Candidate, candidatesOf, editedLines, withoutOld } from "./new-diagnostics.ts";
import { findServer } from "./server-program.ts";
import type { Checked, Checker, NewDiagnostic } from "./types.ts";

export interface CheckerOptions {
  readonly root: string;
  /** How long a verdict may take before the edit goes on without it. */
  readonly budgetMs?: number;
  /** Only servers that came with this program, none from the repository. */
  readonly ownServersOnly?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** After how long without an answer a server is taken to hang, and ended. */
  readonly answerMs?: number;
}

const defaultBudgetMs = 800;

/** Checks Python, TypeScript and JavaScript below one root, with one server for each. */
export const createChecker = (options: CheckerOptions): Checker => {
  const servers = new Map<string, OneServer>();
  const serverOf = (family: "python" | "script"): OneServer => {
    const known = servers.get(family);
    if (known) return known;
    const made = new OneServer(family, options);
    servers.set(family, made);
    return made;
  };
  return {
    check: async (path, before, after) => {
      const family = families[languageOf(path)];
      if (!family) return notProven("", "no type checker is known for this language");
      return serverOf(family).check(path, before, after);
    },
    changed: (paths) => {
      for (const server of servers.values()) server.changed(paths);
    },
    close: () => {
      for (const server of servers.values()) server.close();
      servers.clear();
    },
  };
};

const families: Readonly<Record<string, "python" | "script">> = {
  python: "python",
  typescript: "script",
  tsx: "script",
  javascript: "script",
};

const notProven = (by: string, why: string): Checked => ({
  state: "not-proven",
  by,
  why,
  diagnostics: [],
});

class OneServer {
  readonly #server: LanguageServer | undefined;
  readonly #by: string;
  readonly #why: string;
  readonly #budgetMs: number;
  /** One document at a time: the next check begins when the last one is through. */
  #last: Promise<unknown> = Promise.resolve();
  /** Two rules ask about the same edit, one after the other. */
  #asked: { readonly key: string; readonly answer: Promise<Checked> } | undefined;

  constructor(family: "python" | "script", options: CheckerOptions) {
    const { root, budgetMs, ownServersOnly, env, answerMs } = options;
    const found = findServer(family, root, ownServersOnly);
    this.#budgetMs = budgetMs ?? defaultBudgetMs;
    this.#why = found.ok ? "" : found.why;
    this.#by = found.ok ? `${found.program.name} ${found.program.version}` : "";
    this.#server = found.ok
      ? new LanguageServer({
          ...{ root, program: found.program, settings },
          ...(env && { env }),
          ...(answerMs !== undefined && { answerMs }),
        })
      : undefined;
  }

  async check(path: string, before: string | undefined, after: string): Promise<Checked> {
    const server = this.#server;
    if (!server) return notProven(this.#by, this.#why);
    const key = JSON.stringify([path, before, after]);
    const whole =
      this.#asked?.key === key
        ? this.#asked.answer
        : this.#last.then(() => this.#judge(server, path, before, after));
    this.#last = whole;
    this.#asked = { key, answer: whole };
    const stop = new AbortController();
    const timeUp = systemClock.sleep(this.#budgetMs, stop.signal).then(() => undefined);
    const first = await Promise.race([whole, timeUp]);
    stop.abort();
    if (first) return first;
    const why = `${this.#by} did not answer within ${this.#budgetMs} ms`;
    return { ...notProven(this.#by, why), later: whole };
  }

  changed(paths: readonly string[]): void {
    this.#asked = undefined;
    this.#server?.changed(paths);
  }

  close(): void {
    this.#server?.close();
  }

  /** Never fails: what goes wrong is a reason. */
  async #judge(
    server: LanguageServer,
    path: string,
    before: string | undefined,
    after: string,
  ): Promise<Checked> {
    try {
      const id = languageIdOf(path);
      const { isEdited, isReplaced } = editedLines(before, after);
      // Most edits bring nothing: then the old version need not be looked at.
      let found = candidatesOf(await server.diagnose(path, after, id), after, isEdited);
      const declared: NewDiagnostic["declared"][] = [];
      for (const one of found) declared.push(await declarationOf(server, path, one));
      let all = found.map((one, index) => ({ ...one, declared: declared[index] ?? "unknown" }));
      if (all.length > 0 && before !== undefined) {
        found = withoutOld(all, await server.diagnose(path, before, id), before, isReplaced);
        all = all.filter((one) => found.includes(one));
      }
      return { state: "checked", by: this.#by, diagnostics: all };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return notProven(this.#by, `${this.#by}: ${why}`);
    }
  }
}

/** Pyright reports what it reports to everybody; the project's own settings come before these. */
const settings = {
  "python.analysis": { diagnosticMode: "openFilesOnly", typeCheckingMode: "standard" },
  python: { analysis: { diagnosticMode: "openFilesOnly", typeCheckingMode: "standard" } },
};

const languageIdOf = (path: string): string => {
  if (/\.jsx$/i.test(path)) return "javascriptreact";
  const language = languageOf(path);
  return language === "tsx" ? "typescriptreact" : language;
};

const declarationOf = async (
  server: LanguageServer,
  path: string,
  { about, line, column, receiver }: Candidate,
): Promise<NewDiagnostic["declared"]> => {
  if (about === "arguments") {
    const at = { line: line - 1, character: column - 1 };
    return ownOrNot(await server.declarations(path, at, "definition"));
  }
  // Servers tell the type of a name, not that of a call's result.
  if (receiver === undefined || !/[\w$]$/.test(receiver)) return "unknown";
  // The last letter before the dot.
  const position = { line: line - 1, character: Math.max(0, column - 3) };
  return ownOrNot(await server.declarations(path, position, "typeDefinition"));
};

const ownOrNot = (places: readonly string[]): NewDiagnostic["declared"] => {
  if (places.length === 0) return "unknown";
  const isOwn = (place: string): boolean =>
    !/^(?:\/|[A-Za-z]:|\w+:)/.test(place) &&
    !/(?:^|\/)(?:node_modules|site-packages|dist-packages|typeshed[^/]*)\//.test(place) &&
    !/\.(?:pyi|d\.[cm]?ts)$/.test(place);
  return places.every(isOwn) ? "project" : "elsewhere";
};
