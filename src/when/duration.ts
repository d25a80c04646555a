import type { Duration } from 'luxon';

/** Whether the duration counts hours or shorter units, which are elapsed time. Days and longer move the date. */
export function hasHours({ hours, minutes, seconds }: Duration): boolean {
  return hours !== 0 || minutes !== 0 || seconds !== 0;
}
