/** One thing that `doctor` looked at. */
export interface Check {
  /** `machine`, `store`, `git` or a client's title. */
  readonly group: string;
  readonly state: "ok" | "warning" | "problem";
  readonly text: string;
  /** Always with a warning or a problem. */
  readonly remedy?: string;
}

export const checksIn = (group: string) => ({
  ok: (text: string): Check => ({ group, state: "ok", text }),
  warning: (text: string, remedy: string): Check => ({ group, state: "warning", text, remedy }),
  problem: (text: string, remedy: string): Check => ({ group, state: "problem", text, remedy }),
});
