import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { formatRecordId } from '../record-id.ts';
import type { ServiceSchema } from '../schema.ts';
import { writeLog } from '../write-log.ts';

export interface Publisher {
  /** Publishes due posts. Costs nothing if none is due. */
  publishDue(): Promise<void>;
  /** Announces a post that was scheduled for `moment`. */
  expect(moment: Date): void;
  /** Stops publishing and clears the timer. */
  close(): Promise<void>;
}

/** Posts per transaction: after the computer slept for long, many may be due. */
const BATCH = 500;

/** The longest sleep, ms, after which a clock that was set forward is noticed. */
const MAX_SLEEP_MS = 600_000;

interface FailedPost {
  id: number;
  projectId: number;
}

/** Publishes and logs due posts, now and whenever the next one is due. */
export async function startPublisher(options: {
  db: Kysely<ServiceSchema>;
  now: () => Date;
  onFault: (error: unknown) => void;
  /** Whether due posts fail. Defaults to false. */
  isFailing?: () => boolean;
  /** Called after the new status of failed posts was stored. */
  onFailed?: (posts: readonly FailedPost[]) => Promise<void>;
}): Promise<Publisher> {
  const { db, now, onFault, isFailing = () => false, onFailed } = options;
  let next: Date | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let running = Promise.resolve();

  function publishDue(): Promise<void> {
    // Runs are serialized, so that a caller who waits sees complete logs.
    running = running.catch(() => undefined).then(sweep);
    return running;
  }

  async function sweep(): Promise<void> {
    while (!closed && next !== undefined && next <= now()) {
      const isBatchFailing = isFailing();
      const posts = await finishBatch(db, now(), isBatchFailing ? 'FAILED' : 'PUBLISHED');
      if (isBatchFailing) await onFailed?.(posts);
      // A post announced during the query must not be lost when the query's result arrives.
      next = undefined;
      const found = await findEarliestScheduled(db);
      next = pickEarlier(next, found);
      await nextTurn();
    }
    sleep();
  }

  function sleep(): void {
    clearTimeout(timer);
    if (closed || next === undefined) return;
    const ms = Math.min(Math.max(next.getTime() - now().getTime(), 0), MAX_SLEEP_MS);
    timer = setTimeout(() => void publishDue().catch(fault), ms);
  }

  function fault(error: unknown): void {
    onFault(error);
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void publishDue().catch(fault), MAX_SLEEP_MS);
  }

  next = await findEarliestScheduled(db);
  await publishDue();
  return {
    publishDue,
    expect: (moment) => {
      if (next !== undefined && next <= moment) return;
      next = moment;
      sleep();
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await running.catch(() => undefined);
    },
  };
}

function pickEarlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

async function findEarliestScheduled(db: Kysely<ServiceSchema>): Promise<Date | undefined> {
  const row = await db
    .selectFrom('posts')
    .select('schedule_at')
    .where('status', '=', 'SCHEDULED')
    .orderBy('schedule_at')
    .limit(1)
    .executeTakeFirst();
  return row?.schedule_at ?? undefined;
}

const LOG_ENTRIES = {
  PUBLISHED: {
    event: 'post.published',
    outcome:
      'reached its ScheduleDate and is PUBLISHED. This is a practice service: nothing was delivered to any platform.',
  },
  FAILED: {
    event: 'post.failed',
    outcome: 'reached its ScheduleDate and FAILED: its platforms didn’t accept it.',
  },
} as const;

/** Stores and logs what became of a batch of due posts. Resolves with these posts. */
function finishBatch(
  db: Kysely<ServiceSchema>,
  now: Date,
  status: keyof typeof LOG_ENTRIES,
): Promise<FailedPost[]> {
  const { event, outcome } = LOG_ENTRIES[status];
  return db.transaction().execute(async (transaction) => {
    const due = transaction
      .selectFrom('posts')
      .select('id')
      .where('status', '=', 'SCHEDULED')
      .where('schedule_at', '<=', now)
      .orderBy('schedule_at')
      .limit(BATCH);
    const posts = await transaction
      .updateTable('posts')
      .set({ status })
      .where('id', 'in', due)
      .returning(['id', 'project_id as projectId'])
      .execute();
    const entries = posts.map(({ id, projectId }) => ({
      projectId,
      event,
      message: `${formatRecordId('post', id)} ${outcome}`,
    }));
    await writeLog(transaction, now, ...entries);
    return posts;
  });
}
