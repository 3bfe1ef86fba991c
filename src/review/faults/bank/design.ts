import { clean, fault } from "../define.ts";

/** Faults of shape rather than of a line: architecture, quality, tests, dependencies. */
export const design = [
  fault(
    "architecture/domain-knows-the-web",
    {
      severity: "P2",
      path: "src/domain/pricing.ts",
      about:
        "the rule for prices reads the HTTP request, so nothing but a request can ask for a price",
    },
    `
import type { Request } from "express"; ◀
import type { Product } from "./product";

/** The price that this customer pays. */
export const priceOf = (product: Product, request: Request): number => {
  const country = request.headers["x-country"] ?? "DE";
  const tax = country === "DE" ? 0.19 : 0;
  return Math.round(product.netCents * (1 + tax));
};
`,
  ),
  fault(
    "architecture/two-writers-of-one-file",
    {
      severity: "P1",
      path: "agent/state.py",
      about:
        "state is read, changed and written in place by whoever comes, without lock or atomic rename",
      reviewers: ["architecture", "concurrency"],
    },
    `
import json
from pathlib import Path

STATE = Path("state.json")  # written by the scheduler and by every worker process


def mark_done(task: str) -> None:
    state = json.loads(STATE.read_text())
    state["done"].append(task)
    STATE.write_text(json.dumps(state)) ◀
`,
  ),
  fault(
    "quality/flag-decides-everything",
    {
      severity: "P2",
      path: "src/notify/send.ts",
      about: "one function with three flags does six different things",
    },
    `
import { mail, push, sms } from "./channels";

export const send = (user: string, text: string, isMail: boolean, isUrgent: boolean, dryRun: boolean) => { ◀
  if (isMail && isUrgent) {
    if (!dryRun) mail(user, \`URGENT: \${text}\`);
    return isUrgent ? 2 : 1;
  }
  if (isMail) {
    if (!dryRun) mail(user, text);
    return 1;
  }
  if (isUrgent && !dryRun) sms(user, text);
  if (!dryRun) push(user, text);
  return isUrgent ? 2 : 1;
};
`,
  ),
  fault(
    "quality/comment-says-otherwise",
    {
      severity: "P2",
      path: "cache/ttl.py",
      about: "the comment promises an hour, the code keeps a minute",
    },
    `
# Entries live for one hour; see the contract with the price service.
TTL_SECONDS = 60 ◀


def is_fresh(stored_at: float, now: float) -> bool:
    return now - stored_at < TTL_SECONDS
`,
  ),
  fault(
    "tests/asserts-nothing",
    {
      severity: "P1",
      path: "test/refund.test.ts",
      about: "the promise is not awaited and nothing is expected of it: the test cannot fail",
    },
    `
import { describe, expect, it } from "vitest";
import { refund } from "../src/refund";

describe("refund", () => {
  it("gives the whole amount back", async () => {
    expect(await refund({ cents: 500 })).toEqual({ cents: 500 });
  });

  it("refuses more than was paid", () => {
    expect(refund({ cents: 500 }, 700)).rejects; ◀
  });
});
`,
  ),
  fault(
    "tests/mirrors-the-code",
    {
      severity: "P2",
      path: "tests/test_discount.py",
      about: "the expected value is computed by the function under test",
    },
    `
from shop.discount import discount


def test_discount_for_regulars():
    expected = discount(10_000, years=3) ◀
    assert discount(10_000, years=3) == expected


def test_no_discount_for_new_customers():
    assert discount(10_000, years=0) == 0
`,
  ),
  fault(
    "dependency/unpinned-from-a-branch",
    {
      severity: "P1",
      path: "package.json",
      about: "code comes from a branch of a repository: whoever pushes there runs in the build",
    },
    `
{
  "name": "shop",
  "private": true,
  "dependencies": {
    "express": "5.1.0",
    "left-pad-fast": "github:someone/left-pad-fast#main", ◀
    "pg": "8.16.0"
  }
}
`,
  ),
  fault(
    "dependency/runs-a-script-at-install",
    {
      severity: "P1",
      path: "ci/Dockerfile",
      domains: ["devops-ci", "infra-as-code"],
      about: "a script from the network is run unseen, without version or checksum",
    },
    `
FROM node:24-slim
WORKDIR /app
RUN curl -fsSL https://get.tool.example/install.sh | sh ◀
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
`,
  ),
  clean(
    "architecture/small-port",
    "src/domain/clock.ts",
    `
/** What the domain needs to know of time; the adapter stands outside. */
export interface Clock {
  now(): Date;
}
`,
  ),
  clean(
    "quality/plain-function",
    "src/text/initials.ts",
    `
export const initials = (name: string): string =>
  name
    .split(/\\s+/)
    .filter((part) => part !== "")
    .map((part) => part[0]?.toUpperCase() ?? "")
    .join("");
`,
  ),
  clean(
    "tests/checks-the-value",
    "tests/test_slug.py",
    `
from shop.slug import slug


def test_slug_joins_words_with_dashes():
    assert slug("Two  Words") == "two-words"
`,
  ),
  clean(
    "dependency/pinned",
    "requirements.txt",
    `
flask==3.1.0
psycopg==3.2.3
`,
  ),
];
