import type { Logger } from 'pino';
import { MINUTE_MS } from '../durations.ts';

/** The clocks with which this machine's is compared. That of the database decides when posts go out. */
export const CLOCKS = ['database', 'slack'] as const;
type OtherClock = (typeof CLOCKS)[number];

/** A post that goes out this much too early or late is noticed. Clocks with NTP differ by milliseconds. */
const MAX_DIFFERENCE_MS = 30_000;
const MIN_LOG_INTERVAL_MS = 10 * MINUTE_MS;

export type ClockWatch = ReturnType<typeof createClockWatch>;

/**
 * Compares this machine's clock with others, and logs a difference. If two of the three agree, the third one is wrong.
 * `now`: ms on the monotonic clock.
 */
export function createClockWatch(log: Pick<Logger, 'warn'>, now: () => number) {
  const aheadMs = new Map<OtherClock, number>();
  const loggedAt = new Map<OtherClock, number>();
  return {
    /** `ms`: how far this machine's clock is ahead. */
    observe(other: OtherClock, ms: number): void {
      aheadMs.set(other, ms);
      if (Math.abs(ms) < MAX_DIFFERENCE_MS) {
        loggedAt.delete(other);
        return;
      }
      if (now() - (loggedAt.get(other) ?? Number.NEGATIVE_INFINITY) < MIN_LOG_INTERVAL_MS) return;
      loggedAt.set(other, now());
      const seconds = Object.fromEntries([...aheadMs].map(([name, each]) => [name, Math.round(each / 1000)]));
      log.warn({ secondsAheadOf: seconds }, 'clocks differ');
    },
    /** Undefined before the first comparison. */
    getAheadMs: (other: OtherClock): number | undefined => aheadMs.get(other),
  };
}
