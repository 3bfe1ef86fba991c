/** Looking and judging for programs that have contents and no repository. */
import { judge as judgeProposal, type Proposal, treeOf, type Verdict } from "./gate/index.ts";
import { Analyser, type Outline } from "./structure/index.ts";

/** One parsing process for the whole program; it ends with it. */
let shared: Analyser | undefined;
const analyser = (): Analyser => (shared ??= new Analyser());

/** The structure of a source text; its path tells the language. Bad source is a finding, not an error. */
export const outline = async (
  source: string | Uint8Array,
  { path }: { readonly path: string },
): Promise<Outline> => (await analyser().outline(source, path)).outline;

export interface JudgeOptions {
  /** The tree to judge against, by path; default: the proposal's own `files`, else nothing. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What the gate says to a proposal, without claims: they belong to a repository. */
export const judge = (proposal: Proposal, options: JudgeOptions = {}): Promise<Verdict> =>
  judgeProposal(proposal, {
    analyser: analyser(),
    tree: treeOf(options.files ?? proposal.files ?? {}),
    policy: {},
  });
