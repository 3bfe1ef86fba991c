/** TOML, up to the first error. A key that stands twice is no syntax error here; duplicates tell it. */
import { TomlError, parse } from "smol-toml";
import { type Judge, verdict } from "./verdict.ts";

const by = "smol-toml 1.9.1";

export const judgeToml: Judge = ({ text }) => {
  try {
    parse(text, { integersAsBigInt: true });
    return verdict(by, []);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = /^Invalid TOML document: ([^\n]*)/.exec(error.message)?.[1] ?? error.message;
    if (message.startsWith("trying to redefine")) return verdict(by, []);
    return verdict(by, [{ line: error.line, column: error.column, message, code: "" }]);
  }
};
