import {
  type ErrorCodeEntry,
  errorCodes,
  exitCodes,
  httpStatuses,
  jsonRpcCodes,
} from "../src/errors.ts";

/** docs/errors.md as text, generated from the one table of codes. */
export const errorsDocument = (): string => {
  const entries: [string, ErrorCodeEntry][] = Object.entries(errorCodes);
  return `# Error codes

Generated from \`src/error-codes.ts\` by \`npm run generate\`; do not edit.

Every failure has one of these codes. The command line prints the message, a remedy and the code on
stderr; with \`--json\` it prints \`{"ok":false,"code","message","remedy","data"}\` on stdout. HTTP answers
carry the same object. Codes are stable; messages are for people and may change.

## What a kind means to a program

| kind | exit code | HTTP status | JSON-RPC code |
| --- | --- | --- | --- |
${kindRows()}

Exit code 0 means done or clear. Hooks have a table of their own.

## Codes

"Retry" means that the same call may succeed later without a change by the caller. "May have happened"
means that the change may have been made although an error was reported: look before you repeat.

| code | kind (exit) | cause | what to do | retry | may have happened |
| --- | --- | --- | --- | --- | --- |
${entries.map(codeRow).join("\n")}
`;
};

const kindRows = (): string =>
  (Object.keys(exitCodes) as (keyof typeof exitCodes)[])
    .map(
      (kind) => `| ${kind} | ${exitCodes[kind]} | ${httpStatuses[kind]} | ${jsonRpcCodes[kind]} |`,
    )
    .join("\n");

const codeRow = ([code, entry]: [string, ErrorCodeEntry]): string => {
  const kind = `${entry.kind} (${exitCodes[entry.kind]})`;
  const retry = entry.retryable ? "yes" : "no";
  const effect = entry.mayHaveTakenEffect ? "yes" : "no";
  const cells = [`\`${code}\``, kind, entry.cause, entry.remedy, retry, effect];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
};
