/**
 * A language server for one root: started when first asked, started again when it died, asked for the
 * problems of a text that need not be on disk. It has one document open; the texts of all other files are
 * those on disk.
 */
import { pathToFileURL, fileURLToPath } from "node:url";
import { join, relative, sep } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { encodeMessage, type Message, MessageReader } from "./message-stream.ts";
import { type RunningServer, type ServerProgram, startServer } from "./server-program.ts";

export interface LspPosition {
  readonly line: number;
  readonly character: number;
}

export interface LspDiagnostic {
  readonly range: { readonly start: LspPosition; readonly end: LspPosition };
  readonly severity?: number;
  readonly code?: number | string;
  readonly message: string;
}

export interface ServerPlace {
  readonly root: string;
  readonly program: ServerProgram;
  /** The whole environment of the server. Empty by default: it then runs no interpreter it finds. */
  readonly env?: Readonly<Record<string, string>>;
  /** Answers to what the server asks for, by section. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** After how long without an answer a server is taken to hang. */
  readonly answerMs?: number;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class LanguageServer {
  readonly #place: ServerPlace;
  readonly #waiting = new Map<number, Waiting>();
  #running: RunningServer | undefined;
  #ready: Promise<void> | undefined;
  #lastId = 0;
  #open: { readonly uri: string; version: number; text: string } | undefined;
  #isClosed = false;

  constructor(place: ServerPlace) {
    this.#place = place;
  }

  get pid(): number | undefined {
    return this.#running?.pid;
  }

  /** Problems of the file as if it had this text. */
  async diagnose(path: string, text: string, languageId: string): Promise<LspDiagnostic[]> {
    await this.#start();
    this.#show(this.#uriOf(path), text, languageId);
    const report = await this.#ask("textDocument/diagnostic", {
      textDocument: { uri: this.#uriOf(path) },
    });
    const items = (report as { items?: LspDiagnostic[] } | null)?.items;
    if (!items) throw new Error("it did not tell the problems");
    return items;
  }

  /** Where the type of what stands there, or the thing itself, is declared: relative to the root, or absolute. */
  async declarations(
    path: string,
    position: LspPosition,
    what: "typeDefinition" | "definition",
  ): Promise<string[]> {
    const found = await this.#ask(`textDocument/${what}`, {
      textDocument: { uri: this.#uriOf(path) },
      position,
    });
    const all = (Array.isArray(found) ? found : [found]) as (LspLocation | null)[];
    return all.flatMap((one) => {
      const uri = one?.uri ?? one?.targetUri;
      if (!uri?.startsWith("file:")) return uri ? [uri] : [];
      const file = fileURLToPath(uri);
      const inside = relative(this.#place.root, file);
      return [inside.startsWith("..") ? file : inside.split(sep).join("/")];
    });
  }

  /** Files that changed on disk: what the server remembers of them is old. */
  changed(paths: readonly string[]): void {
    if (!this.#running) return;
    const changes = paths.map((path) => ({ uri: this.#uriOf(path), type: 2 }));
    this.#tell("workspace/didChangeWatchedFiles", { changes });
  }

  close(): void {
    this.#isClosed = true;
    this.#end("it was closed");
  }

  #uriOf(path: string): string {
    return pathToFileURL(join(this.#place.root, path)).href;
  }

  #show(uri: string, text: string, languageId: string): void {
    if (this.#open?.uri === uri) {
      if (this.#open.text === text) return;
      this.#open.version += 1;
      this.#open.text = text;
      const { version } = this.#open;
      this.#tell("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
      return;
    }
    const last = this.#open;
    this.#open = { uri, version: 1, text };
    this.#tell("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
    // Closed after the other is open: without an open document a server lets its project go.
    if (last) this.#tell("textDocument/didClose", { textDocument: { uri: last.uri } });
  }

  #start(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("it was closed"));
    this.#ready ??= this.#initialize();
    return this.#ready;
  }

  async #initialize(): Promise<void> {
    const { root, program, env } = this.#place;
    const running = startServer(program, { cwd: root, env: env ?? {} });
    this.#running = running;
    const reader = new MessageReader();
    running.onEnd((why) => {
      if (running === this.#running) this.#end(why);
    });
    running.onData((chunk) => {
      if (running !== this.#running) return;
      try {
        for (const message of reader.take(chunk)) this.#receive(message);
      } catch (error) {
        this.#end(`it cannot be understood: ${error instanceof Error ? error.message : ""}`);
      }
    });
    const rootUri = pathToFileURL(root).href;
    await this.#ask("initialize", {
      processId: null,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "root" }],
      capabilities: {
        textDocument: { diagnostic: { dynamicRegistration: true }, synchronization: {} },
        workspace: {
          configuration: true,
          workspaceFolders: true,
          didChangeWatchedFiles: { dynamicRegistration: true },
        },
      },
    });
    this.#tell("initialized", {});
  }

  #ask(method: string, params: object): Promise<unknown> {
    const running = this.#running;
    if (!running) return Promise.reject(new Error("it has ended"));
    this.#lastId += 1;
    const id = this.#lastId;
    const answered = new AbortController();
    const limitMs = this.#place.answerMs ?? limits.typesAnswerMs;
    const given = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      running.hold(true);
      running.write(encodeMessage({ id, method, params }));
    });
    void this.#endIfSilent(running, limitMs, answered.signal);
    return given.finally(() => answered.abort());
  }

  /** A server that hangs would leave every later edit unproven: it is ended, and the next question starts another. */
  async #endIfSilent(
    running: RunningServer,
    limitMs: number,
    answered: AbortSignal,
  ): Promise<void> {
    await systemClock.sleep(limitMs, answered);
    if (answered.aborted || running !== this.#running) return;
    this.#end(`it gave no answer within ${limitMs} ms and was ended`);
  }

  #tell(method: string, params: object): void {
    this.#running?.write(encodeMessage({ method, params }));
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      if (id === undefined) return;
      this.#running?.write(encodeMessage({ id, result: this.#answer(method, params) }));
      return;
    }
    const waiting = this.#waiting.get(Number(id));
    this.#waiting.delete(Number(id));
    if (this.#waiting.size === 0) this.#running?.hold(false);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  #answer(method: string, params: unknown): unknown {
    if (method !== "workspace/configuration") return null;
    const { items } = params as { items: readonly { section?: string }[] };
    return items.map(({ section }) => this.#place.settings?.[section ?? ""] ?? null);
  }

  #end(why: string): void {
    const running = this.#running;
    this.#running = undefined;
    this.#ready = undefined;
    this.#open = undefined;
    running?.kill();
    running?.hold(false);
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(new Error(why));
  }
}

interface LspLocation {
  readonly uri?: string;
  readonly targetUri?: string;
}
