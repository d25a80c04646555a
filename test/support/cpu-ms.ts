/** What a piece of work costs this thread, ms of its own: the same on a machine that is busy with other things. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
