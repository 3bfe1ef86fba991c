import { clean, fault } from "../define.ts";

export const apiCompatibility = [
  fault(
    "api-compatibility/new-required-option",
    {
      severity: "P1",
      path: "src/index.ts",
      domains: ["library-sdk"],
      about: "a new required option breaks every caller in a minor release",
    },
    `
export interface ClientOptions {
  readonly address: string;
  /** Since 2.4. */
  readonly region: string; ◀
  readonly timeoutMs?: number;
}

export const createClient = ({ address, region, timeoutMs = 10_000 }: ClientOptions) => ({
  address: \`\${address}/\${region}\`,
  timeoutMs,
});
`,
  ),
  fault(
    "api-compatibility/enum-value-renumbered",
    {
      severity: "P1",
      path: "proto/order.proto",
      about: "numbers on the wire change meaning for old readers",
    },
    `
syntax = "proto3";
package shop;

message Order {
  string id = 1;
  // The currency was missing until now; the total follows it.
  string currency = 2; ◀
  int64 total_cents = 3;
}
`,
  ),
  clean(
    "api-compatibility/new-optional-field",
    "src/options.ts",
    `
export interface ReadOptions {
  readonly encoding?: string;
  /** Since 2.5; the old behaviour without it. */
  readonly signal?: AbortSignal;
}
`,
  ),
];
