import { describe, expect, it } from "vitest";
import { type Effect, readCommand } from "../../../../src/surfaces/hooks/shell/index.ts";
import { commandTable } from "./command-table.ts";

const shown = (effect: Effect): string => {
  const mark = effect.certain ? "" : "?";
  if (effect.kind === "git") {
    const { operation, dirty, harm, touches, paths } = effect;
    const parts = [`${mark}G`, operation, dirty, harm, touches.join(","), ...paths];
    return parts.join(" ").trimEnd();
  }
  const into = effect.into === undefined ? "" : `<${effect.into}`;
  if (effect.kind === "move") return `${mark}M ${effect.path}>${effect.to}${into}`;
  const tree = effect.isTree ? "/**" : "";
  const keeps = effect.keepsContent ? " (keeps)" : "";
  return `${mark}${effect.kind === "write" ? "W" : "D"} ${effect.path}${tree}${into}${keeps}`;
};

const clean = (text: string) =>
  text.replaceAll("  (", " (").replace(/ +$/, "").replaceAll("  ", " ");

describe("what a command line does", () => {
  it.each(commandTable.map(([command, ...expected]) => ({ command, expected })))(
    "B12 $command",
    ({ command, expected }) => {
      const reading = readCommand(command, { cwd: "/r", home: "/h" });
      const rest = ["reads", "unknown", "no hooks"];
      const effects = expected.filter((one) => !rest.includes(one));
      const isSkipping = reading.personal.some(({ kind }) => kind === "hooks");
      expect(isSkipping).toBe(expected.includes("no hooks"));
      expect(reading.effects.map(shown).map(clean)).toEqual(effects.map(clean));
      if (expected.includes("reads"))
        expect(reading.readsOnly, reading.uncertain.join()).toBe(true);
      if (expected.includes("unknown")) expect(reading.uncertain).not.toEqual([]);
      else if (effects.every((one) => !one.startsWith("?"))) expect(reading.uncertain).toEqual([]);
    },
  );
});
