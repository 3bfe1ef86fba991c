/** A binary heap: the first by `isBefore` comes out first. */
export class Heap<Item> {
  readonly #items: Item[] = [];
  readonly #isBefore: (one: Item, two: Item) => boolean;

  constructor(isBefore: (one: Item, two: Item) => boolean) {
    this.#isBefore = isBefore;
  }

  push(item: Item): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#isBefore(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): Item | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      let below = items[child];
      if (below === undefined) break;
      const beside = items[child + 1];
      if (beside !== undefined && this.#isBefore(beside, below)) {
        child += 1;
        below = beside;
      }
      if (!this.#isBefore(below, last)) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
