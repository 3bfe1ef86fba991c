/** Who is here, what they hold, who waits, and what is being refused. */
import { useState } from "preact/hooks";
import type { ClaimView, NowAnswer } from "../../http/api/shapes.ts";
import { ClaimDialog } from "../claim-dialog.tsx";
import { Loading, PageHead } from "../parts.tsx";
import { plural } from "../words.tsx";
import { ActorList } from "./now/actor-list.tsx";
import { ClaimTree } from "./now/claim-tree.tsx";
import { InboxList } from "./now/inbox-list.tsx";
import { type Letter, WriteDialog } from "./now/notice-dialogs.tsx";
import { PersonList } from "./now/person-list.tsx";
import { RefusalStream } from "./now/refusal-stream.tsx";
import { RequestList } from "./now/request-list.tsx";
import { WaiterList } from "./now/waiter-list.tsx";

export const NowPage = ({ now }: { now: NowAnswer | undefined }) => {
  const [actor, setActor] = useState("");
  const [claim, open] = useState<ClaimView>();
  const [letter, write] = useState<Letter>();
  if (!now) return <Loading what="Looking around" />;
  const { counts } = now;
  return (
    <>
      <PageHead title="Now">
        <p class="summary">
          <b>{counts.alive.toLocaleString("en")}</b> of {plural(counts.actors, "actor")} alive
          <span class="dot-sep" /> <b>{counts.claims.toLocaleString("en")}</b>{" "}
          {counts.claims === 1 ? "claim" : "claims"}
          <span class="dot-sep" /> <b>{counts.waiters.toLocaleString("en")}</b> waiting
        </p>
      </PageHead>
      <div class="now-grid">
        <ClaimTree actor={actor} clearActor={() => setActor("")} open={open} isCut={now.isCut} />
        <div class="now-side">
          {now.personNeeded.length > 0 && <PersonList wanted={now.personNeeded} />}
          <InboxList write={write} />
          {now.requests.length > 0 && <RequestList requests={now.requests} me={now.me} />}
          <WaiterList waiters={now.waiters} total={counts.waiters} />
          <RefusalStream />
          <ActorList
            actors={now.actors}
            total={counts.actors}
            chosen={actor}
            choose={(id) => setActor(id === actor ? "" : id)}
            me={now.me}
            write={write}
          />
        </div>
      </div>
      {letter && <WriteDialog letter={letter} close={() => write(undefined)} />}
      {claim && <ClaimDialog claim={claim} me={now.me} close={() => open(undefined)} />}
    </>
  );
};
