import type { Kysely, Transaction } from 'kysely';
import { createBatchedStatement } from '../store/batched-statement.ts';
import type { Change, Storage } from './capability.ts';
import { addMs } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import { assertTransition, buildEntryColumns, parseState } from './lifecycle.ts';
import { createPermit, type Permit } from './permit.ts';
import { applyTransitions, type RowTransition } from './sql/transitions.ts';
import type { EngineTables } from './tables.ts';

/** A row with a new lease, and the permit for one call. */
export interface Lease<Row> {
  row: Row;
  permit: Permit;
}

interface SettleOptions extends NotifyOptions {
  /** The transaction in which the transition runs. Without one, it shares a statement with others. */
  transaction?: Transaction<EngineTables>;
}

interface NotifyOptions {
  /** Delay of the notification, ms, for callers that show the result themselves. Defaults to `Notifying.getGroupMs`. */
  notifyAfterMs?: number | undefined;
}

/** A change, and when the row is due again. */
type WaitChange<Row> = Change<Row> & { next_at: Date };

/**
 * What may be done with a row. Each verb compares and sets on id, fence and state: it resolves with undefined if somebody
 * else has changed or claimed the row since it was read.
 */
export interface Verbs<State extends string, Sending extends State, Row> {
  /** Enters another state, or the same one again. Its notification replaces a pending one. Ends the claim. */
  settle(
    row: Row,
    to: Exclude<State, Sending>,
    change?: Change<Row>,
    options?: SettleOptions,
  ): Promise<Row | undefined>;
  /** Stays in its state until `next_at`. The reason and a pending notification stay. */
  wait(
    row: Row,
    change: WaitChange<Row>,
    options?: Pick<SettleOptions, 'transaction'>,
  ): Promise<Row | undefined>;
  /** Stays in its state until `next_at`, after an attempt has ended. */
  retry(row: Row, change: WaitChange<Row>): Promise<Row | undefined>;
  /** A person's change in a transaction, which ends the claim of an instance. */
  byPerson(
    transaction: Transaction<EngineTables>,
    row: Row,
    to: Exclude<State, Sending>,
    change?: Change<Row>,
    options?: NotifyOptions,
  ): Promise<Row | undefined>;
  /** Claims the row for an attempt that a person waits for. */
  claim(row: Row, to: Exclude<State, Sending>, change?: Change<Row>): Promise<Row | undefined>;
  /** Enters the next state under the same claim. */
  goOn(row: Row, to: Exclude<State, Sending>, change?: Change<Row>): Promise<Row | undefined>;
  /**
   * Commits a sending state: the only way into one. The caller then makes the call, which must begin before the permit
   * expires. Resolves with undefined also if all sending, or that of the project, is stopped, or if the row may not be sent
   * in the way that `via` says (JSON): see `Storage.sendingCondition`.
   */
  beginSending(row: Row, to: Sending, change?: Change<Row>, via?: object): Promise<Lease<Row> | undefined>;
  /** Renews the lease for one more call in the same state. */
  renew(row: Row, change?: Change<Row>): Promise<Lease<Row> | undefined>;
}

interface VerbOptions<State, Row> {
  db: Kysely<EngineTables>;
  readShared(): Date;
  leaseMs: number;
  maxStartDelayMs: number;
  /** How long the notification of a state entered at `now` waits for others, ms. */
  computeNotifyDelayMs(state: State, now: Date): number;
  /** Schedules a scan at `time`. */
  wake(time: Date): void;
  /** Runs after a row has entered another state. */
  onEntered?: ((row: Row) => Promise<void>) | undefined;
}

interface Treatment extends SettleOptions {
  /** `end`: the claim ends. `keep`: the lease is renewed. `start`: a new claim. `end-other`: another instance's claim ends. */
  claim?: 'end' | 'keep' | 'start' | 'end-other';
  keepsReason?: boolean;
  keepsNotification?: boolean;
  isNewAttempt?: boolean;
  via?: object | undefined;
}

