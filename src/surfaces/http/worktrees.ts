/**
 * The worktrees of a server's repository. Agents make and remove them while the server runs: one that it
 * does not know would be outside of everything it guards. git keeps a folder of them, whose time tells
 * whether the list is still right.
 */
import { join } from "node:path";
import type { Clock } from "../../base/clock.ts";
import type { Environment } from "../../base/environment.ts";
import { systemFiles } from "../../base/files.ts";
import { findRepository, refuseTrackedState } from "../../git/index.ts";
import { type Headgate, openHeadgate } from "../../compose.ts";

export class Worktrees {
  readonly #main: Headgate;
  readonly #ports: { readonly environment: Environment; readonly clock: Clock };
  readonly #others = new Map<string, Promise<Headgate>>();
  #list: readonly string[];
  #stamp: string;

  constructor(main: Headgate, ports: { readonly environment: Environment; readonly clock: Clock }) {
    this.#main = main;
    this.#ports = ports;
    this.#list = main.repository.worktrees;
    this.#stamp = this.#look();
  }

  async list(): Promise<readonly string[]> {
    const stamp = this.#look();
    if (stamp === this.#stamp) return this.#list;
    const { environment } = this.#ports;
    const { worktrees } = await findRepository(this.#main.repository.worktree, { environment });
    this.#list = worktrees;
    this.#stamp = stamp;
    for (const root of this.#others.keys()) {
      if (!worktrees.includes(root)) await this.#leave(root);
    }
    return worktrees;
  }

  /** Git's pre-commit repairs itself what killed processes left. */
  async at(root: string, { repairs = true } = {}): Promise<Headgate> {
    const headgate = root === this.#main.repository.worktree ? this.#main : await this.#open(root);
    // A checkout may have brought it since this server began.
    await refuseTrackedState(headgate.repository, this.#ports.environment);
    const worktrees = await this.list();
    // The author of what is repaired gets a notice; so does the log.
    if (repairs && headgate.leftWork.isThere()) await headgate.leftWork.repair();
    return { ...headgate, repository: { ...headgate.repository, worktrees } };
  }

  async close(): Promise<void> {
    for (const root of this.#others.keys()) await this.#leave(root);
  }

  #open(root: string): Promise<Headgate> {
    const shared = (): ReturnType<Headgate["shared"]> => this.#main.shared();
    const known = this.#others.get(root) ?? openHeadgate({ repo: root, shared, ...this.#ports });
    this.#others.set(root, known);
    // It may be there the next time.
    known.catch(() => this.#others.delete(root));
    return known;
  }

  async #leave(root: string): Promise<void> {
    const opened = this.#others.get(root);
    this.#others.delete(root);
    await (await opened)?.close();
  }

  #look(): string {
    const { commonDir } = this.#main.repository;
    const stat = commonDir && systemFiles.stat(join(commonDir, "worktrees"));
    return stat ? `${stat.mtimeMs} ${stat.ino}` : "none";
  }
}
