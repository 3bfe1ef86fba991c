// Do several processes get even shares of one SQLite file at full durability, and at what price?
import { compareShares, type Row, sharesHeader, sharesRows } from "./even-shares.ts";
import { printTable, saveResult } from "./harness.ts";

const rows: readonly Row[] = [
  ["busy-timeout", "busy-timeout", "bare insert, busy_timeout=5000 (by hand)"],
  ["jitter-sync", "busy-timeout", "bare insert, retry after 0.2-1 ms, blocking"],
  ["jitter-async", "busy-timeout", "bare insert, the same with timers"],
  ["kernel-lock", "busy-timeout", "bare insert, kernel lock on a side file"],
  ["waiting", "busy-timeout", "bare insert, Headgate's waiting"],
  ["busy-timeout-event", "busy-timeout-event", "event transaction, busy_timeout=5000 (by hand)"],
  ["store", "busy-timeout-event", "event transaction, Headgate's store"],
];

const processes = 8;
const seconds = 5;
const rounds = 3;
const measured = await compareShares(rows, { processes, seconds, rounds });
printTable(
  `SQLite, synchronous=FULL, ${processes} processes for ${seconds} s (${rounds} interleaved rounds)`,
  sharesHeader,
  sharesRows(measured),
);
saveResult("fairness", { processes, seconds, rounds, measured });
