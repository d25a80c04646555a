interface Scans {
  /** There may be something at this moment of the clock, perhaps now. */
  at(moment: Date): void;
  /** Begins; until then nothing is looked for. */
  start(): void;
  /** Begins no other; resolves when the scan that is under way has ended. */
  stop(): Promise<void>;
}

/**
 * Looks for what is due, one scan at a time, and sleeps until there may be more: `scan` answers with the moment of the
 * next one, and never rejects. What is said to come sooner brings it forward; what comes during a scan makes another.
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
