/** Lets the agents work, plays the scenes among them, and counts afterwards what is really on disk. */
import { join } from "node:path";
import { type Clock, systemClock } from "../../base/clock.ts";
import { systemFiles } from "../../base/files.ts";
import type { Headgate } from "../../compose.ts";
import type { OutlineSymbol } from "../../structure/index.ts";
import type { Agent, Cast } from "./cast.ts";
import { scenes } from "./scenes.ts";
import { ownEdit } from "./sources.ts";
import type { Check, Scene } from "./types.ts";

export interface Shown {
  landed(agent: Agent, path: string, symbol: string): void;
  scene(scene: Scene): void;
}

export const direct = async (
  { agents }: Cast,
  options: { readonly ms: number; readonly signal: AbortSignal; readonly shown: Shown },
): Promise<readonly Scene[]> => {
  const { ms, signal, shown } = options;
  const clock: Clock = systemClock;
  await Promise.all(agents.map((agent) => agent.do({ do: "begin" })));
  // The first edit of a language loads its parser and learns the names that exist.
  await Promise.all(agents.slice(0, 2).map((agent) => work(agent, 0, shown)));
  const startMs = clock.monoMs();
  const endMs = startMs + ms;
  const isOver = (): boolean => signal.aborted || clock.monoMs() >= endMs;
  const working = agents.map(async (agent) => {
    for (let count = 1; !isOver(); count += 1) {
      await agent.alone(() => work(agent, count, shown));
      // Each at a pace of its own, so that they meet in ever new ways.
      await clock.sleep(150 + ((agent.number * 97 + count * 61) % 300), signal);
    }
  });
  const played: Scene[] = [];
  const playing = (async () => {
    for (const [index, { at, play }] of scenes.entries()) {
      await clock.sleep(Math.max(0, startMs + at * ms - clock.monoMs()), signal);
      if (signal.aborted) return;
      const [one, two] = pairOf(agents, index);
      const went = await one.alone(() => two.alone(() => play([one, two])));
      const scene = { ...went, isHandled: went.missed === "" };
      played.push(scene);
      shown.scene(scene);
    }
  })();
  await Promise.all([...working, playing]);
  await Promise.all(agents.map((agent) => agent.do({ do: "end" })));
  return played;
};

const pairOf = (agents: readonly Agent[], index: number): [Agent, Agent] => {
  const one = agents[(index * 2) % agents.length];
  const two = agents[(index * 2 + 1) % agents.length];
  if (!one || !two) throw new RangeError("a scene needs two agents");
  return [one, two];
};

const work = async (agent: Agent, count: number, shown: Shown): Promise<void> => {
  const { path, symbol, ...texts } = ownEdit(agent.number, count);
  await agent.do({ do: "read", path });
  const done = await agent.do({ do: "replace", path, ...texts });
  if (!done.ok) return;
  agent.landed.push({ path, symbol });
  shown.landed(agent, path, symbol);
};

/** What the agents say against what the files and the log say. */
export const checkAll = async (
  { agents }: Cast,
  headgate: Headgate,
  root: string,
): Promise<Check[]> => {
  const landed = agents.flatMap((agent) => agent.landed);
  const paths = [...new Set(landed.map(({ path }) => path))];
  let [found, broken, doubled] = [0, 0, 0];
  for (const path of paths) {
    const text = systemFiles.readFile(join(root, path));
    const { outline } = await headgate.structure.outline(text, path);
    const names = pathsOf(outline.symbols);
    const wanted = landed.filter((one) => one.path === path).map(({ symbol }) => symbol);
    found += wanted.filter((symbol) => names.includes(symbol)).length;
    doubled += names.length - new Set(names).size;
    if ((await headgate.structure.syntax(text, path)).state === "invalid") broken += 1;
  }
  const refused = agents.reduce((sum, { refusals }) => sum + refusals.length, 0);
  const claims = await claimsLeft(headgate);
  const verified = await headgate.events.verify();
  return [
    check("edits that landed, found in the files", landed.length, found),
    check("files that do not parse", 0, broken),
    check("symbols that are there twice", 0, doubled),
    check("refused edits, found in the log", refused, await countRefusals(headgate)),
    check("claims left behind", 0, claims),
    check("event log whole", "yes", verified.ok ? "yes" : "no"),
  ];
};

/** A client does not wait for the end of its session, so on a busy machine the last of it comes a little later. */
const claimsLeft = async ({ claims }: Headgate): Promise<number> => {
  for (let tries = 0; ; tries += 1) {
    const { claims: left } = await claims.list();
    if (left.length === 0 || tries === 100) return left.length;
    await systemClock.sleep(100);
  }
};

const check = (what: string, told: Check["told"], found: Check["found"]): Check => ({
  ...{ what, told, found, ok: told === found },
});

const pathsOf = (symbols: readonly OutlineSymbol[]): string[] =>
  symbols.flatMap(({ path, children }) => [path, ...pathsOf(children)]);

const countRefusals = async ({ events }: Headgate): Promise<number> => {
  let count = 0;
  for (let since = 0; ;) {
    const page = await events.page({ since, kind: "gate.refused" });
    const codes = page.events.map(({ data }) => String(data["code"]));
    count += codes.filter((code) => !code.startsWith("HOOK_")).length;
    if (page.cursor >= page.head) return count;
    since = page.cursor;
  }
};
