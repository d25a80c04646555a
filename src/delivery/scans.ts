interface Scans {
  /** Scans at this moment at the latest. */
  at(moment: Date): void;
  /** Begins to scan. */
  start(): void;
  /** Begins no further scan. Resolves when the current scan has ended. */
  stop(): Promise<void>;
}

/**
 * Runs one scan at a time and sleeps in between. `scan` resolves with the moment of the next scan and never rejects. `at`
 * brings the next scan forward. If that moment comes during a scan, another scan follows.
 */
export function createScans(clock: () => Date, scan: () => Promise<Date>): Scans {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let scanning: Promise<void> | undefined;
  let isOn = false;
  let again = false;

  const sleepUntil = (at: number) => {
    if (!isOn || at >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(wakeUp, Math.max(0, at - clock().getTime()));
  };
  function wakeUp(): void {
    wakesAt = Number.POSITIVE_INFINITY;
    again = true;
    if (!isOn || scanning) return;
    again = false;
    scanning = scan()
      .then((next) => sleepUntil(next.getTime()))
      .finally(() => {
        scanning = undefined;
        if (again && isOn) wakeUp();
      });
  }
  return {
    at: (moment) => sleepUntil(moment.getTime()),
    start() {
      isOn = true;
      sleepUntil(clock().getTime());
    },
    async stop() {
      isOn = false;
      clearTimeout(timer);
      wakesAt = Number.POSITIVE_INFINITY;
      await scanning;
    },
  };
}
