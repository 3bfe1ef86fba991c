/** The only place that writes to the terminal. Results go to stdout, everything else to stderr. */
export interface Output {
  /** True when `--json` was given: commands then print objects only. */
  readonly json: boolean;
  /** Colours are wanted: stdout is a terminal, NO_COLOR is not set. */
  readonly colour: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly width: number;
  /** Tables are cut to this width. In a pipe they are not cut, so that other programs find whole names. */
  readonly tableWidth: number;
  /** stderr is a terminal: somebody sees remarks as they are made. */
  readonly isWatched: boolean;
  /** One line of human text on stdout, broken between words where a terminal is narrower; nothing with --json. */
  line(text?: string): void;
  /** One JSON object on one line on stdout; nothing without --json. */
  object(value: unknown): void;
  /** Text that is itself the result, with or without --json: help, a completion script. */
  print(text: string): void;
  /** For another program, or code for people: as it is, only made harmless for a terminal. Nothing with --json. */
  raw(text: string): void;
  /** Progress and remarks on stderr; silent with --quiet. */
  note(text: string): void;
  style: Style;
}

export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}
