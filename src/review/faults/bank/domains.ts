import { fault } from "../define.ts";

/** Faults that belong to one kind of project. */
export const domains = [
  fault(
    "domain/retried-payment",
    {
      severity: "P0",
      path: "src/payments/charge.ts",
      reviewers: ["correctness", "safety"],
      domains: ["web-api", "fullstack-web"],
      about: "a time-out is retried without an idempotency key: the card is charged twice",
    },
    `
import { post } from "./gateway";

export const charge = async (card: string, cents: number): Promise<string> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { id } = await post("/charges", { card, cents }, { timeoutMs: 5000 }); ◀
      return id;
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
};
`,
  ),
  fault(
    "domain/leaks-the-test-set",
    {
      severity: "P0",
      path: "train/prepare.py",
      reviewers: ["correctness"],
      domains: ["ml-pipeline", "scientific"],
      about:
        "the scaler is fitted on all rows before the split, so the test set leaks into training",
    },
    `
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def prepare(frame, label: str):
    features = frame.drop(columns=[label])
    scaled = StandardScaler().fit_transform(features) ◀
    return train_test_split(scaled, frame[label], test_size=0.2, random_state=7)
`,
  ),
  fault(
    "domain/interrupt-allocates",
    {
      severity: "P0",
      path: "firmware/uart.c",
      reviewers: ["correctness", "concurrency"],
      domains: ["embedded-systems", "os-kernel"],
      about: "the interrupt handler allocates and may block",
    },
    `
#include <stdlib.h>
#include <string.h>
#include "queue.h"
#include "uart.h"

static struct queue lines;

void UART0_IRQHandler(void) {
  char buffer[64];
  size_t length = uart_read(UART0, buffer, sizeof buffer);
  char *copy = malloc(length); ◀
  memcpy(copy, buffer, length);
  queue_push(&lines, copy, length);
}
`,
  ),
  fault(
    "domain/bucket-open-to-all",
    {
      severity: "P0",
      path: "infra/storage.tf",
      reviewers: ["safety"],
      domains: ["infra-as-code"],
      about: "backups are readable by everybody",
    },
    `
resource "aws_s3_bucket" "backups" {
  bucket = "company-database-backups"
}

resource "aws_s3_bucket_acl" "backups" {
  bucket = aws_s3_bucket.backups.id
  acl    = "public-read" ◀
}
`,
  ),
  fault(
    "domain/appends-twice-on-rerun",
    {
      severity: "P1",
      path: "pipeline/load_day.py",
      reviewers: ["correctness", "data-migration"],
      domains: ["data-pipeline"],
      about: "running a day again doubles its rows",
    },
    `
def load_day(day: str, source, warehouse) -> int:
    """Called by the scheduler, again after every failure."""
    rows = source.read(day)
    warehouse.execute(
        "INSERT INTO facts SELECT * FROM staging WHERE day = %s", (day,) ◀
    )
    return len(rows)
`,
  ),
  fault(
    "domain/reentrant-withdraw",
    {
      severity: "P0",
      path: "contracts/Vault.sol",
      reviewers: ["safety", "concurrency"],
      domains: ["smart-contract"],
      about: "the balance is cleared after the call, so the receiver withdraws again",
    },
    `
// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

contract Vault {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}(""); ◀
        require(sent, "not sent");
        balances[msg.sender] = 0;
    }
}
`,
  ),
  fault(
    "domain/tool-runs-what-it-is-told",
    {
      severity: "P0",
      path: "src/tools/search.ts",
      reviewers: ["safety"],
      domains: ["mcp-server", "agent-plugin", "bot"],
      about: "a model's text becomes part of a shell command",
    },
    `
import { exec } from "node:child_process";
import { promisify } from "node:util";
import type { McpServer } from "./server";

const run = promisify(exec);

export const addSearch = (server: McpServer): void => {
  server.tool("search", { text: "string" }, async ({ text }) => {
    const { stdout } = await run(\`grep -rn "\${text}" .\`); ◀
    return { content: [{ type: "text", text: stdout }] };
  });
};
`,
  ),
  fault(
    "domain/nonce-used-again",
    {
      severity: "P0",
      path: "crypto/seal.py",
      reviewers: ["safety"],
      domains: ["cryptography"],
      about: "the same nonce for every message breaks AES-GCM",
    },
    `
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NONCE = b"headgate-01\\x00" ◀


def seal(key: bytes, message: bytes) -> bytes:
    return AESGCM(key).encrypt(NONCE, message, None)
`,
  ),
  fault(
    "domain/state-changed-in-render",
    {
      severity: "P1",
      path: "src/components/Cart.tsx",
      reviewers: ["correctness", "performance"],
      domains: ["frontend-spa", "fullstack-web", "mobile-app"],
      about: "state is set during rendering: an endless loop",
    },
    `
import { useState } from "react";

export const Cart = ({ items }: { items: { cents: number }[] }) => {
  const [total, setTotal] = useState({ cents: 0 });
  setTotal({ cents: items.reduce((sum, item) => sum + item.cents, 0) }); ◀
  return <output>{(total.cents / 100).toFixed(2)}</output>;
};
`,
  ),
  fault(
    "domain/reconcile-without-end",
    {
      severity: "P1",
      path: "controllers/app_controller.go",
      reviewers: ["correctness", "performance"],
      domains: ["kubernetes-operator"],
      about: "the status changes at every pass, which starts the next pass",
    },
    `
package controllers

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

func (r *AppReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app, err := r.load(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	app.Status.LastSeen = time.Now().String() ◀
	return ctrl.Result{}, r.Status().Update(ctx, app)
}
`,
  ),
];
