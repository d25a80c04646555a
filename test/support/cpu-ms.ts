/** Measures the CPU time of `work` on this thread (ms). Other programs hardly affect it, unlike elapsed time. */
export function measureCpuMs(work: () => unknown): number {
  const usageBefore = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(usageBefore);
  return (user + system) / 1000;
}
