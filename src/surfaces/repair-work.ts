/** The repair that an ordinary command or hook makes before its own work. */
import type { Headgate } from "../compose.ts";
import { HeadgateError } from "../errors.ts";

/**
 * One line for each thing that was repaired, or that needs a person. A repair that fails
 * now (the store does not answer, the disk is full) stops nothing: the command itself says what it cannot do.
 */
export const repairWork = async (
  open: () => Promise<Headgate>,
  say: (line: string) => void,
): Promise<void> => {
  try {
    await using headgate = await open();
    await repairOpen(headgate, say);
  } catch (error) {
    if (!HeadgateError.isInstance(error)) throw error;
    say(`headgate: work of a killed process was not repaired: ${error.message} [${error.code}]`);
  }
};

const repairOpen = async (
  { leftWork }: Pick<Headgate, "leftWork">,
  say: (line: string) => void,
): Promise<void> => {
  for (const { code, what, repaired } of await leftWork.repair({ isSaid: true })) {
    say(`headgate: ${repaired ? "repaired" : "needs a person"}: ${what} [${code}]`);
  }
};
