// Appends an event to the repository's log, reads the log and proves that it is whole.
import { openHeadgate } from "headgate";

const headgate = await openHeadgate({ repo: ".", actor: "build-bot" });
try {
  await headgate.events.append({ kind: "build.finished", data: { ok: true } });
  const { events, cursor } = await headgate.events.page({ kind: "build.*" });
  for (const event of events) console.log(event.seq, event.kind, event.actor);
  const proof = await headgate.events.verify();
  console.log(proof.ok ? `whole up to ${cursor}` : `event ${proof.seq}: ${proof.reason}`);
} finally {
  await headgate.close();
}
