/** Measures the CPU time of `work` on this thread, ms. Unlike elapsed time, it hardly depends on other programs. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
