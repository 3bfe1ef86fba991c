import { expect } from "vitest";
import { recoverState } from "../../src/state/index.ts";
import {
  type Contents,
  contentsOf,
  type StateOperation,
  temporariesIn,
} from "../fault/state-operations.ts";
import type { Answer } from "./line-worker.ts";

/**
 * What may be found after an operation was disturbed: before or after, never anything else, and after
 * the recovery that follows no left-overs. `answer` is undefined when the process was killed.
 */
export const expectBeforeOrAfter = async (
  folder: string,
  operation: StateOperation,
  options: { readonly answer: Answer | undefined; readonly mayLeaveTemporary?: boolean },
): Promise<void> => {
  const { answer } = options;
  const { before, after, between = [] } = operation;
  const found = contentsOf(folder);
  if (answer?.ok === true) expect(found).toEqual(after);
  else if (
    answer === undefined ||
    answer.code === "OUTCOME_UNKNOWN" ||
    operation.op === "recover"
  ) {
    expect([before, after, ...between]).toContainEqual(found);
  } else expect(found).toEqual(before);
  if (answer && !answer.ok) {
    expect(answer.name, answer.message).toBe("HeadgateError");
    expect(answer.code, answer.message).toMatch(/^(STATE_|OUTCOME_UNKNOWN)/);
    expect(answer.message).toContain(folder);
  }
  if (answer && operation.op !== "recover" && options.mayLeaveTemporary !== true) {
    expect(temporariesIn(folder)).toEqual([]);
  }
  await expectRecovers(folder, [before, after]);
};

/** Recovery comes to an end state at once, and a second one has nothing to do. */
export const expectRecovers = async (
  folder: string,
  accepted: readonly Contents[],
): Promise<void> => {
  const report = await recoverState([folder]);
  expect(report.failures).toEqual([]);
  expect(temporariesIn(folder)).toEqual([]);
  expect(accepted).toContainEqual(contentsOf(folder));
  const again = await recoverState([folder]);
  expect(again).toMatchObject({ isClean: true, temporaries: [], corrupt: [], failures: [] });
};
