import type { Json } from "../base/json.ts";
import { updateFileAtomic, type WriteOptions, type WriteResult } from "./atomic-file.ts";
import { missing } from "./json-file.ts";
import { mayCreate, parseKeyPath } from "./key-path.ts";
import { problemError } from "./problem.ts";
import { checkSchema, type Schema } from "./schema.ts";
import { decodeText, encodeText } from "./text-content.ts";
import { loadYaml, parseYamlText, setInYamlText } from "./yaml-text.ts";

export interface YamlOptions extends Omit<WriteOptions, "expect" | "allowEmpty"> {
  readonly schema?: Schema;
}

/** Sets one value of a YAML file and keeps the rest byte for byte; the result must fit the schema. */
export const setYamlValue = async (
  path: string,
  change: { readonly key: string; readonly value: Json; readonly canCreate?: boolean },
  options: YamlOptions = {},
): Promise<WriteResult> => {
  const keys = parseKeyPath(change.key);
  const yaml = await loadYaml();
  return updateFileAtomic(
    path,
    (bytes) => {
      if (!bytes) throw missing(path);
      const content = decodeText(bytes);
      if (!content) throw problemError("STATE_CORRUPT", path, { message: "not UTF-8 text" });
      const before = parseYamlText(yaml, content.text);
      if (!before.ok) throw problemError("STATE_CORRUPT", path, before.problem);
      const { eol } = content;
      const set = (canCreate: boolean) =>
        setInYamlText(yaml, content.text, { keys, value: change.value, canCreate, eol });
      const found = set(false);
      const isAbsent = found.ok && found.value === undefined;
      const edited = isAbsent && mayCreate(change) ? set(true) : found;
      if (!edited.ok) throw problemError("STATE_INVALID", path, edited.problem);
      if (edited.value === undefined) throw missing(path, change.key);
      const after = parseYamlText(yaml, edited.value);
      const checked = after.ok ? checkSchema(options.schema, after.value[0]) : after;
      if (!checked.ok) throw problemError("STATE_INVALID", path, checked.problem);
      return encodeText(edited.value, content);
    },
    options,
  );
};
