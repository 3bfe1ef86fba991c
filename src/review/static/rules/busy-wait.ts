import type { StaticRule } from "../rule.ts";

export const busyWait: StaticRule = {
  name: "busy-wait",
  severity: "P2",
  kind: "reliability",
  languages: ["python", "script", "go", "bash"],
  needs: /while|for\b|until/,
  skipsTests: true,
  why: "The loop keeps one core busy until something else happens; in a single-threaded program that something may never get its turn.",
  fix: "Wait for the event (a condition, a promise, a channel, `wait`), or sleep between two looks.",
  *check(file) {
    for (const node of file.of("while_statement", "for_statement")) {
      const body = node.child("body");
      if (!body) continue;
      const condition = node.child("condition")?.text ?? "";
      const isEmpty =
        file.family === "bash"
          ? /^do\s+(:|true)\s*(?:;\s*)?done$/.test(body.text)
          : file.family === "python"
            ? body.named.length === 1 && body.named[0]?.kind === "pass_statement"
            : body.named.length === 0 && !/[+-]{2}|=/.test(condition.replaceAll(/[=!<>]=+/g, ""));
      if (!isEmpty || (file.family !== "go" && node.kind === "for_statement")) continue;
      const isForever = /^\(?(True|true|1)\)?$/.test(condition.trim());
      const looksAtTime =
        /Date\.now|performance\.now|time\.time|time\.monotonic|getTime|is_alive|\.poll\(\)|isRunning|\bdone\b|ready|finished|running/i.test(
          condition,
        );
      const isBareFor = file.family === "go" && /^for\s*\{\s*\}$/.test(node.text);
      const asks =
        file.family === "bash" &&
        /^(while|until)\s+(!\s*)?(\[|test\b|kill|pgrep|curl|nc|ps)/.test(node.text) &&
        !/sleep|read|wait|shift/.test(node.text);
      if (isForever || looksAtTime || isBareFor || asks)
        yield { node, title: "a loop waits by doing nothing" };
    }
  },
};
