import type { Node } from "../node.ts";
import type { StaticRule } from "../rule.ts";
import { type Built, builtHere, isConstant } from "../texts.ts";

export const sqlConcatenation: StaticRule = {
  name: "sql-concatenation",
  severity: "P1",
  kind: "security",
  languages: ["python", "script", "go"],
  needs: /\b(select|insert|update|delete)\b/i,
  skipsTests: true,
  why: "A value that is written into the statement's text can end the literal it stands in and go on as SQL; a quote in honest data breaks the statement.",
  fix: "Write a placeholder (`?`, `$1`, `%s`) in its place and pass the value as a parameter.",
  *check(file) {
    for (const call of file.calls) {
      if (!takesSql.test(call.name)) continue;
      const scope = file.functionOf(call.node);
      for (const arg of call.args.slice(0, 2)) {
        const built = builtHere(arg, scope);
        if (!built || !statement.test(built.fixed[0] ?? "")) continue;
        const value = valueIn(built);
        if (!value) continue;
        const name = value.text.slice(0, 40);
        yield {
          node: call.node,
          title: `the value \`${name}\` is written into the text of an SQL statement`,
        };
        break;
      }
    }
  },
};

const takesSql =
  /^(execute|executemany|executescript|query|raw|\$queryRawUnsafe|\$executeRawUnsafe|unsafe|exec|run|all|get|prepare|text|read_sql|read_sql_query|Query|QueryRow|QueryContext|QueryRowContext|Exec|ExecContext|Raw|Prepare|Select|Get)$/;
const statement =
  /^\s*(select\s|insert\s+(or\s+\w+\s+)?into\s|update\s+["`\w.]+\s|delete\s+from\s|replace\s+into\s|with\s+\w+)/i;

/** The first hole that stands where SQL has a value; names of tables and columns cannot be parameters. */
const valueIn = ({ fixed, holes }: Built): Node | undefined =>
  holes.find(
    (hole, index) =>
      !isConstant(hole) &&
      !/placeholder|slots|size|count|number|days|hours|values|vals$|columns|fields|clause|condition|where|qmarks?|question|params|\bjoin\(|\.join|quote|escape|^len\(|^int\(|\.length$|_?(id|Id|ID)s?_?sql|sql/i.test(
        hole.text,
      ) &&
      /(=|<|>|\blike|\bvalues\s*\(([^()]*,)?|\bin\s*\()\s*['"%]*$/i.test(fixed[index] ?? ""),
  );
