// Replaces a state file so that a kill or a power cut leaves the old or the new content.
import { HeadgateError, writeFileAtomic } from "headgate";

const first = await writeFileAtomic("checkpoint.json", `${JSON.stringify({ step: 1 })}\n`);

// Compare-and-swap: only if the file is still the version written above.
await writeFileAtomic("checkpoint.json", `${JSON.stringify({ step: 2 })}\n`, {
  expect: first.hash,
});

try {
  await writeFileAtomic("checkpoint.json", "{}\n", { expect: first.hash });
} catch (error) {
  if (!HeadgateError.isInstance(error) || error.code !== "STATE_CHANGED") throw error;
  console.log(error.code, "somebody else wrote it first");
}
