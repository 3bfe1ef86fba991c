/** YAML, every document of the file. A key that stands twice is no syntax error here; duplicates tell it. */
import { parseAllDocuments } from "yaml";
import { SourceText } from "../source-text.ts";
import { type Judge, notChecked, verdict } from "./verdict.ts";

const by = "yaml 2.9.1";

export const judgeYaml: Judge = ({ text }) => {
  const source = new SourceText(text);
  const documents = parseAllDocuments(text, {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const errors = documents.flatMap((one) =>
    one.errors.map(({ code, message, pos: [from] }) => {
      return { ...source.position(Math.min(from, text.length)), message, code };
    }),
  );
  // Charts and playbooks are YAML only after their templates were filled in.
  if (errors.length > 0 && /\{\{|\{%|<%|^[^\S\n]*#@/m.test(text)) {
    return notChecked(by, "it looks like a template that becomes YAML later");
  }
  return verdict(by, errors);
};
