import { expect, it, onTestFinished, vi } from "vitest";

/** Of src/surfaces/dashboard/live.ts, whose types are those of a browser. */
interface LivePage {
  readonly connection: string;
  start(): void;
  stop(): void;
  beginAt(head: number): void;
  subscribe(listener: () => void): () => void;
}
const place = new URL("../../../src/surfaces/dashboard/live.ts", import.meta.url).href;

it("a page that waits for its first picture is not taken for one whose server is gone", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return new Promise(() => {});
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const { Live } = (await import(place)) as { readonly Live: new () => LivePage };
  const live = new Live();
  onTestFinished(() => live.stop());
  const seen: string[] = [];
  live.subscribe(() => seen.push(live.connection));
  live.start();
  // It looks for the picture again and again; the picture comes between two looks.
  await new Promise((done) => setTimeout(done, 1));
  live.beginAt(7);
  await expect.poll(() => asked).toEqual(["/api/events/stream?since=7"]);
  expect(seen).not.toContain("offline");
});
