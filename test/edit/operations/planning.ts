import { planEdit } from "../../../src/edit/operations/index.ts";
import type { FileChange, Operation } from "../../../src/edit/types.ts";
import type { HeadgateError } from "../../../src/errors.ts";
import { sharedAnalyser } from "../../helpers/shared-parsers.ts";

/** Plans against files in memory. */
export const planning = () => {
  const analyser = sharedAnalyser();
  const changes = (
    files: Readonly<Record<string, string | Buffer>>,
    operations: readonly Operation[],
  ): Promise<FileChange[]> => {
    const known = new Map(Object.entries(files));
    const read = (path: string): Buffer | undefined => {
      const content = known.get(path);
      return typeof content === "string" ? Buffer.from(content, "utf8") : content;
    };
    return planEdit(operations, { tree: { read }, analyser });
  };
  /** The one file after the operations, as text. */
  const edited = async (
    path: string,
    content: string | Buffer,
    ...operations: readonly Operation[]
  ): Promise<string> => {
    const [change] = await changes({ [path]: content }, operations);
    return (change?.after ?? Buffer.from(content)).toString("utf8");
  };
  const refused = async (
    path: string,
    content: string | Buffer,
    ...operations: readonly Operation[]
  ): Promise<HeadgateError> => {
    try {
      await changes({ [path]: content }, operations);
    } catch (error) {
      return error as HeadgateError;
    }
    throw new Error("it was not refused");
  };
  return { analyser, changes, edited, refused };
};
