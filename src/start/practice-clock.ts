import { z } from 'zod';

/** What the practice workspace says of its clock: by how many ms it is ahead of the computer's. */
const clockOffset = z.object({ clockOffset: z.number() });

/** The practice workspace's time, in a thread that it tells of each move. */
export function practiceClock() {
  let offset = 0;
  const listeners: ((offsetMs: number) => void)[] = [];
  return {
    now: () => new Date(Date.now() + offset),
    onClock(moved: (offsetMs: number) => void): void {
      listeners.push(moved);
      moved(offset);
    },
    told(said: unknown): void {
      const moved = clockOffset.safeParse(said);
      if (!moved.success) return;
      offset = moved.data.clockOffset;
      for (const listener of listeners) listener(offset);
    },
  };
}
