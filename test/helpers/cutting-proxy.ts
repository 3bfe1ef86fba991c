import { createServer, connect, type Socket } from "node:net";

export type Cut =
  /** Passes everything. */
  | "none"
  /** The client's COMMIT never reaches the server; both sides are cut. */
  | "before-commit"
  /** The server has committed; its answer never reaches the client. */
  | "after-commit"
  /** The client is cut when it sends COMMIT; the server gets it when `deliver` is called. */
  | "late-commit";

export interface CuttingProxy {
  readonly port: number;
  cut: Cut;
  /** Texts that tell where to cut: in what the client sends, and in what the server answers to it. */
  at: { readonly asked: string; readonly answered: string };
  /** Hands the held COMMIT to the server; resolves when the server has answered and is done. */
  deliver(): Promise<void>;
  /** Cuts every line there is; new ones are let through. */
  cutAll(): void;
  /** Every line there is stays open and carries nothing any more, as after a firewall forgot it; new ones work. */
  silenceAll(): void;
  /** New lines are accepted and never answered, as long as this is set. */
  isDeaf: boolean;
  close(): Promise<void>;
}

/** Stands between a client and PostgreSQL and cuts the line around COMMIT, when told to. */
export const startCuttingProxy = async (serverPort: number): Promise<CuttingProxy> => {
  const sockets = new Set<Socket>();
  const silencers = new Set<() => void>();
  let held: (() => Promise<void>) | undefined;
  const server = createServer((client) => {
    const upstream = connect(serverPort, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    let isCut = proxy.isDeaf;
    silencers.add(() => {
      isCut = true;
    });
    let isAsked = false;
    const cutBoth = () => {
      isCut = true;
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (chunk) => {
      if (isCut) return;
      const isCommit = chunk.includes(proxy.at.asked);
      isAsked ||= isCommit;
      if (isCommit && proxy.cut === "before-commit") return cutBoth();
      if (isCommit && proxy.cut === "late-commit") {
        isCut = true;
        client.destroy();
        held = () =>
          new Promise((resolve) => {
            upstream.on("close", () => resolve());
            upstream.write(chunk);
            upstream.end();
          });
        return;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (isCut) return;
      const isAnswer = isAsked && chunk.includes(proxy.at.answered);
      if (proxy.cut === "after-commit" && isAnswer) return cutBoth();
      client.write(chunk);
    });
    client.on("close", () => {
      if (!isCut) upstream.destroy();
    });
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const proxy: CuttingProxy = {
    port: typeof address === "object" && address ? address.port : 0,
    cut: "none",
    at: { asked: "COMMIT\0", answered: "COMMIT\0" },
    deliver: async () => {
      await held?.();
    },
    isDeaf: false,
    silenceAll: () => {
      for (const silence of silencers) silence();
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
};
