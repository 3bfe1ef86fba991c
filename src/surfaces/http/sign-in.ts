/**
 * How a browser gets in without the token ever being shown: `up` prints a link with a key that works once
 * and for minutes only. The key is behind the `#`, so no server log, proxy or Referer sees it. The page
 * changes it for a secret that follows from the token, which opens the dashboard's addresses and no others.
 */
import { createHmac } from "node:crypto";
import { type Clock, systemClock } from "../../base/clock.ts";
import { limits } from "../../base/limits.ts";
import { type Random, systemRandom } from "../../base/random.ts";
import { HeadgateError } from "../../errors.ts";

export interface SignIn {
  /** For the next browser. The oldest unused one is forgotten when there are too many. */
  newKey(): string;
  /** The page's secret. Throws HTTP_TOKEN_REFUSED for a key that is wrong, used or too old. */
  redeem(key: unknown): string;
}

export const createSignIn = (options: {
  readonly token: string;
  readonly clock?: Clock;
  readonly random?: Random;
}): SignIn => {
  const { token, clock = systemClock, random = systemRandom } = options;
  const keys = new Map<string, number>();
  return {
    newKey: () => {
      const key = Buffer.from(random.bytes(16)).toString("hex");
      keys.set(key, clock.monoMs() + limits.signInKeyMs);
      for (const oldest of keys.keys()) {
        if (keys.size <= limits.signInKeysMax) break;
        keys.delete(oldest);
      }
      return key;
    },
    redeem: (key) => {
      const endMonoMs = typeof key === "string" ? keys.get(key) : undefined;
      if (typeof key === "string") keys.delete(key);
      if (endMonoMs === undefined || endMonoMs < clock.monoMs()) {
        throw new HeadgateError("HTTP_KEY_REFUSED", "this link was used already, or is too old");
      }
      return pageSecret(token);
    },
  };
};

/** Follows from the token: a server that starts again with the same token knows its pages. */
export const pageSecret = (token: string): string =>
  createHmac("sha256", token).update("headgate dashboard").digest("hex");
