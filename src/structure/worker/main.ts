/**
 * The parsing process. Parsers are native code and WebAssembly that untrusted files may crash, exhaust
 * or hang; here only this process suffers, and its parent starts another one.
 */
import { setFlagsFromString } from "node:v8";
import { answer } from "./answer.ts";
import { type Answers, type Question, type Reply, sendAnswer } from "./protocol.ts";

// By default the engine optimises a parser while it is being set up, which doubles the wait for the first
// answer; so it waits longer. Set here and not on the command line: an engine without it goes on unmoved.
setFlagsFromString("--wasm-tiering-budget=100000000");
// Of a parser of ten megabytes a file needs the smaller part; each function is looked at when it is called.
setFlagsFromString("--wasm-lazy-validation");

const send = (reply: Reply): void => void process.send?.(reply);

/** Too deep a recursion, or a trap of WebAssembly: the stack was left in the middle of something. */
const isBreakdown = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && error.name === "RuntimeError");

/** A file of ours that is missing, or memory that the system did not give: nothing is known about the source. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error &&
  ("code" in error || (error instanceof RangeError && /WebAssembly|allocat/i.test(error.message)));

const failure = (error: unknown): Reply => {
  const what = error instanceof Error ? error.message : String(error);
  const isSpent = isBreakdown(error);
  const why = isSpent ? `the parser broke down: ${what}` : what;
  const memoryBytes = process.memoryUsage.rss();
  return { ok: false, why, isSpent, memoryBytes, ...(isOurs(error) && { isOurs: true }) };
};

const success = (value: Answers[Question["do"]]): Reply => ({
  ok: true,
  answer: sendAnswer(value),
  memoryBytes: process.memoryUsage.rss(),
});

process.on("message", (question: Question) => {
  void answer(question).then(success).catch(failure).then(send);
});
// Not `exit`: that waits for the engine, which may still be compiling a parser in the background.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
send({ ready: true });
