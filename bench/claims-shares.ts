// 32 processes claim and release disjoint targets in one scope as fast as they can.
import { compareShares, type Row, sharesHeader, sharesRows } from "./even-shares.ts";
import { printTable, saveResult } from "./harness.ts";

const rows: readonly Row[] = [
  ["busy-timeout", "busy-timeout", "bare insert, busy_timeout=5000 (by hand)"],
  ["busy-timeout-event", "busy-timeout-event", "event transaction, busy_timeout=5000 (by hand)"],
  ["claims", "busy-timeout-event", "claim or release, Headgate"],
];

const processes = 32;
const seconds = 5;
const rounds = 3;
const measured = await compareShares(rows, { processes, seconds, rounds });
printTable(
  `SQLite, synchronous=FULL, ${processes} processes for ${seconds} s (${rounds} interleaved rounds)`,
  sharesHeader,
  sharesRows(measured),
);
saveResult("claims-shares", { processes, seconds, rounds, measured });
