import type { Kysely, Transaction } from 'kysely';
import { isDatabaseDown } from '../store/database-unavailable.ts';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Change, Definition } from './definition.ts';
import { later } from './later.ts';
import { assertTransition, entryColumns, stateOf } from './lifecycle.ts';
import { createPermit, type Permit } from './permit.ts';
import { applyTransitions, type RowTransition } from './sql/transitions.ts';

export interface TransitionOptions {
  /** Delay of the notification, ms, for a caller that shows the result itself. Defaults to 0. */
  notifyAfterMs?: number;
  /** Keeps the claim and renews the lease. */
  keep?: boolean;
  /** Claims an unclaimed row: sets a lease and increments the fencing token. */
  claim?: boolean;
  /** Data for the definition's `alongside` statement. */
  note?: Readonly<Record<string, unknown>>;
  /** Runs in this transaction instead of in a batch. */
  on?: Transaction<BotSchema>;
}

/** A row with a new lease, and the permit for one call. */
export interface Leased<Row> {
  row: Row;
  permit: Permit;
}

export interface Transitions<State extends string, Sending extends State, Row> {
  /** Compare-and-set on id, fence and state. Undefined if another instance has changed or claimed the row. */
  transition(
    row: Row,
    to: Exclude<State, Sending>,
    change?: Change<Row>,
    options?: TransitionOptions,
  ): Promise<Row | undefined>;
  /** Commits a sending state. The call must begin before the permit expires. */
  send(row: Row, to: Sending, change?: Change<Row>): Promise<Leased<Row> | undefined>;
  /** Renews the lease for one more call, in the same state. */
  renew(row: Row, change?: Change<Row>): Promise<Leased<Row> | undefined>;
}

interface Waiting<Row> {
  transition: RowTransition;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/** Maximum number of transitions in one statement. */
const MAX_BATCH = 500;
/**
 * Maximum number of concurrent statements. More than one, so that a broken connection doesn't delay all transitions.
 */
const MAX_STATEMENTS = 2;

/** Batches transitions that are requested within one tick into one statement. */
export function createTransitions<State extends string, Sending extends State, Row extends DeliveryRow>(
  { db, clock, wake }: { db: Kysely<BotSchema>; clock: () => Date; wake(at: Date): void },
  definition: Definition<State, Row>,
): Transitions<State, Sending, Row> {
  const { table, lifecycle, alongside } = definition;
  const waiting: Waiting<Row>[] = [];
  let statements = 0;

  async function run(batch: readonly Waiting<Row>[]): Promise<void> {
    try {
      const rows = await applyTransitions<Row>(
        db,
        table,
        batch.map(({ transition }) => transition),
        alongside,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { transition, resolve: done } of batch) done(byId.get(transition.id));
    } catch (error) {
      // One row's error must not fail the others, so each is retried alone.
      if (batch.length > 1 && !isDatabaseDown(error)) for (const one of batch) await run([one]);
      else for (const { reject: failed } of batch) failed(error);
    }
  }
  async function flush(): Promise<void> {
    if (statements >= MAX_STATEMENTS) return;
    statements += 1;
    try {
      while (waiting.length > 0) await run(nextBatch());
    } finally {
      statements -= 1;
    }
  }
  /** Contains each row at most once: a second transition must see the result of the first. */
  function nextBatch(): Waiting<Row>[] {
    const batch = new Map<string, Waiting<Row>>();
    const again: Waiting<Row>[] = [];
    for (const one of waiting.splice(0, MAX_BATCH)) {
      if (batch.has(one.transition.id)) again.push(one);
      else batch.set(one.transition.id, one);
    }
    waiting.unshift(...again);
    return [...batch.values()];
  }
  function failAll(error: unknown): void {
    for (const { reject: failed } of waiting.splice(0)) failed(error);
  }
  function queue(transition: RowTransition): Promise<Row | undefined> {
    return new Promise((done, failed) => {
      waiting.push({ transition, resolve: done, reject: failed });
      if (waiting.length === 1) setImmediate(() => void flush().catch(failAll));
    });
  }

  async function move(row: Row, to: State, change: Change<Row>, options: TransitionOptions) {
    assertTransition(lifecycle, row.state, to);
    const at = clock();
    const { waitsFor, notifies, sends = false } = lifecycle[to];
    const leaseUntil = sends || options.keep || options.claim ? later(at, definition.leaseMs) : null;
    const tellAt = notifies ? later(at, options.notifyAfterMs ?? 0) : null;
    const { changed_at, retained_since } = entryColumns(lifecycle, to, at);
    const transition: RowTransition = {
      ...{ id: row.id, fence: row.fence, was: row.state, sends, note: options.note },
      change: {
        ...(options.keep && to === row.state ? {} : { reason: null }),
        ...definition.extraChange?.(to),
        ...change,
        state: to,
        ...(options.claim && { fence: row.fence + 1 }),
        // A row that waits for us always has a due time, so it is found even if this process stops.
        next_at: waitsFor === 'us' ? (leaseUntil ?? change.next_at ?? at) : null,
        lease_until: leaseUntil,
        ...{ notify_at: tellAt, notifying_since: null, notify_attempts: 0 },
        ...(to !== row.state && { changed_at, retained_since }),
      },
    };
    const moved = options.on
      ? (await applyTransitions<Row>(options.on, table, [transition], alongside))[0]
      : await queue(transition);
    if (moved?.next_at) wake(moved.next_at);
    if (moved?.notify_at) wake(moved.notify_at);
    if (moved && to !== row.state) await definition.onEntered?.(moved);
    return moved;
  }
  async function lease(row: Row, to: State, change: Change<Row> = {}) {
    // Before the statement, because the database may take minutes to answer.
    const permit = createPermit(definition.beginMs);
    const moved = await move(row, to, change, { keep: true });
    return moved && { row: moved, permit };
  }
  return {
    transition: (row, to, change = {}, options = {}) => move(row, to, change, options),
    send: lease,
    renew: (row, change) => lease(row, stateOf(lifecycle, row.state), change),
  };
}
