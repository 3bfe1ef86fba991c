import { clean, fault } from "../define.ts";

export const correctness = [
  fault(
    "correctness/last-page-lost",
    {
      severity: "P1",
      path: "src/export/pages.ts",
      about: "the last, partly filled page is never written",
    },
    `
import { writePage } from "./write-page";

const pageSize = 500;

export const exportRows = async (rows: AsyncIterable<string[]>): Promise<number> => {
  let page: string[][] = [];
  let pages = 0;
  for await (const row of rows) {
    page.push(row);
    if (page.length === pageSize) {
      await writePage(pages, page);
      pages += 1;
      page = [];
    }
  }
  return pages; ◀
};
`,
  ),
  fault(
    "correctness/error-becomes-empty",
    {
      severity: "P1",
      path: "billing/invoices.py",
      about:
        "a failed request looks like a customer without invoices, and the caller deletes the rest",
    },
    `
import logging

import requests

log = logging.getLogger(__name__)


def invoices_of(customer: str) -> list[dict]:
    try:
        answer = requests.get(f"https://billing.internal/customers/{customer}/invoices", timeout=10)
        answer.raise_for_status()
        return answer.json()
    except requests.RequestException as error:
        log.warning("billing did not answer: %s", error)
        return [] ◀


def remove_vanished(customer: str, store) -> None:
    """What billing no longer knows is deleted here, too."""
    known = {invoice["id"] for invoice in invoices_of(customer)}
    for invoice in store.invoices(customer):
        if invoice.id not in known:
            store.delete(invoice.id)
`,
  ),
  fault(
    "correctness/loop-variable-address",
    {
      severity: "P1",
      path: "config/merge.go",
      about: "the shared default map is changed by the first caller",
    },
    `
package config

var defaults = map[string]string{"retries": "3", "timeout": "10s"}

// Merge returns the defaults with the user's values over them.
func Merge(user map[string]string) map[string]string {
	merged := defaults ◀
	for key, value := range user {
		merged[key] = value
	}
	return merged
}
`,
  ),
  clean(
    "correctness/half-open-range",
    "src/text/slice-lines.ts",
    `
/** Lines from \`first\` to \`last\`, both counted from 1 and both included. */
export const sliceLines = (text: string, first: number, last: number): string =>
  text.split("\\n").slice(first - 1, last).join("\\n");
`,
  ),
];
