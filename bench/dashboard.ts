// How long the dashboard's addresses take with 10,000 claims and 1,000,000 events: the real server, asked
// over HTTP, each address as the page asks it. A page from the end of the log against one from its start.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene } from "../scripts/dashboard-scene.ts";
import { addClaims, addEvents } from "../scripts/many-events.ts";
import { median, printTable, saveResult } from "./harness.ts";

const claims = 10_000;
const events = 1_000_000;
const rounds = 15;

const folder = mkdtempSync(join(tmpdir(), "headgate-bench-"));
const scene = await openScene({ folder });
try {
  const began = performance.now();
  await addEvents(scene.root, events);
  await addClaims(scene.root, claims);
  console.log(`${events} events and ${claims} claims in ${seconds(performance.now() - began)} s`);
  const token = readFileSync(join(scene.root, ".git/headgate/token"), "utf8").trim();
  const ask = async (path: string): Promise<{ ms: number; body: Record<string, unknown> }> => {
    const start = performance.now();
    const answer = await fetch(`${scene.address}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return { ms: performance.now() - start, body };
  };
  const { body: page } = await ask("/api/events?since=0&limit=1");
  const head = Number(page["head"]);
  const at = encodeURIComponent(new Date().toISOString());
  // A moment of the past is read through once, in several short answers; then it is kept.
  const replayStart = performance.now();
  let asked = 0;
  let slowest = 0;
  for (let isReady = false; !isReady; asked += 1) {
    const { ms, body } = await ask(`/api/timeline?at=${at}`);
    slowest = Math.max(slowest, ms);
    isReady = body["ready"] === true;
  }
  const replay = { wholeMs: performance.now() - replayStart, asked, slowestMs: slowest };
  const paths: readonly (readonly [name: string, path: string])[] = [
    ["events, first page of 1,000", "/api/events?since=0&limit=1000"],
    ["events, last page of 1,000", `/api/events?since=${head - 1000}&limit=1000`],
    ["refusals, newest 50", "/api/refusals?limit=50"],
    ["refusals, oldest 3", "/api/refusals?limit=50&before=15001"],
    ["now", "/api/now"],
    ["claims, first 100 rows", "/api/claims?offset=0&limit=100"],
    ["claims, last 100 rows", `/api/claims?offset=${claims - 100}&limit=100`],
    ["timeline, its bar", "/api/timeline/range"],
    ["timeline, a moment seen before", `/api/timeline?at=${at}`],
    ["runs", "/api/runs"],
    ["routing", "/api/routing"],
  ];
  const measured: { name: string; medianMs: number; worstMs: number }[] = [];
  for (const [name, path] of paths) {
    await ask(path);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push((await ask(path)).ms);
    measured.push({ name, medianMs: median(times), worstMs: Math.max(...times) });
  }
  printTable(
    `The dashboard's addresses with ${claims} claims and ${head} events`,
    ["what", "median ms", "worst ms"],
    measured.map(({ name, medianMs, worstMs }) => [name, medianMs.toFixed(1), worstMs.toFixed(1)]),
  );
  console.log(
    `\nA moment of the past for the first time: ${seconds(replay.wholeMs)} s in ${replay.asked} answers, ` +
      `the slowest ${replay.slowestMs.toFixed(0)} ms`,
  );
  saveResult("dashboard", { claims, events: head, measured, replay });
} finally {
  await scene.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
