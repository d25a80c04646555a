/** The CPU time that `work` takes on this thread, ms. Unlike elapsed time, it doesn't depend on how busy the machine is. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
