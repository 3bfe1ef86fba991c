/** What goes wrong when many agents work at once, each as a short scene with real processes. */
import { systemClock } from "../../base/clock.ts";
import { type Agent, isRefusal } from "./cast.ts";
import type { Done, Scene } from "./types.ts";

type Play = (agents: readonly [Agent, Agent]) => Promise<Omit<Scene, "isHandled">>;

/** The reason as the agent reads it, without what only programs and the curious need. */
const told = ({ code = "", text = "" }: Done): string =>
  (text === "" ? code : text)
    .replace(/^Why \(data, not instructions\): /, "")
    .replace(/ \((?:cl_|oxc |ruff )[^)]*\)/, "");

const refusedFor = (done: Done): string =>
  isRefusal(done) ? `refused: ${told(done)}` : `not refused (${told(done) || "it passed"})`;

/** The steps that ended otherwise than they should, in words. A step without an answer is not called a refusal. */
const missed = (steps: Readonly<Record<string, readonly [done: Done, wanted: string]>>): string =>
  Object.entries(steps)
    .filter(([, [done, wanted]]) => (wanted === "ok" ? !done.ok : done.code !== wanted))
    .map(([what, [done]]) => {
      const code = done.code === undefined || done.code === "" ? "" : ` [${done.code}]`;
      return `${what}: ${done.ok ? "it passed" : told(done) || "no answer"}${code}`;
    })
    .join("; ");

const duplicate: Play = async ([one]) => {
  const path = "shop/cart.py";
  const old = "        return sum(cents for _, cents in self.lines)\n";
  const tried = await one.do({
    ...{ do: "replace", path, old },
    new: `${old}\n    def add(self, name, cents):\n        self.lines.append((name, cents))\n`,
  });
  const instead = await one.do({
    ...{ do: "replace", path, old },
    new: `${old}\n    def count(self):\n        return len(self.lines)\n`,
  });
  if (instead.ok) one.landed.push({ path, symbol: "Cart.count" });
  return {
    name: "a second copy",
    agents: [one.name],
    happened: `${one.name} adds a method to Cart that is there already`,
    handled: `${refusedFor(tried)}. It adds another one instead.`,
    missed: missed({
      "the second copy": [tried, "DUPLICATE_SYMBOL"],
      "the other method": [instead, "ok"],
    }),
  };
};

const broken: Play = async ([one]) => {
  const path = "src/orders.ts";
  const old = "order.cents > 100_00;\n";
  const tried = await one.do({
    ...{ do: "replace", path, old },
    new: `${old}\nexport const isSmall = (order: Order): boolean => !isLarge(order;\n`,
  });
  const instead = await one.do({
    ...{ do: "replace", path, old },
    new: `${old}\nexport const isSmall = (order: Order): boolean => !isLarge(order);\n`,
  });
  if (instead.ok) one.landed.push({ path, symbol: "isSmall" });
  return {
    name: "broken syntax",
    agents: [one.name],
    happened: `${one.name} forgets a bracket`,
    handled: `${refusedFor(tried)}. It repairs it.`,
    missed: missed({
      "the broken edit": [tried, "SYNTAX_ERROR"],
      "the repaired one": [instead, "ok"],
    }),
  };
};

const conflict: Play = async ([one, two]) => {
  const path = "shop/prices.py";
  const body = "    return round(cents * (1 + rate))\n";
  const first = await one.do({
    ...{ do: "replace", path, old: body },
    new: `    return round(cents + cents * rate)\n`,
  });
  const tried = await two.do({
    ...{ do: "replace", path, old: "    return round(cents + cents * rate)\n" },
    new: "    return round(cents * (1.0 + rate))\n",
  });
  const committed = await one.do({ do: "commit", message: "Add the rate at the end" });
  const again = await two.do({
    ...{ do: "replace", path, old: "    return round(cents + cents * rate)\n" },
    new: "    return round(cents * (1.0 + rate))\n",
  });
  await two.do({ do: "release" });
  return {
    name: "two want one function",
    agents: [one.name, two.name],
    happened: `${two.name} changes what ${one.name} is working on`,
    handled: `${refusedFor(tried)} It writes when ${one.name} has committed its own lines.`,
    missed: missed({
      "the first edit": [first, "ok"],
      "the second one": [tried, "LINES_HELD"],
      "the commit": [committed, "ok"],
      "the second one again": [again, "ok"],
    }),
  };
};

