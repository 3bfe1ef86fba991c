import { errnoOf } from "../base/files.ts";
import { showText } from "../base/text.ts";
import { type ErrorCode, HeadgateError } from "../errors.ts";

/** The steps of the protocol, as they are named in messages. */
export type Step =
  | "open the folder"
  | "look at the file"
  | "open the file"
  | "lock the file"
  | "read the file"
  | "create the temporary file"
  | "write the content"
  | "set the mode"
  | "sync the content"
  | "close the temporary file"
  | "replace the file"
  | "sync the folder"
  | "list the folder"
  | "remove the temporary file"
  | "set the file aside";

/**
 * An operating-system error as a coded one that names path, step and cause. Everything else passes
 * through unchanged, so that a defect is never dressed up as a disk problem.
 */
export const stateFailure = (error: unknown, step: Step, path: string): unknown => {
  const errno = errnoOf(error);
  if (HeadgateError.isInstance(error) || errno === undefined || !/^E[A-Z0-9]+$/.test(errno)) {
    return error;
  }
  const code = step.startsWith("sync") ? "STATE_SYNC_FAILED" : (codeOf[errno] ?? "STATE_IO");
  return new HeadgateError(
    refine(code, step),
    `${showPath(path)}: cannot ${step}: ${text(error)}`,
    {
      data: { path, step, errno },
      cause: error,
    },
  );
};

/** Runs one step and gives its failure a name. */
export const step = <T>(name: Step, path: string, call: () => T): T => {
  try {
    return call();
  } catch (error) {
    throw stateFailure(error, name, path);
  }
};

export const showPath = (path: string): string => showText(path, 1024);

const codeOf: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "STATE_DISK_FULL",
  EDQUOT: "STATE_DISK_FULL",
  EFBIG: "STATE_DISK_FULL",
  EROFS: "STATE_NOT_WRITABLE",
  EACCES: "STATE_NOT_WRITABLE",
  EPERM: "STATE_NOT_WRITABLE",
  EMFILE: "STATE_TOO_MANY_FILES",
  ENFILE: "STATE_TOO_MANY_FILES",
  ENOENT: "STATE_PARENT_MISSING",
  ENOTDIR: "STATE_PARENT_MISSING",
  ELOOP: "STATE_TARGET_KIND",
  EISDIR: "STATE_TARGET_KIND",
  ENXIO: "STATE_TARGET_KIND",
  ENAMETOOLONG: "PATH_INVALID",
  EINVAL: "STATE_IO",
};

/** A file that may not be read is no matter of writing, although the errno is the same. */
const refine = (code: ErrorCode, name: Step): ErrorCode =>
  code === "STATE_NOT_WRITABLE" && (name === "read the file" || name === "list the folder")
    ? "STATE_IO"
    : code;

/** Node appends the call and the path ("ENOSPC: no space left on device, write"); both are said already. */
const text = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return showText(/^E[A-Z0-9]+: [^,]*/.exec(message)?.[0] ?? message);
};
