import type { Reader, Store, Writer } from "../../src/store/index.ts";

/** Counts the transactions, statements and rows that pass, whatever the code does with them. */
export const countStatements = (
  store: Store,
): {
  readonly seen: { transactions: number; statements: number; rows: number };
  readonly proxy: Store;
} => {
  const seen = { transactions: 0, statements: 0, rows: 0 };
  const watch = <T extends Reader>(tx: T): T =>
    new Proxy(tx, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        if (!["all", "get", "run"].includes(String(name))) return call;
        return async (...args: unknown[]) => {
          seen.statements += 1;
          const answer = await call(...args);
          if (Array.isArray(answer)) seen.rows += answer.length;
          return answer;
        };
      },
    });
  const proxy = new Proxy(store, {
    get: (target, name) => {
      if (name === "write") {
        return (options: Parameters<Store["write"]>[0], work: (tx: Writer) => Promise<never>) => {
          seen.transactions += 1;
          return target.write(options, (tx) => work(watch(tx)));
        };
      }
      if (name === "read") {
        return (work: (tx: Reader) => Promise<unknown>) => {
          seen.transactions += 1;
          return target.read((tx) => work(watch(tx)));
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { seen, proxy };
};
