import type { Kysely, Transaction } from 'kysely';
import { isDatabaseFailure } from '../store/database-unavailable.ts';
import { isDeadlock } from '../store/deadlock.ts';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Change, Definition } from './definition.ts';
import { assertTransition, buildEntryColumns, parseState } from './lifecycle.ts';
import { createPermit, type Permit } from './permit.ts';
import { addMs } from './shared-clock.ts';
import { applyTransitions, type RowTransition } from './sql/transitions.ts';

export interface TransitionOptions {
  /** Delay of the notification, ms, for callers that show the result themselves. Defaults to 0. */
  notifyAfterMs?: number;
  /** Renews the lease instead of ending the claim. */
  keepClaim?: boolean;
  /** Claims the row: sets a lease and increments the fencing token. */
  startClaim?: boolean;
  /** Ends another instance's claim: increments the fencing token without a lease. For a person's change of the row. */
  endsOtherClaim?: boolean;
  /** Leaves a pending notification as it is, because nothing changed for people. */
  keepsNotification?: boolean;
  /** Updates `changed_at` even if the state stays the same, because another attempt has ended in it. */
  isNewAttempt?: boolean;
  /** Data for the definition's `companionQuery`. */
  companionData?: Readonly<Record<string, unknown>>;
  /** The transaction in which the transition runs. Without one, the transition runs in a batch with others. */
  trx?: Transaction<BotSchema>;
}

/** A row with a new lease, and the permit for one call. */
export interface Lease<Row> {
  row: Row;
  permit: Permit;
}

export interface Transitions<State extends string, SendingState extends State, Row> {
  /**
   * Changes a row by compare-and-set on id, fence and state. Resolves with undefined if another instance has changed or
   * claimed the row.
   */
  transition(
    row: Row,
    to: Exclude<State, SendingState>,
    change?: Change<Row>,
    options?: TransitionOptions,
  ): Promise<Row | undefined>;
  /**
   * Commits a sending state. The caller then makes the call, which must begin before the permit expires. Resolves with
   * undefined if another instance has changed or claimed the row, or if all sending is stopped.
   */
  beginSending(row: Row, to: SendingState, change?: Change<Row>): Promise<Lease<Row> | undefined>;
  /** Renews the lease for one more call in the same state. */
  renew(row: Row, change?: Change<Row>): Promise<Lease<Row> | undefined>;
}

/** A transition that waits for its batch. */
interface PendingTransition<Row> {
  transition: RowTransition;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/** Maximum number of transitions in one statement. */
const MAX_BATCH_SIZE = 500;
/** Maximum number of concurrent statements. With two, a broken connection doesn't delay all transitions. */
const MAX_STATEMENTS = 2;

/** Creates the transitions of a definition. Transitions that are requested in the same tick share one statement. */
export function createTransitions<State extends string, SendingState extends State, Row extends DeliveryRow>(
  { db, clock, wake }: { db: Kysely<BotSchema>; clock: () => Date; wake(time: Date): void },
  definition: Definition<State, Row>,
): Transitions<State, SendingState, Row> {
  const { table, lifecycle, companionQuery } = definition;
  const pending: PendingTransition<Row>[] = [];
  let statementCount = 0;

  async function applyBatch(batch: readonly PendingTransition<Row>[]): Promise<void> {
    try {
      const rows = await applyTransitions<Row>(
        db,
        table,
        batch.map(({ transition }) => transition),
        companionQuery,
      );
      const rowsById = new Map(rows.map((row) => [row.id, row]));
      for (const { transition, resolve } of batch) resolve(rowsById.get(transition.id));
    } catch (error) {
      // The error of one row must not fail the other rows, so each row is retried alone. The same after a deadlock: a
      // transition of one row holds no other row that somebody could wait for.
      if (batch.length > 1 && (isDeadlock(error) || !isDatabaseFailure(error)))
        for (const item of batch) await applyBatch([item]);
      else for (const { reject } of batch) reject(error);
    }
  }
  async function flush(): Promise<void> {
    if (statementCount >= MAX_STATEMENTS) return;
    statementCount += 1;
    try {
      while (pending.length > 0) await applyBatch(takeBatch());
    } finally {
      statementCount -= 1;
    }
  }
  /**
   * Removes a batch from the queue. A batch has at most one transition of each row, because a second transition depends
   * on the first.
   */
  function takeBatch(): PendingTransition<Row>[] {
    const batch = new Map<string, PendingTransition<Row>>();
    const deferred: PendingTransition<Row>[] = [];
    for (const item of pending.splice(0, MAX_BATCH_SIZE)) {
      if (batch.has(item.transition.id)) deferred.push(item);
      else batch.set(item.transition.id, item);
    }
    pending.unshift(...deferred);
    return [...batch.values()];
  }
  function failAll(error: unknown): void {
    for (const { reject } of pending.splice(0)) reject(error);
  }
  function enqueue(transition: RowTransition): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      pending.push({ transition, resolve, reject });
      if (pending.length === 1) setImmediate(() => void flush().catch(failAll));
    });
  }

  async function transitionRow(row: Row, to: State, change: Change<Row>, options: TransitionOptions) {
    assertTransition(lifecycle, row.state, to);
    const now = clock();
    const { waitsFor, notifies, sends: isSendingState = false } = lifecycle[to];
    const leaseUntil =
      isSendingState || options.keepClaim || options.startClaim ? addMs(now, definition.leaseMs) : null;
    const notifyAt = notifies ? addMs(now, options.notifyAfterMs ?? 0) : null;
    const { changed_at, retained_since } = buildEntryColumns(lifecycle, to, now);
    const transition: RowTransition = {
      id: row.id,
      fence: row.fence,
      fromState: row.state,
      isSendingState,
      project: definition.getProject?.(row),
      companionData: options.companionData,
      change: {
        ...(options.keepClaim && to === row.state ? {} : { reason: null }),
        ...definition.getExtraChange?.(to),
        ...change,
        state: to,
        ...((options.startClaim || options.endsOtherClaim) && { fence: row.fence + 1 }),
        // A row that waits for Upnext always has a due time, so that it is found even if this process stops.
        next_at: waitsFor === 'upnext' ? (leaseUntil ?? change.next_at ?? now) : null,
        lease_until: leaseUntil,
        ...(!options.keepsNotification && { notify_at: notifyAt, notifying_since: null, notify_attempts: 0 }),
        ...((to !== row.state || options.isNewAttempt) && { changed_at, retained_since }),
      },
    };
    const changedRow = options.trx
      ? (await applyTransitions<Row>(options.trx, table, [transition], companionQuery))[0]
      : await enqueue(transition);
    if (changedRow?.next_at) wake(changedRow.next_at);
    if (changedRow?.notify_at) wake(changedRow.notify_at);
    if (changedRow && to !== row.state) await definition.onEntered?.(changedRow);
    return changedRow;
  }
  /** Transitions a row and renews its lease. */
  async function transitionWithLease(row: Row, to: State, change: Change<Row> = {}) {
    // The permit is created before the statement, because the database may take minutes to answer.
    const permit = createPermit(definition.maxStartDelayMs);
    const leasedRow = await transitionRow(row, to, change, { keepClaim: true });
    return leasedRow && { row: leasedRow, permit };
  }
  return {
    transition: (row, to, change = {}, options = {}) => transitionRow(row, to, change, options),
    beginSending: transitionWithLease,
    renew: (row, change) => transitionWithLease(row, parseState(lifecycle, row.state), change),
  };
}
