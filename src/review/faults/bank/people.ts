import { clean, fault } from "../define.ts";

/** Faults that people meet: accessibility, the product, the game. */
export const people = [
  fault(
    "accessibility/click-on-a-div",
    {
      severity: "P1",
      path: "src/components/MenuItem.tsx",
      domains: ["frontend-spa", "fullstack-web"],
      about: "it can neither be reached nor pressed by keyboard and has no role",
    },
    `
import type { ReactNode } from "react";

export const MenuItem = ({ children, onChoose }: { children: ReactNode; onChoose: () => void }) => (
  <div className="menu-item" onClick={onChoose}> ◀
    {children}
  </div>
);
`,
  ),
  fault(
    "accessibility/error-by-colour",
    {
      severity: "P2",
      path: "src/components/Field.tsx",
      domains: ["frontend-spa", "fullstack-web"],
      about: "the only sign of an error is a red border; it is not announced",
    },
    `
export const Field = ({ label, value, isWrong, onChange }: FieldProps) => (
  <label>
    {label}
    <input
      value={value}
      style={{ borderColor: isWrong ? "red" : "grey" }} ◀
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
);

interface FieldProps {
  label: string;
  value: string;
  isWrong: boolean;
  onChange(value: string): void;
}
`,
  ),
  fault(
    "user-product/deletes-without-asking",
    {
      severity: "P1",
      path: "src/cli/clean.ts",
      domains: ["cli-tool"],
      about: "without an argument it deletes everything, without asking and without a way back",
    },
    `
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";

const { positionals } = parseArgs({ allowPositionals: true });

export const clean = async (): Promise<void> => {
  const folder = positionals[0] ?? "."; ◀
  await rm(folder, { recursive: true, force: true });
  console.log("done");
};
`,
  ),
  fault(
    "user-product/error-without-a-way-out",
    {
      severity: "P2",
      path: "src/cli/login.py",
      domains: ["cli-tool"],
      about: "the user learns neither what failed nor what to do",
    },
    `
import sys


def login(token: str, service) -> None:
    try:
        service.check(token)
    except Exception:
        print("Error: something went wrong") ◀
        sys.exit(1)
    print("You are logged in.")
`,
  ),
  fault(
    "game-design/damage-by-frame",
    {
      severity: "P1",
      path: "game/poison.gd",
      domains: ["game-simulation"],
      about: "damage is given per frame, so a faster computer kills faster",
    },
    `
extends Node

@export var damage_per_second := 2.0
var target: Node

func _process(_delta: float) -> void:
	if target == null:
		return
	target.health -= damage_per_second ◀
	if target.health <= 0.0:
		target.die()
`,
  ),
  fault(
    "game-design/reward-loop-without-cost",
    {
      severity: "P2",
      path: "game/economy.py",
      domains: ["game-simulation"],
      about: "buying and selling the same potion gains gold without end",
    },
    `
BUY_PRICE = {"potion": 40, "sword": 300}
SELL_PRICE = {"potion": 45, "sword": 150} ◀


def sell(player, item: str) -> None:
    player.items.remove(item)
    player.gold += SELL_PRICE[item]


def buy(player, item: str) -> None:
    player.gold -= BUY_PRICE[item]
    player.items.append(item)
`,
  ),
  clean(
    "accessibility/labelled-button",
    "src/components/Close.tsx",
    `
export const Close = ({ onClose }: { onClose: () => void }) => (
  <button type="button" aria-label="Close" onClick={onClose}>
    ×
  </button>
);
`,
  ),
  clean(
    "user-product/dry-run-first",
    "src/cli/prune.ts",
    `
export const prune = async (files: readonly string[], options: { readonly yes: boolean }) => {
  for (const file of files) console.log(\`would remove \${file}\`);
  if (!options.yes) return console.log("Nothing was removed; add --yes to do it.");
  return removeAll(files);
};
`,
  ),
  clean(
    "game-design/capped-speed",
    "game/speed.gd",
    `
extends Node

const MAX_SPEED := 12.0

func accelerate(speed: float, delta: float) -> float:
	return min(speed + 4.0 * delta, MAX_SPEED)
`,
  ),
];
