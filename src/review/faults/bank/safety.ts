import { clean, fault } from "../define.ts";

export const safety = [
  fault(
    "safety/order-of-another-tenant",
    {
      severity: "P0",
      path: "src/orders/routes.ts",
      domains: ["web-api", "fullstack-web"],
      about: "an order is loaded by its id alone, so every customer reads every order",
    },
    `
import { Router } from "express";
import { requireLogin } from "../session";
import { db } from "../db";

export const orders = Router();

orders.get("/orders", requireLogin, async (request, response) => {
  const rows = await db.query("SELECT * FROM orders WHERE customer_id = $1", [request.user.id]);
  response.json(rows);
});

orders.get("/orders/:id", requireLogin, async (request, response) => {
  const [order] = await db.query("SELECT * FROM orders WHERE id = $1", [request.params.id]); ◀
  if (!order) return response.status(404).end();
  response.json(order);
});
`,
  ),
  fault(
    "safety/archive-leaves-its-folder",
    {
      severity: "P1",
      path: "importer/unpack.py",
      about: "names in the archive may hold ../ and are joined unchecked",
    },
    `
import os
import zipfile


def unpack(archive: str, folder: str) -> list[str]:
    """Writes every file of an uploaded archive into the folder."""
    written = []
    with zipfile.ZipFile(archive) as source:
        for name in source.namelist():
            if name.endswith("/"):
                continue
            target = os.path.join(folder, name) ◀
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with source.open(name) as inner, open(target, "wb") as outer:
                outer.write(inner.read(50_000_000))
            written.append(target)
    return written
`,
  ),
  fault(
    "safety/shell-with-a-file-name",
    {
      severity: "P0",
      path: "media/thumbnail.go",
      about: "an uploaded file's name becomes part of a shell command",
    },
    `
package media

import (
	"fmt"
	"os/exec"
)

// Thumbnail makes a small picture of an upload. The name is the one the browser sent.
func Thumbnail(uploadName string, width int) error {
	command := fmt.Sprintf("convert 'uploads/%s' -resize %d 'thumbs/%s'", uploadName, width, uploadName)
	return exec.Command("sh", "-c", command).Run() ◀
}
`,
  ),
  clean(
    "safety/checked-redirect",
    "src/login/redirect.ts",
    `
const allowed = new Set(["/", "/orders", "/account"]);

/** Where to go after the login: only pages of ours, by their exact path. */
export const nextPage = (wanted: string | undefined): string =>
  wanted !== undefined && allowed.has(wanted) ? wanted : "/";
`,
  ),
];
