import type { Headgate } from "../compose.ts";

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
  const store = await headgate.storeIfAny();
  const { head } = await headgate.events.page({ last: 1 });
  return {
    repository: { root, kind, worktree, scope: headgate.scopeIdentity(store).key },
    store:
      store === undefined
        ? { state: "none", ...headgate.storePlace }
        : {
            state: "ready",
            kind: store.capabilities.name,
            version: store.capabilities.version,
            location: store.location,
            events: head,
          },
    configuration: { files: filesInUse(headgate) },
  };
};

/** The files that set at least one value. */
const filesInUse = ({ origins }: Headgate): string[] => {
  const files = Object.values(origins).flatMap(({ from, place }) =>
    from.endsWith("-file") && place !== undefined ? [place.replace(/:\d+:\d+$/, "")] : [],
  );
  return [...new Set(files)];
};
