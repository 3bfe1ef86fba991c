/** Server-sent events, as the model services send them: lines end with LF or CRLF, and only `data` counts. */
export const createEventReader = (onData: (data: string) => void) => {
  const decoder = new TextDecoder("utf-8");
  // A huge line comes in many chunks: they are put together once.
  let rest: string[] = [];
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === "") {
      if (data.length > 0) onData(data.join("\n"));
      data = [];
    } else if (text.startsWith("data:")) {
      data.push(text.slice(text.startsWith("data: ") ? 6 : 5));
    }
  };
  return {
    take: (chunk: Uint8Array): void => {
      const lines = decoder.decode(chunk, { stream: true }).split("\n");
      const last = lines.pop() ?? "";
      for (const one of lines) {
        rest.push(one);
        line(rest.join("").replace(/\r$/, ""));
        rest = [];
      }
      rest.push(last);
    },
  };
};
