/** Questions to the server. The secret goes into a header, never into an address. */
import { remembered } from "./browser.ts";

/** This tab's; gone when it is closed. */
const secret = remembered(() => sessionStorage, "headgate.secret");

export const hasSecret = (): boolean => secret.get() !== null;

export class CallError extends Error {
  readonly code: string;
  readonly remedy: string;
  readonly status: number;

  constructor(status: number, body: { code?: string; message?: string; remedy?: string }) {
    super(body.message ?? `the server answered ${status}`);
    this.code = body.code ?? "";
    this.remedy = body.remedy ?? "";
    this.status = status;
  }
}

/** Nobody answered at all. */
export class Offline extends Error {}

const signedOutListeners = new Set<() => void>();
export const onSignedOut = (listener: () => void): (() => void) => {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
};

/** Changes the key of the link for this page's secret. */
export const signIn = async (key: string): Promise<void> => {
  const answer = await ask<{ secret: string }>("/api/sign-in", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key }),
  });
  secret.set(answer.secret);
};

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  ask<T>(path, { headers: headers(), ...(signal && { signal }) });

export const post = <T>(path: string, body: unknown): Promise<T> =>
  ask<T>(path, {
    method: "POST",
    headers: { ...headers(), "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** An answer that goes on; see live.ts. */
export const openStream = (path: string, signal: AbortSignal): Promise<Response> =>
  send(path, { headers: headers(), signal });

const headers = (): Record<string, string> => ({ authorization: `Bearer ${secret.get() ?? ""}` });

const ask = async <T>(path: string, init: RequestInit): Promise<T> =>
  (await (await send(path, init)).json()) as T;

const send = async (path: string, init: RequestInit): Promise<Response> => {
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Offline("the server does not answer");
  }
  if (answer.ok) return answer;
  const body = (await answer.json().catch(() => ({}))) as object;
  if (answer.status === 401 && path !== "/api/sign-in") {
    secret.set(null);
    for (const listener of signedOutListeners) listener();
  }
  throw new CallError(answer.status, body);
};

/** A query without the parts that are not set. */
export const query = (parts: Record<string, string | number | undefined>): string => {
  const set = Object.entries(parts).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
};
