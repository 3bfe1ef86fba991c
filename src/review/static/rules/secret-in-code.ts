import { findSecrets } from "../../../base/secrets.ts";
import type { Node } from "../node.ts";
import type { StaticRule } from "../rule.ts";

export const secretInCode: StaticRule = {
  name: "secret-in-code",
  severity: "P0",
  kind: "security",
  languages: ["python", "script", "go", "bash"],
  needs:
    /PRIVATE KEY|AKIA|gh[pousr]_|github_pat_|xox[baprs]-|sk_live_|AIza|glpat-|sk-ant-|npm_|SG\.|passw|secret|token|api_?key/i,
  skipsTests: true,
  why: "Whoever can read the repository, or any copy of its history, has it; removing the line later does not take it back.",
  fix: "Revoke it now, and read it from the environment or a secret store.",
  *check(file) {
    for (const node of file.of(
      "string",
      "template_string",
      "interpreted_string_literal",
      "raw_string_literal",
      "raw_string",
      "word",
    )) {
      const { text } = node;
      if (text.length < 16 || text.length > 10_000) continue;
      const known = findSecrets(text).find(({ form }) => form !== "doubtful");
      if (known && !isExample(text)) {
        yield { node, title: `${known.name} stands in the code` };
        continue;
      }
      const name = nameOf(node);
      const value = text.replaceAll(/^["'`]|["'`]$/g, "");
      if (
        name !== undefined &&
        !isPublic(node, name, value) &&
        /^[\w.-]+$/.test(name) &&
        secretName.test(name) &&
        looksRandom(value) &&
        !isExample(text)
      )
        yield { node, title: `\`${name}\` is given what looks like a real secret`, severity: "P3" };
    }
  },
};

const secretName =
  /(^|_|\b)(password|passwd|secret|secret_?key|api_?key|auth_?token|access_?token|private_?key|client_?secret)$/i;
const isExample = (text: string): boolean =>
  /example|sample|dummy|fake|test|placeholder|your|xxx|changeme|<|\$\{|1234567|abcdef|\.\.\./i.test(
    text,
  );

/** The name that a literal is given to. */
const nameOf = (node: Node): string | undefined => {
  const holder =
    node.parent?.kind === "expression_list" || node.parent?.kind === "literal_element"
      ? node.parent.parent
      : node.parent;
  if (
    !holder ||
    !/^(assignment|variable_declarator|assignment_expression|short_var_declaration|assignment_statement|const_spec|var_spec|pair|keyword_argument|variable_assignment|keyed_element|default_parameter|public_field_definition)$/.test(
      holder.kind,
    )
  )
    return undefined;
  const name =
    holder.child("left") ?? holder.child("name") ?? holder.child("key") ?? holder.named[0];
  return name === node ? undefined : name?.text.replaceAll(/["'`\s]/g, "");
};

/** Keys that are meant to be seen: of search boxes, analytics, maps in a browser. */
const isPublic = (node: Node, name: string, value: string): boolean =>
  /public|publishable|site_?key|project/i.test(name) ||
  /^(phc_|pk_)/.test(value) ||
  /\b(appId|indexName|authDomain|measurementId)\b/.test(
    node.parent?.parent?.text.slice(0, 1000) ?? "",
  );

/** Letters of both cases and digits, no words: more than 3.5 bits for each character. */
const looksRandom = (value: string): boolean => {
  if (!/^[A-Za-z0-9+/=_-]{16,200}$/.test(value) || !/\d/.test(value) || !/[a-zA-Z]/.test(value))
    return false;
  if (/^[a-z]+([_-][a-z]+)*\d?$/i.test(value) || /^[A-Z0-9_]+$/.test(value)) return false;
  const counts = new Map<string, number>();
  for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits > 3.5;
};
