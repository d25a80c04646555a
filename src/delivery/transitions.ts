import type { Kysely, Transaction } from 'kysely';
import { isDatabaseDown } from '../store/database-unavailable.ts';
import type { BotSchema } from '../store/schema.ts';
import type { DeliveryRow } from './columns.ts';
import type { Change, Definition } from './definition.ts';
import { later } from './later.ts';
import { assertWay, entering, stateOf } from './lifecycle.ts';
import { createPermit, type Permit } from './permit.ts';
import { applyTransitions, type RowTransition } from './sql/transitions.ts';

export interface TransitionOptions {
  /** The notification is sent so much later, ms: whoever caused the transition is shown it before. Defaults to 0. */
  notifyAfterMs?: number;
  /** Keeps the row claimed, with a new lease. */
  keep?: boolean;
  /** Claims the row, which nobody has claimed: a new lease, and the next fencing token. */
  claim?: boolean;
  /** For the definition's own statement beside the transition. */
  note?: Readonly<Record<string, unknown>>;
  /** Commits with this transaction, instead of with other transitions of the same moment. */
  on?: Transaction<BotSchema>;
}

/** A row that may be sent now, and for how long that holds. */
export interface Leased<Row> {
  row: Row;
  permit: Permit;
}

export interface Transitions<State extends string, Sending extends State, Row> {
  /** Compare-and-set on id, fence and state. Undefined: the row has gone on in other hands. */
  transition(
    row: Row,
    to: Exclude<State, Sending>,
    change?: Change<Row>,
    options?: TransitionOptions,
  ): Promise<Row | undefined>;
  /** Commits the state in which it is sent; the call must begin while the permit holds. */
  send(row: Row, to: Sending, change?: Change<Row>): Promise<Leased<Row> | undefined>;
  /** A new lease, in the same state, for one more call. */
  renew(row: Row, change?: Change<Row>): Promise<Leased<Row> | undefined>;
}

interface Waiting<Row> {
  transition: RowTransition;
  done(row: Row | undefined): void;
  failed(error: unknown): void;
}

/** Transitions in one statement. */
const MAX_BATCH = 500;
/** Statements at the same time, so that one on a broken connection doesn't hold up all others. */
const MAX_STATEMENTS = 2;

/** Transitions of the same moment go in one statement: a rush has thousands of them. */
export function createTransitions<State extends string, Sending extends State, Row extends DeliveryRow>(
  { db, clock, wake }: { db: Kysely<BotSchema>; clock: () => Date; wake(at: Date): void },
  definition: Definition<State, Row>,
): Transitions<State, Sending, Row> {
  const { table, lifecycle, beside } = definition;
  const waiting: Waiting<Row>[] = [];
  let statements = 0;

  async function run(batch: readonly Waiting<Row>[]): Promise<void> {
    try {
      const rows = await applyTransitions<Row>(
        db,
        table,
        batch.map(({ transition }) => transition),
        beside,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { transition, done } of batch) done(byId.get(transition.id));
    } catch (error) {
      // What is wrong with one says nothing about the others.
      if (batch.length > 1 && !isDatabaseDown(error)) for (const one of batch) await run([one]);
      else for (const { failed } of batch) failed(error);
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
  /** No row twice: who comes second must find it as the first has left it. */
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
    for (const { failed } of waiting.splice(0)) failed(error);
  }
  function queue(transition: RowTransition): Promise<Row | undefined> {
    return new Promise((done, failed) => {
      waiting.push({ transition, done, failed });
      if (waiting.length === 1) setImmediate(() => void flush().catch(failAll));
    });
  }

  async function move(row: Row, to: State, change: Change<Row>, options: TransitionOptions) {
    assertWay(lifecycle, row.state, to);
    const at = clock();
    const { waitsFor, notifies, sends = false } = lifecycle[to];
    const leaseUntil = sends || options.keep || options.claim ? later(at, definition.leaseMs) : null;
    const tellAt = notifies ? later(at, options.notifyAfterMs ?? 0) : null;
    const { changed_at, retained_since } = entering(lifecycle, to, at);
    const transition: RowTransition = {
      ...{ id: row.id, fence: row.fence, was: row.state, sends, note: options.note },
      change: {
        ...(options.keep && to === row.state ? {} : { why: null }),
        ...definition.alsoSets?.(to),
        ...change,
        state: to,
        ...(options.claim && { fence: row.fence + 1 }),
        // What waits for us is always due at some time, whoever stops in between.
        next_at: waitsFor === 'us' ? (leaseUntil ?? change.next_at ?? at) : null,
        lease_until: leaseUntil,
        ...{ tell_at: tellAt, telling_since: null, tells: 0 },
        ...(to !== row.state && { changed_at, retained_since }),
      },
    };
    const moved = options.on
      ? (await applyTransitions<Row>(options.on, table, [transition], beside))[0]
      : await queue(transition);
    if (moved?.next_at) wake(moved.next_at);
    if (moved?.tell_at) wake(moved.tell_at);
    if (moved && to !== row.state) await definition.entered?.(moved);
    return moved;
  }
  async function lease(row: Row, to: State, change: Change<Row> = {}) {
    // Made before the statement is sent: its answer may take minutes.
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
