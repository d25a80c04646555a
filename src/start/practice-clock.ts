import { z } from 'zod';

/** The practice workspace's message: how far its clock is ahead of the system clock, ms. */
const clockOffset = z.object({ clockOffset: z.number() });

/** A copy of the practice workspace's clock, for the thread that receives its messages. */
export function createPracticeClock() {
  let offset = 0;
  const listeners: ((offsetMs: number) => void)[] = [];
  return {
    getOffsetMs: () => offset,
    onClock(listener: (offsetMs: number) => void): void {
      listeners.push(listener);
      listener(offset);
    },
    receive(message: unknown): void {
      const moved = clockOffset.safeParse(message);
      if (!moved.success) return;
      offset = moved.data.clockOffset;
      for (const listener of listeners) listener(offset);
    },
  };
}
