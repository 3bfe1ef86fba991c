/** A place in a text, with a bound on the work that is done from there (B06, B09). */

/** The text is no command line that this reader knows: nothing of it is certain then. */
export class NotUnderstood extends Error {}

/** Over a limit; such a command is refused. */
export class TooMuch extends Error {}

/** Shared by all texts that are read for one command line: what `bash -c` runs counts, too. */
export interface Budget {
  steps: number;
  commands: number;
}

export const shellLimits = {
  /** A line for a program; a file's worth of here-document fits. */
  textLengthMax: 1024 * 1024,
  /** Of simple commands: a deny rule that looks at the first few only is no rule. */
  commandsMax: 500,
  /** Substitutions, subshells and `bash -c` in each other. */
  depthMax: 40,
  /** Each character is looked at a few times, plus some for short texts. */
  stepsPerCharacter: 12,
} as const;

export class Cursor {
  readonly text: string;
  readonly budget: Budget;
  at = 0;
  depth: number;

  constructor(text: string, budget: Budget, depth: number) {
    if (depth > shellLimits.depthMax) throw new TooMuch("its parts are nested too deeply");
    this.text = text;
    this.budget = budget;
    this.depth = depth;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  peek(offset = 0): string {
    return this.text[this.at + offset] ?? "";
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }

  /** One character further; every loop of the reader goes through here. */
  next(): string {
    this.budget.steps -= 1;
    if (this.budget.steps < 0) throw new TooMuch("it takes too long to read");
    const char = this.text[this.at] ?? "";
    this.at += 1;
    return char;
  }

  skip(count: number): void {
    for (let left = count; left > 0; left -= 1) this.next();
  }

  deeper<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > shellLimits.depthMax) throw new TooMuch("its parts are nested too deeply");
    try {
      return read();
    } finally {
      this.depth -= 1;
    }
  }
}
