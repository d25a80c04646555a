/** Measures the CPU time of `work` on this thread (ms). Other programs hardly affect it, unlike elapsed time. */
export function measureCpuMs(work: () => unknown): number {
  const usageBefore = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(usageBefore);
  return (user + system) / 1000;
}

const RUN_COUNT = 10;

/** Measures the mean of several runs, because the CPU clock of some systems advances in steps of 4 ms. */
export function measureMeanCpuMs(work: () => unknown): number {
  const repeatWork = () => {
    for (let run = 0; run < RUN_COUNT; run += 1) work();
  };
  return measureCpuMs(repeatWork) / RUN_COUNT;
}
