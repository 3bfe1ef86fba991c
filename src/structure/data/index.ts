/** JSON, YAML and TOML: keys as symbols, duplicate keys, without a grammar. */
import type { SourceText } from "../source-text.ts";
import type { ParsedOutline } from "../worker/protocol.ts";
import { outlineJson } from "./json.ts";
import { outlineToml } from "./toml.ts";
import { outlineYaml } from "./yaml.ts";

/** Undefined when the language is no data format. */
export const outlineData = (language: string, source: SourceText): ParsedOutline | undefined => {
  switch (language) {
    case "json":
      return outlineJson(language, source, false);
    case "jsonc":
      return outlineJson(language, source, true);
    case "yaml":
      return outlineYaml(language, source);
    case "toml":
      return outlineToml(language, source);
    default:
      return undefined;
  }
};
