import type { StaticRule } from "../rule.ts";
import { requestDataIn } from "../request-data.ts";

export const pathFromRequest: StaticRule = {
  name: "path-from-request",
  severity: "P1",
  kind: "security",
  languages: ["python", "script", "go"],
  needs: /\b(req|request|ctx|c|r)\./,
  skipsTests: true,
  why: "`../` or an absolute path in the request leads out of the folder that was meant: any file the server can read or write is reachable.",
  fix: "Resolve the path and check that it still begins with the folder (`realpath`, then compare), or look the name up in a list.",
  *check(file) {
    for (const call of file.calls) {
      if (!reaches.test(call.callee)) continue;
      const source = call.args
        .slice(0, 3)
        .map((arg) => requestDataIn(arg, file))
        .find((one) => one !== undefined);
      if (source === undefined) continue;
      const scope = file.functionOf(call.node).text;
      if (
        /startsWith|startswith|HasPrefix|relative_to|is_relative_to|commonpath|basename|secure_filename|safe_join|realpath|isSafe|filepath\.Base|filepath\.Rel|path\.relative|root:|IsLocal|includes\(["']\.\./.test(
          scope,
        )
      )
        continue;
      yield {
        node: call.node,
        title: `a file path is made from \`${source}\` and nothing keeps it inside its folder`,
      };
    }
  },
};

const reaches =
  /^(open|io\.open|send_file|flask\.send_file|FileResponse|os\.(remove|unlink|Open|OpenFile|ReadFile|WriteFile|Create|Remove)|(fs|fsp|fs\.promises)\.(readFile|readFileSync|writeFile|writeFileSync|createReadStream|createWriteStream|unlink|unlinkSync)|res\.(sendFile|download)|ioutil\.(ReadFile|WriteFile)|http\.ServeFile|shutil\.\w+)$/;
