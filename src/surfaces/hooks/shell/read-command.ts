/** What a command line does, as far as that is certain. Pure: nothing is run, nothing is looked at. */
import { EffectSink } from "./effect-sink.ts";
import { parsePosix } from "./parse-posix.ts";
import { readPowershell } from "./read-powershell.ts";
import { type Budget, NotUnderstood, shellLimits, TooMuch } from "./text-cursor.ts";
import { traceList } from "./trace-commands.ts";
import type { CommandReading, Effect, ReadOptions } from "./types.ts";

/** Never throws, whatever the text is; its work is bounded by a multiple of the text's length. */
export const readCommand = (text: string, options: ReadOptions = {}): CommandReading => {
  const { shell = "posix", cwd = "" } = options;
  if (text.length > shellLimits.textLengthMax) {
    return refused(`it is longer than ${shellLimits.textLengthMax} characters`);
  }
  const budget: Budget = {
    steps: 10_000 + shellLimits.stepsPerCharacter * text.length,
    commands: shellLimits.commandsMax,
  };
  const sink = new EffectSink(options);
  try {
    if (shell === "powershell") readPowershell(text, { sink, budget, cwd });
    else traceList(parsePosix(text, budget), { cwd }, { sink, budget, depth: 0 });
  } catch (error) {
    if (error instanceof TooMuch) return refused(error.message);
    if (!(error instanceof NotUnderstood)) throw error;
    // A reader that lost its way may have been wrong before, too.
    sink.unsure(error.message);
    const effects = sink.effects.map((effect) => ({ ...effect, certain: false }));
    const { personal, uncertain } = sink;
    return finish({ effects, personal, uncertain }, budget);
  }
  return finish(sink, budget);
};

const finish = (
  { effects, personal, uncertain }: Pick<CommandReading, "effects" | "personal" | "uncertain">,
  budget: Budget,
): CommandReading => ({
  effects,
  personal,
  uncertain,
  commands: shellLimits.commandsMax - budget.commands,
  readsOnly: effects.length === 0 && personal.length === 0 && uncertain.length === 0,
  keepsFiles: uncertain.length === 0 && effects.every(onlyRecords),
});

const refused = (tooLarge: string): CommandReading => ({
  effects: [],
  personal: [],
  uncertain: [tooLarge],
  commands: 0,
  readsOnly: false,
  keepsFiles: false,
  tooLarge,
});

/** `git add` and `git commit` write what git keeps, and no file of the working tree. */
const onlyRecords = (effect: Effect): boolean =>
  effect.kind === "git" && ["add", "stage", "commit"].includes(effect.operation);
