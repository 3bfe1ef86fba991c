import type { Headgate } from "../compose.ts";
import { type ErrorCode, HeadgateError } from "../errors.ts";

/** A running server, as `status`, `/health` and `up` show it. */
export interface ServerState {
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly since: string;
}

export interface StatusReport {
  readonly repository: {
    readonly root: string;
    readonly kind: "git" | "folder";
    readonly worktree: string;
    readonly scope: string;
  };
  /** `state: "none"`: nothing was stored yet, and looking did not create anything. */
  readonly store:
    | { readonly state: "none"; readonly kind: string; readonly location: string }
    | {
        readonly state: "unavailable";
        readonly kind: string;
        readonly location: string;
        readonly code: ErrorCode;
        readonly message: string;
        readonly remedy: string;
      }
    | {
        readonly state: "ready";
        readonly kind: string;
        readonly version: string;
        readonly location: string;
        readonly events: number;
      };
  readonly configuration: { readonly files: readonly string[] };
}

/** What Headgate sees in a repository; the same for the command line and for HTTP. */
export const statusReport = async (headgate: Headgate): Promise<StatusReport> => {
  const { root, kind, worktree } = headgate.repository;
  return {
    repository: { root, kind, worktree, scope: headgate.scopeIdentity.key },
    store: await storeReport(headgate),
    configuration: { files: filesInUse(headgate) },
  };
};

/** A store in trouble is part of the picture; the rest is shown all the same. */
const storeReport = async (headgate: Headgate): Promise<StatusReport["store"]> => {
  try {
    const store = await headgate.storeIfAny();
    if (store === undefined) return { state: "none", ...headgate.storePlace };
    const { head } = await headgate.events.page({ last: 1 });
    const { name, version } = store.capabilities;
    return { state: "ready", kind: name, version, location: store.location, events: head };
  } catch (error) {
    if (!HeadgateError.isInstance(error) || error.code === "INTERNAL") throw error;
    const { code, message, remedy } = error.toJSON();
    return { state: "unavailable", ...headgate.storePlace, code, message, remedy };
  }
};

/** The files that set at least one value. */
const filesInUse = ({ origins }: Headgate): string[] => {
  const files = Object.values(origins).flatMap(({ from, place }) =>
    from.endsWith("-file") && place !== undefined ? [place.replace(/:\d+:\d+$/, "")] : [],
  );
  return [...new Set(files)];
};
