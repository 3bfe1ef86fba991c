/** What a piece of work costs this process: others may be at work on the machine. */
export const cpuMs = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