const paused: Play = async ([one, two]) => {
  const path = "shop/stock.py";
  const old = "    return shelf.get(name, 0) > 0\n";
  const claimed = await one.do({ do: "claim", target: path, ttl: "2s" });
  one.pause();
  await systemClock.sleep(2200);
  const taken = await two.do({ do: "claim", target: path, ttl: "60s" });
  const written = await two.do({
    ...{ do: "replace", path, old },
    new: "    return shelf.get(name, 0) >= 1\n",
  });
  one.resume();
  const other = "    shelf[name] = shelf.get(name, 0) - 1\n";
  const late = await one.do({ do: "replace", path, old: other, new: "    shelf[name] -= 1\n" });
  await two.do({ do: "release" });
  return {
    name: "asleep with a claim",
    agents: [one.name, two.name],
    happened: `${one.name} is stopped for two seconds; its claim runs out and ${two.name} gets it`,
    handled: `when it wakes up, its write is ${refusedFor(late)}`,
    missed: missed({
      "the claim": [claimed, "ok"],
      "the claim of the other": [taken, "ok"],
      "its edit": [written, "ok"],
      "the late edit": [late, "CLAIM_CONFLICT"],
    }),
  };
};

const deadlock: Play = async ([one, two]) => {
  await one.do({ do: "claim", target: "name:database", ttl: "60s" });
  await two.do({ do: "claim", target: "name:cache", ttl: "60s" });
  const want = async (agent: Agent, target: string): Promise<Done> => {
    const done = await agent.do({ do: "claim", target, ttl: "60s", wait: "20s" });
    // The one that is told gives back what it holds, so that the other can go on.
    if (!done.ok) await agent.do({ do: "release" });
    return done;
  };
  const [first, second] = await Promise.all([
    want(one, "name:cache"),
    systemClock.sleep(300).then(() => want(two, "name:database")),
  ]);
  await Promise.all([one, two].map((agent) => agent.do({ do: "release" })));
  const losers = [first, second].filter((done) => !done.ok);
  return {
    name: "a circle of waiting",
    agents: [one.name, two.name],
    happened: `${one.name} and ${two.name} each hold what the other waits for`,
    handled: "found at once: one is told and gives way, the other goes on",
    missed:
      losers.length === 1
        ? missed({ "the one that gives way": [losers[0] ?? first, "CLAIM_DEADLOCK"] })
        : losers.length === 0
          ? "neither was stopped"
          : missed({ "the first": [first, "ok"], "the second": [second, "ok"] }),
  };
};

const crash: Play = async ([one, two]) => {
  const path = "shop/prices.py";
  const old = "    return cents\n";
  const begun = await one.do({ do: "replace", path, old, new: "    return int(cents)\n" });
  await one.crash();
  const taken = await two.do({ do: "claim", target: path, ttl: "60s" });
  await two.do({ do: "release" });
  one.restart();
  await one.do({ do: "begin" });
  return {
    name: "killed with a claim",
    agents: [one.name, two.name],
    happened: `${one.name} is killed (kill -9) in the middle of its work`,
    handled:
      `its process is proven dead: ${two.name} gets the file at once` +
      (taken.rescued ? `, the unfinished work is kept as a commit` : ""),
    missed: missed({
      "the edit before the kill": [begun, "ok"],
      "the claim of the other": [taken, "ok"],
    }),
  };
};

/** In this order, spread over the time; `at` is the part of it that has gone by. */
export const scenes: readonly { readonly at: number; readonly play: Play }[] = [
  { at: 0.08, play: duplicate },
  { at: 0.2, play: broken },
  { at: 0.32, play: conflict },
  { at: 0.47, play: paused },
  { at: 0.66, play: deadlock },
  { at: 0.82, play: crash },
];
