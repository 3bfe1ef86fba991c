/** Server-sent events, as the model services send them: only `data` counts. */
export const createEventReader = (onData: (data: string) => void) => {
  const decoder = new TextDecoder("utf-8");
  let rest = "";
  let data: string[] = [];
  const line = (text: string): void => {
    if (text === "") {
      if (data.length > 0) onData(data.join("\n"));
      data = [];
    } else if (text.startsWith("data:")) {
      data.push(text.slice(text.startsWith("data: ") ? 6 : 5));
    }
  };
  const take = (text: string): void => {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const one of lines) line(one);
  };
  return {
    take: (chunk: Uint8Array): void => take(decoder.decode(chunk, { stream: true })),
  };
};
