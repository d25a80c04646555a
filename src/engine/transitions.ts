import type { Kysely, Transaction } from 'kysely';
import { createBatchedStatement } from '../store/batched-statement.ts';
import type { Change } from './capability.ts';
import { addMs } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import type { Definition } from './definition.ts';
import { assertTransition, buildEntryColumns, parseState } from './lifecycle.ts';
import { createPermit, type Permit } from './permit.ts';
import { applyTransitions, type RowTransition } from './sql/transitions.ts';
import type { EngineTables } from './tables.ts';

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
  trx?: Transaction<EngineTables>;
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

/** Creates the transitions of a definition. Concurrent transitions share statements. */
export function createTransitions<State extends string, SendingState extends State, Row extends DeliveryRow>(
  { db, clock, wake }: { db: Kysely<EngineTables>; clock: () => Date; wake(time: Date): void },
  definition: Definition<State, Row>,
): Transitions<State, SendingState, Row> {
  const { table, lifecycle, companionQuery } = definition;
  const runBatched = createBatchedStatement<RowTransition, Row>({
    getKey: ({ id }) => id,
    async run(transitions) {
      const rows = await applyTransitions<Row>(db, table, transitions, companionQuery);
      return new Map(rows.map((row) => [row.id, row]));
    },
  });

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
      project: definition.project?.(row),
      companionData: options.companionData,
      change: {
        ...(options.keepClaim && to === row.state ? {} : { reason: null }),
        ...definition.onEntry?.(to),
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
      : await runBatched(transition);
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