/** Creates the verbs of a capability. Concurrent transitions share statements. */
export function createVerbs<State extends string, Sending extends State, Row extends DeliveryRow>(
  options: VerbOptions<State, Row>,
  storage: Storage<State, Row>,
): Verbs<State, Sending, Row> {
  const { db, readShared, leaseMs, wake } = options;
  const { lifecycle, project, onEntry } = storage;
  const runBatched = createBatchedStatement<RowTransition, Row>({
    table: storage.table,
    getKey: ({ id }) => id,
    async run(transitions) {
      const rows = await applyTransitions<State, Row>(db, storage, transitions);
      return new Map(rows.map((row) => [row.id, row]));
    },
  });

  async function transition(row: Row, to: State, change: Change<Row>, how: Treatment) {
    assertTransition(lifecycle, row.state, to);
    const now = readShared();
    const { claim = 'end', keepsReason = false, notifyAfterMs = options.computeNotifyDelayMs(to, now) } = how;
    const { waitsFor, notifies, sends: isSendingState = false } = lifecycle[to];
    const isLeased = isSendingState || claim === 'keep' || claim === 'start';
    const leaseUntil = isLeased ? addMs(now, leaseMs) : null;
    const { changed_at, retained_since } = buildEntryColumns(lifecycle, to, now);
    const rowTransition: RowTransition = {
      id: row.id,
      fence: row.fence,
      fromState: row.state,
      isSendingState,
      project: project?.(row),
      via: how.via,
      change: {
        ...(keepsReason ? {} : { reason: null }),
        ...onEntry?.(to),
        ...change,
        state: to,
        ...((claim === 'start' || claim === 'end-other') && { fence: row.fence + 1 }),
        // A row that waits for Upnext always has a due time, so that it is found even if this process stops.
        next_at: waitsFor === 'upnext' ? (leaseUntil ?? change.next_at ?? now) : null,
        lease_until: leaseUntil,
        ...(!how.keepsNotification && {
          notify_at: notifies ? addMs(now, notifyAfterMs) : null,
          notifying_since: null,
          notify_attempts: 0,
        }),
        ...((to !== row.state || how.isNewAttempt) && { changed_at, retained_since }),
      },
    };
    const changedRow = how.transaction
      ? (await applyTransitions<State, Row>(how.transaction, storage, [rowTransition]))[0]
      : await runBatched(rowTransition);
    if (changedRow?.next_at) wake(changedRow.next_at);
    if (changedRow?.notify_at) wake(changedRow.notify_at);
    if (changedRow && to !== row.state) await options.onEntered?.(changedRow);
    return changedRow;
  }
  async function lease(row: Row, to: State, change: Change<Row> = {}, via?: object) {
    // The permit is created before the statement, because the database may take minutes to answer.
    const permit = createPermit(options.maxStartDelayMs);
    const keepsReason = to === row.state;
    const leasedRow = await transition(row, to, change, { claim: 'keep', keepsReason, via });
    return leasedRow && { row: leasedRow, permit };
  }
  const stay = (row: Row) => parseState(lifecycle, row.state);
  return {
    settle: (row, to, change = {}, how = {}) => transition(row, to, change, how),
    wait: (row, change, how = {}) =>
      transition(row, stay(row), change, { ...how, keepsReason: true, keepsNotification: true }),
    retry: (row, change) => transition(row, stay(row), change, { isNewAttempt: true }),
    byPerson: (transaction, row, to, change = {}, how = {}) =>
      transition(row, to, change, { ...how, transaction, claim: 'end-other' }),
    claim: (row, to, change = {}) => transition(row, to, change, { claim: 'start' }),
    goOn: (row, to, change = {}) => transition(row, to, change, { claim: 'keep' }),
    beginSending: lease,
    renew: (row, change) => lease(row, stay(row), change),
  };
}
