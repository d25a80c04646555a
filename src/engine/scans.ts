/**
 * Runs one scan at a time and sleeps between scans. `scan` resolves with the time of the next scan and never rejects.
 * `scheduleAt` can make the next scan earlier. If the scheduled time comes during a scan, another scan follows.
 */
export function createScans(clock: () => Date, scan: () => Promise<Date>) {
  let timer: NodeJS.Timeout | undefined;
  let nextWakeUpAt = Number.POSITIVE_INFINITY;
  let currentScan: Promise<void> | undefined;
  let isStarted = false;
  let isScanDue = false;

  const sleepUntil = (time: number) => {
    if (!isStarted || time >= nextWakeUpAt) return;
    clearTimeout(timer);
    nextWakeUpAt = time;
    timer = setTimeout(wakeUp, Math.max(0, time - clock().getTime()));
  };
  function wakeUp(): void {
    nextWakeUpAt = Number.POSITIVE_INFINITY;
    isScanDue = true;
    if (!isStarted || currentScan) return;
    isScanDue = false;
    currentScan = scan()
      .then((next) => sleepUntil(next.getTime()))
      .finally(() => {
        currentScan = undefined;
        if (isScanDue && isStarted) wakeUp();
      });
  }
  return {
    /** Schedules a scan at `time`, unless an earlier one is scheduled. */
    scheduleAt: (time: Date) => sleepUntil(time.getTime()),
    start() {
      isStarted = true;
      sleepUntil(clock().getTime());
    },
    /** Resolves when the current scan has ended. */
    async stop() {
      isStarted = false;
      clearTimeout(timer);
      nextWakeUpAt = Number.POSITIVE_INFINITY;
      await currentScan;
    },
  };
}
