import type { Kysely } from 'kysely';
import { assertWay } from '../delivery/lifecycle.ts';
import type { BotSchema } from '../store/schema.ts';
import { LIFECYCLE, type State, type Why } from './lifecycle.ts';
import type { DigestPace } from './pace.ts';
import {
  moveOccurrences,
  type OccurrenceChange,
  type OccurrenceMove,
  type OccurrenceRow,
} from './sql/occurrences.ts';

export type With = Omit<OccurrenceChange, 'why' | 'tell_at' | 'lease_until'> & {
  why?: Why;
  /** When its message was posted: then the digest's last one. */
  postedAt?: Date;
  /** What its composer wants to know again the next time. */
  memory?: string | undefined;
  /** It stays in the caller's hands; in `claimed` and `sending` it always does. */
  keep?: boolean;
};

/**
 * To the next state. Undefined where the row is no longer in the caller's hands: whatever the caller knows, somebody
 * else has gone on from an earlier fact.
 */
export type Mover = (row: OccurrenceRow, to: State, change?: With) => Promise<OccurrenceRow | undefined>;

interface Waiting {
  move: OccurrenceMove;
  done(moved: boolean): void;
  failed(error: unknown): void;
}

/** In one statement at most. */
const TOGETHER = 500;

/** Moves of the same moment go in one statement: a rush has thousands of them. */
export function createMover(options: {
  db: Kysely<BotSchema>;
  pace: DigestPace;
  clock: () => Date;
  /** Something goes on at this moment. */
  wake: (at: Date) => void;
}): Mover {
  const { db, pace, clock, wake } = options;
  let waiting: Waiting[] = [];
  let flushing = false;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const now = waiting.slice(0, TOGETHER);
      waiting = waiting.slice(TOGETHER);
      try {
        const moved = await moveOccurrences(
          db,
          now.map(({ move }) => move),
          clock(),
        );
        for (const { move, done } of now) done(moved.has(move.row.id));
      } catch (error) {
        for (const { failed } of now) failed(error);
      }
    }
    flushing = false;
  }
  return async (row, to, { why, postedAt, memory, keep, ...change } = {}) => {
    assertWay(LIFECYCLE, row.state, to);
    const at = clock();
    const { waitsFor, notifies, sends } = LIFECYCLE[to];
    const isHeld = keep || to === 'claimed' || sends === true;
    const changed: OccurrenceChange = {
      ...(waitsFor === 'us' ? {} : { next_at: null }),
      ...change,
      why: why ?? null,
      lease_until: isHeld ? new Date(at.getTime() + pace.leaseMs) : null,
      tell_at: notifies ? at : null,
    };
    const isMoved = await new Promise<boolean>((done, failed) => {
      waiting.push({ move: { row, to, change: changed, postedAt, memory }, done, failed });
      if (flushing) return;
      flushing = true;
      setImmediate(() => void flush().catch(failed));
    });
    if (!isMoved) return undefined;
    const moved = { ...row, ...changed, state: to };
    if (moved.next_at && !isHeld) wake(moved.next_at);
    if (moved.tell_at) wake(moved.tell_at);
    return moved;
  };
}
