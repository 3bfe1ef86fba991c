import { clean, fault } from "../define.ts";

export const performance = [
  fault(
    "performance/query-per-row",
    {
      severity: "P1",
      path: "src/reports/overdue.ts",
      domains: ["web-api", "fullstack-web", "data-pipeline"],
      about: "one query per invoice where one join would do",
    },
    `
import { db } from "../db";

export const overdueReport = async (today: string) => {
  const invoices = await db.query("SELECT id, customer_id, total FROM invoices WHERE due < $1", [today]);
  const lines = [];
  for (const invoice of invoices) {
    const [customer] = await db.query("SELECT name, email FROM customers WHERE id = $1", [invoice.customer_id]); ◀
    lines.push({ ...invoice, ...customer });
  }
  return lines;
};
`,
  ),
  fault(
    "performance/quadratic-removal",
    {
      severity: "P2",
      path: "graph/reachable.py",
      about: "a list is searched for every edge: quadratic on large graphs",
    },
    `
def reachable(start: str, edges: dict[str, list[str]]) -> list[str]:
    """Every node that can be reached; graphs here have some 200,000 nodes."""
    found = [start]
    queue = [start]
    while queue:
        node = queue.pop()
        for target in edges.get(node, []):
            if target not in found: ◀
                found.append(target)
                queue.append(target)
    return found
`,
  ),
  clean(
    "performance/small-constant-list",
    "src/roles/is-admin.ts",
    `
const adminRoles = ["owner", "admin"];

export const isAdmin = (roles: readonly string[]): boolean =>
  roles.some((role) => adminRoles.includes(role));
`,
  ),
];
