import type { IdSource } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import { limits } from "../../base/limits.ts";
import { showText } from "../../base/text.ts";
import { HeadgateError } from "../../errors.ts";
import type { NewEvent, Via } from "../port.ts";
import type { StoreContext } from "../store-context.ts";
import { isStorableText } from "../storable-text.ts";

export interface PendingEvent {
  readonly id: string;
  readonly kind: string;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly data: string;
}

/** The events of one transaction, checked when they are emitted, so that the emitter is in the stack. */
export class PendingEvents {
  readonly list: PendingEvent[] = [];
  readonly #ids: IdSource;
  readonly #via: (actor: string | null) => Via | undefined;

  constructor({ ids, via }: Pick<StoreContext, "ids" | "via">) {
    this.#ids = ids;
    this.#via = via;
  }

  add(event: NewEvent): string {
    if (this.list.length >= limits.eventsPerTransactionMax) {
      refuse(`more than ${limits.eventsPerTransactionMax} events in one transaction`);
    }
    const { kind, actor = null, subject = null, data = {} } = event;
    if (kind.length > limits.eventKindLengthMax || !kindForm.test(kind)) {
      refuse(`the event kind "${showText(kind)}" is not lower-case words joined by dots`);
    }
    checkText(kind, "actor", actor);
    checkText(kind, "subject", subject);
    const id = this.#ids("event");
    const via = this.#via(actor);
    const full = via === undefined ? data : { ...data, via };
    this.list.push({ id, kind, actor, subject, data: dataText(kind, full) });
    return id;
  }
}

const kindForm = /^[a-z][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*$/;

const checkText = (kind: string, name: string, text: string | null): void => {
  if (text === null) return;
  if (Buffer.byteLength(text, "utf8") > limits.eventTextBytesMax) {
    refuse(`the ${name} of ${kind} is longer than ${limits.eventTextBytesMax} bytes`);
  }
  if (!isStorableText(text)) {
    refuse(`the ${name} of ${kind} holds a NUL character or half of a surrogate pair`);
  }
};

const dataText = (kind: string, data: { readonly [key: string]: Json }): string => {
  if (!isPlainObject(data)) refuse(`the data of ${kind} is not a plain object`);
  checkJson(kind, data, 1);
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text, "utf8") > limits.eventDataBytesMax) {
    refuse(`the data of ${kind} is larger than ${limits.eventDataBytesMax} bytes`);
  }
  return text;
};

/** What JSON.stringify would drop or change must not get in: it would come back different. */
const checkJson = (kind: string, value: unknown, depth: number): void => {
  if (depth > limits.eventDataDepthMax) {
    refuse(`the data of ${kind} is nested deeper than ${limits.eventDataDepthMax} levels`);
  }
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") {
    if (!isStorableText(value)) {
      refuse(`the data of ${kind} holds a NUL character or half of a surrogate pair`);
    }
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(`the data of ${kind} holds a number that is not finite`);
  } else if (Array.isArray(value)) {
    for (const item of value) checkJson(kind, item, depth + 1);
  } else if (isPlainObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      checkJson(kind, key, depth);
      checkJson(kind, item, depth + 1);
    }
  } else {
    refuse(`the data of ${kind} holds a value that is not plain JSON`);
  }
};

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const refuse = (message: string): never => {
  throw new HeadgateError("EVENT_INVALID", message);
};
