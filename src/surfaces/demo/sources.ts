/** The little shop that the demo's agents work on. */

export const sharedFiles: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nA small shop, made by `headgate demo`.\n",
  "shop/cart.py": `class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, cents):
        self.lines.append((name, cents))

    def total(self):
        return sum(cents for _, cents in self.lines)
`,
  "shop/prices.py": `def net(cents):
    return cents


def gross(cents, rate):
    return round(cents * (1 + rate))
`,
  "shop/stock.py": `def available(shelf, name):
    return shelf.get(name, 0) > 0


def take(shelf, name):
    shelf[name] = shelf.get(name, 0) - 1
`,
  "src/orders.ts": `export interface Order {
  id: string;
  cents: number;
}

export const isLarge = (order: Order): boolean => order.cents > 100_00;
`,
};

/** The file that only one agent works on. */
export const ownFile = (agent: number): { readonly path: string; readonly text: string } =>
  agent % 2 === 0
    ? { path: `shop/part_${agent}.py`, text: `"""Part ${agent} of the shop."""\n\n\n# end\n` }
    : { path: `src/part-${agent}.ts`, text: `/** Part ${agent} of the shop. */\n\n// end\n` };

/** A new function at the end of an agent's own file. */
export const ownEdit = (
  agent: number,
  count: number,
): {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly symbol: string;
} => {
  const { path } = ownFile(agent);
  if (agent % 2 === 0) {
    const symbol = `step_${count}`;
    return {
      ...{ path, symbol, old: "# end\n" },
      new: `def ${symbol}(value):\n    return value + ${count}\n\n\n# end\n`,
    };
  }
  const symbol = `step${count}`;
  return {
    ...{ path, symbol, old: "// end\n" },
    new: `export const ${symbol} = (value: number): number => value + ${count};\n\n// end\n`,
  };
};
