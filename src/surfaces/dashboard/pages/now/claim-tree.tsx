import { useState } from "preact/hooks";
import type { ClaimView, TreeAnswer, TreeRow } from "../../../http/api/shapes.ts";
import { get, query } from "../../call.ts";
import { Icon } from "../../icons.tsx";
import { Empty, Filter, Loading, Panel, Problem } from "../../parts.tsx";
import { useRows } from "../../use-rows.ts";
import { VirtualList } from "../../virtual-list.tsx";
import { Actor, Ago, Life, lifeWords, visible } from "../../words.tsx";

/** The repository as far as it is claimed. Folding is done by the server, so that any size works. */
export const ClaimTree = (props: {
  actor: string;
  clearActor(): void;
  open(claim: ClaimView): void;
  isCut: boolean;
}) => {
  const { actor } = props;
  const [filter, setFilter] = useState("");
  const [fold, setFold] = useState<"open" | "closed">("open");
  const [except, setExcept] = useState<readonly string[]>([]);
  const [claims, setClaims] = useState<number>();
  const asked = query({ filter, actor, fold, except: except.join(",") });
  const rows = useRows<TreeRow>(asked, async (offset, limit, signal) => {
    const path = `/api/claims?${asked}&${query({ offset, limit })}`;
    const answer = await get<TreeAnswer>(path, signal);
    setClaims(answer.claims);
    return answer;
  });
  const turn = (row: TreeRow): void =>
    setExcept((old) =>
      old.includes(row.key) ? old.filter((key) => key !== row.key) : [...old, row.key],
    );
  const foldAll = (next: "open" | "closed"): void => {
    setFold(next);
    setExcept([]);
  };
  const onKey = (index: number, key: string): boolean => {
    const row = rows.row(index);
    if (row?.isOpen === undefined) return false;
    if ((key === "ArrowRight") === row.isOpen || !/^Arrow(?:Left|Right)$/.test(key)) return false;
    turn(row);
    return true;
  };
  const openRow = (index: number): void => {
    const row = rows.row(index);
    if (row?.claim) props.open(row.claim);
    else if (row?.isOpen !== undefined) turn(row);
  };
  const tools = (
    <div class="tools">
      {actor && (
        <button type="button" class="chip" onClick={props.clearActor}>
          <Actor id={actor} />
          <Icon name="close" />
          <span class="sr-only">Show all actors</span>
        </button>
      )}
      <Filter label="Filter by path or actor" value={filter} set={setFilter} />
      <button
        type="button"
        class="icon-button"
        title="Fold all"
        aria-label="Fold all"
        onClick={() => foldAll("closed")}
      >
        <Icon name="fold" />
      </button>
      <button
        type="button"
        class="icon-button"
        title="Unfold all"
        aria-label="Unfold all"
        onClick={() => foldAll("open")}
      >
        <Icon name="unfold" />
      </button>
    </div>
  );
  return (
    <Panel title="Claims" count={claims} tools={tools} class="tree-panel">
      {props.isCut && (
        <p class="note">More claims exist than can be shown; filter on the command line.</p>
      )}
      {rows.error && <Problem error={rows.error} />}
      {!rows.isReady && !rows.error && <Loading what="Looking at the claims" />}
      {rows.isReady && rows.total === 0 ? (
        <Empty title={filter || actor ? "Nothing fits" : "Nothing is claimed"} icon="folder">
          {filter || actor ? (
            <p>No claim has this in its path or holder.</p>
          ) : (
            <>
              <p>
                What agents edit is claimed for them and shown here, once <code>headgate init</code>{" "}
                has installed their hooks. By hand: <code>headgate claim src/</code>
              </p>
              <p>
                <code>headgate demo</code> shows eight agents at work.
              </p>
            </>
          )}
        </Empty>
      ) : (
        <VirtualList
          id="claim"
          role="tree"
          label="Claims as a tree of the repository"
          total={rows.total}
          rowHeight={32}
          see={rows.see}
          open={openRow}
          onKey={onKey}
          row={(index) => treeRow(rows.row(index))}
        />
      )}
    </Panel>
  );
};

const treeRow = (row: TreeRow | undefined) => {
  if (!row) return { content: <span class="row-wait" aria-hidden="true" /> };
  const { claim, depth, isOpen } = row;
  const holder = claim ? `, ${claim.mode}, held by ${claim.actor}, ${lifeWords[claim.life]}` : "";
  return {
    attributes: {
      "aria-level": depth + 1,
      "aria-label": `${visible(row.name)}${visible(holder)}`,
      ...(isOpen !== undefined && { "aria-expanded": isOpen }),
    },
    content: (
      <div class={`tree-row is-${row.kind}${claim ? " has-claim" : ""}`}>
        <span class="tree-name" style={{ "--depth": String(Math.min(depth, 12)) }}>
          <span class={`tree-turn${isOpen ? " is-open" : ""}`}>
            {isOpen !== undefined && <Icon name="chevron" />}
          </span>
          <Icon name={row.kind} />
          <bdi class="tree-text" title={visible(claim?.target ?? row.name)}>
            {visible(row.name)}
          </bdi>
          {row.kind === "folder" && row.count > 1 && <span class="count">{row.count}</span>}
          {claim?.mode === "shared" && <span class="tag">shared</span>}
        </span>
        {claim && (
          <>
            <span class="tree-reason">{visible(claim.reason)}</span>
            <Actor id={claim.actor} />
            <Life state={claim.life} />
            <span class="tree-time">
              <Ago at={claim.expiresAt} until />
            </span>
          </>
        )}
      </div>
    ),
  };
};
