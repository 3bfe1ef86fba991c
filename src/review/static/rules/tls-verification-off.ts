import type { Node } from "../node.ts";
import type { StaticRule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";

export const tlsVerificationOff: StaticRule = {
  name: "tls-verification-off",
  severity: "P1",
  kind: "security",
  languages: ["python", "script", "go", "bash"],
  needs:
    /verify|CERT_NONE|check_hostname|rejectUnauthorized|TLS_REJECT|InsecureSkipVerify|curl|wget|unverified/,
  skipsTests: true,
  why: "The other side is not checked any more: whoever sits on the way can read and change everything, also passwords and code that is downloaded.",
  fix: "Leave the check on; for an own authority give its certificate (`verify=path`, `ca`, `RootCAs`, `--cacert`).",
  *check(file) {
    const title = "the certificate of the other side is not checked";
    for (const call of file.calls) {
      if (file.family === "python") {
        const isOff =
          call.named.get("verify")?.text === "False" &&
          /^(requests|httpx|session|s|self\.(_?session|client)|client)\b/.test(call.callee);
        const isMade = call.callee === "ssl._create_unverified_context";
        if ((isOff || isMade) && !isAskedFor(file, call.node)) yield { node: call.node, title };
      } else if (file.family === "bash") {
        const flags = call.args.map(({ text }) => text);
        const isOff =
          (call.name === "curl" &&
            flags.some(
              (flag) =>
                /^(--insecure|-[a-zA-Z]*k[a-zA-Z]*)$/.test(flag) &&
                !/^-[a-zA-Z]*[oHXdu]./.test(flag),
            )) ||
          (call.name === "wget" && flags.includes("--no-check-certificate"));
        const isLocal = flags.some((flag) => /localhost|127\.0\.0\.1|\[::1\]/.test(flag));
        // A health check asks its own machine.
        if (isOff && !isLocal && !/health/i.test(file.path)) yield { node: call.node, title };
      }
    }
    for (const node of file.of(
      "pair",
      "assignment",
      "assignment_expression",
      "keyed_element",
      "variable_assignment",
    )) {
      const text = node.text.slice(0, 200);
      const isOff =
        /^["']?rejectUnauthorized["']?\s*:\s*false$/.test(text) ||
        /NODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,2}\s*=\s*["']?0["']?$/.test(text) ||
        /^InsecureSkipVerify\s*:\s*true$/.test(text) ||
        /^[\w.]+\.verify_mode\s*=\s*(ssl\.)?CERT_NONE$/.test(text);
      // Somebody has said why: told, but as a remark.
      const severity = file.hasRemark(node) ? "P3" : "P1";
      if (isOff && !isAskedFor(file, node)) yield { node, title, severity };
    }
  },
};

/** Somebody switched it off by an option whose name says so. */
const isAskedFor = (file: SourceFile, node: Node): boolean => {
  // A health check asks its own machine; others check in another way.
  if (/health/i.test(file.path)) return true;
  if (
    /VerifyPeerCertificate|VerifyConnection|checkServerIdentity/.test(
      node.parent?.parent?.text ?? "",
    )
  )
    return true;
  for (let at = node.parent; at && at !== file.root; at = at.parent) {
    const isBranch =
      /^(if_statement|switch_case|expression_case|elif_clause|else_clause|ternary_expression|conditional_expression|case_clause)$/.test(
        at.kind,
      );
    const isNamed =
      /^(var_spec|short_var_declaration|variable_declarator|function_declaration|function_definition)$/.test(
        at.kind,
      );
    if (
      (isBranch || isNamed) &&
      /insecure|unsafe|ignore|no.?verify|skip|unverified|strict|verify|selfSigned/i.test(
        at.text.slice(0, node.from - at.from).split("\n")[0] ?? "",
      )
    )
      return true;
  }
  return false;
};
