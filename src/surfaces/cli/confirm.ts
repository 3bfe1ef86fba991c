/** A yes or no from the person at the terminal. Anything but a clear yes is a no. */
export const confirmAtTerminal = async (
  question: string,
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  signal: AbortSignal,
): Promise<boolean | undefined> => {
  if (!input.isTTY || !output.isTTY) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input, output });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `, { signal })).trim());
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    reader.close();
  }
};
