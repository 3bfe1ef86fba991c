import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { eventHash, firstHash } from "../../src/store/events/event-hash.ts";

const event = {
  scope_id: "sc_1",
  seq: 7,
  id: "ev_1",
  at: 1_790_000_000_123,
  kind: "claim.granted",
  actor: "ac_é",
  subject: null,
  operation: "op_1",
  data: '{"a":"\\n"}',
};

it("C-06 the hashed bytes are pinned: other programs may recompute them", () => {
  const bytes = [
    "headgate event 1",
    `64:${firstHash}`,
    "4:sc_1",
    "1:7",
    "4:ev_1",
    "13:1790000000123",
    "13:claim.granted",
    "5:ac_é",
    "-",
    "4:op_1",
    '10:{"a":"\\n"}',
    "",
  ].join("\n");
  expect(eventHash(firstHash, event)).toBe(createHash("sha256").update(bytes).digest("hex"));
});

it("C-06 no text in one field can stand for text in another", () => {
  const split = eventHash(firstHash, { ...event, actor: "a", subject: "b" });
  expect(eventHash(firstHash, { ...event, actor: "a\n1:b", subject: "" })).not.toBe(split);
  expect(eventHash(firstHash, { ...event, subject: "-" })).not.toBe(eventHash(firstHash, event));
});
