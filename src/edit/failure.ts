import { errnoOf } from "../base/files.ts";
import { showText } from "../base/text.ts";
import { type ErrorCode, HeadgateError } from "../errors.ts";

/**
 * An operating-system error as a coded one; everything else passes through unchanged, so that a defect is
 * never dressed up as a disk problem.
 */
export const editFailure = (error: unknown, what: string): unknown => {
  const errno = errnoOf(error);
  if (HeadgateError.isInstance(error) || errno === undefined || !/^E[A-Z0-9]+$/.test(errno)) {
    return error;
  }
  const message = error instanceof Error ? error.message : String(error);
  return new HeadgateError(codeOf[errno] ?? "STATE_IO", `cannot ${what}: ${showText(message)}`, {
    data: { errno },
    cause: error,
  });
};

const codeOf: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: "STATE_DISK_FULL",
  EDQUOT: "STATE_DISK_FULL",
  EFBIG: "STATE_DISK_FULL",
  EROFS: "STATE_NOT_WRITABLE",
  EACCES: "STATE_NOT_WRITABLE",
  EPERM: "STATE_NOT_WRITABLE",
  EMFILE: "STATE_TOO_MANY_FILES",
  ENFILE: "STATE_TOO_MANY_FILES",
  ELOOP: "EDIT_TARGET_KIND",
  ENAMETOOLONG: "PATH_INVALID",
};
