import type { Kysely, RawBuilder } from 'kysely';
import type { Change, Storage } from './capability.ts';
import type { Clock } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import type { PollDefinition } from './definition.ts';
import { createExclusions, type Exclusions } from './exclusions.ts';
import { type CreateNotifier, createNotifier, type Notifying } from './notifier.ts';
import { createPoll, type Poll } from './poll.ts';
import { resumeSending, type StoppableCapability, type StoppableProject } from './sending-stop.ts';
import type { EngineTables } from './tables.ts';
import { createVerbs, type Verbs } from './verbs.ts';

/** A registered capability: its verbs, its excluded rows, and its poll. */
export interface Registered<State extends string, Sending extends State, Row>
  extends Verbs<State, Sending, Row> {
  /** The rows that this instance doesn't claim for a while. */
  exclusions: Exclusions;
  /** Looks for due rows at `time`, on the shared clock. Defaults to now. */
  wake(time?: Date): void;
}

/** A running capability: what creates its rows, the steps that they take, whom they tell, and how much runs at once. */
export interface Definition<State extends string, Sending extends State, Row extends DeliveryRow> {
  storage: Storage<State, Row>;
  /**
   * Durations, ms. Ended rows are kept for `retention`. A `lease` is longer than any step; defaults to a minute.
   * `scanInterval`: between scans for rows that other instances created or abandoned; defaults to 15 s. `maxStartDelay`:
   * from the request for a lease to the start of a call; the rest of the lease must be long enough for a whole call.
   */
  ms: { retention: number; lease?: number; scanInterval?: number; maxStartDelay?: number };
  /**
   * Maximum number of rows in progress in this instance (defaults to 64) and at one endpoint (defaults to 32), and of rows in
   * one call of `load` (defaults to 1).
   */
  limits?: { rows?: number; endpoint?: number | ((endpoint: string) => number); batch?: number };
  /** Loads what the steps of claimed rows share. Resolves with the function that runs the next step of one row. */
  load(rows: readonly Row[], verbs: Verbs<State, Sending, Row>): Promise<(row: Row) => Promise<unknown>>;
  /**
   * Creates rows at times on the clock that people see. `nextAt` builds a scalar subquery for the earliest, without the
   * rows of `excludedIds`.
   */
  creation?: { nextAt(excludedIds: readonly string[]): RawBuilder<unknown>; create(): Promise<unknown> };
  /** Runs before each scan. A failure doesn't end the scan. */
  beforeScan?(): Promise<unknown>;
  /**
   * Creates the change that the purge makes to a row after the retention. By default the purge deletes the row. The table
   * has a column `delete_at`, at which the purge deletes the changed row.
   */
  purgeTo?(row: Row, now: Date): Change<Row>;
  /** Runs after a row has entered another state. */
  onEntered?(row: Row): Promise<void>;
  notifying: Notifying<Row>;
  /** Notifiers of other tables, whose notifications this capability sends. */
  otherNotifiers?: readonly CreateNotifier[];
  /** Columns to compare with the ids of excluded rows. Defaults to `id`. */
  exclusionColumns?: readonly string[];
  /** Whether other instances run it, and this one only stores rows. Defaults to false. */
  isIdle?: boolean;
}

interface EngineOptions {
  db: Kysely<EngineTables>;
  clock: Clock;
  random?: () => number;
  /** Whether a notification that failed may succeed later. The engine doesn't know Slack. */
  isTemporary(error: unknown): boolean;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Everything that leaves the app on its own. The composition root registers each capability once. */
export interface Engine {
  register<State extends string, Sending extends State, Row extends DeliveryRow>(
    definition: Definition<State, Sending, Row>,
  ): Registered<State, Sending, Row>;
  /** Starts claiming rows of all capabilities that aren't idle. */
  start(): void;
  /** Stops claiming rows. Resolves when all steps and notifications have ended. */
  stop(): Promise<void>;
  /** Looks for due rows after a change of the clock that people see. */
  handleClockChange(): void;
  /** Ends a project's stop that began at `since`, and wakes what waited. Resolves with false if there is no such stop. */
  resumeSending(stop: StoppableProject & { since: Date }): Promise<boolean>;
  /** Runs one scan of what isn't idle, for callers with their own timer. Resolves with the time of the next scan. */
  runOnce(): Promise<Date>;
}

const [LEASE_MS, SCAN_INTERVAL_MS] = [60_000, 15_000];
const [MAX_ROWS, MAX_ROWS_AT_ENDPOINT] = [64, 32];

export function createEngine(options: EngineOptions): Engine {
  const { db, clock } = options;
  const storages: StoppableCapability[] = [];
  const polls: Poll[] = [];
  const runningPolls: Poll[] = [];
  const wakeAll = () => {
    for (const { wake } of polls) wake(clock.readShared());
  };
  return {
    register<State extends string, Sending extends State, Row extends DeliveryRow>(
      definition: Definition<State, Sending, Row>,
    ) {
      const { registered, poll } = runCapability(options, definition);
      polls.push(poll);
      storages.push(definition.storage);
      if (!definition.isIdle) runningPolls.push(poll);
      return registered;
    },
    start() {
      for (const { start } of runningPolls) start();
    },
    stop: async () => void (await Promise.all(polls.map(({ stop }) => stop()))),
    handleClockChange: wakeAll,
    async resumeSending(stop) {
      const hasResumed = await resumeSending(db, storages, clock.readShared(), stop);
      if (hasResumed) wakeAll();
      return hasResumed;
    },
    async runOnce() {
      const times = await Promise.all(runningPolls.map(({ runOnce }) => runOnce()));
      return new Date(Math.min(...times.map((time) => time.getTime())));
    },
  };
}

function runCapability<State extends string, Sending extends State, Row extends DeliveryRow>(
  options: EngineOptions,
  definition: Definition<State, Sending, Row>,
): { registered: Registered<State, Sending, Row>; poll: Poll } {
  const { db, clock, log } = options;
  const { storage, ms, limits = {}, creation, notifying, otherNotifiers = [] } = definition;
  const { table, lifecycle } = storage;
  const exclusions = createExclusions(
    () => clock.readShared().getTime(),
    (id, error) => log.error({ table, id, err: error }, 'row excluded from claims for five minutes'),
  );
  const { endpoint: endpointLimit = MAX_ROWS_AT_ENDPOINT } = limits;
  const notifierOptions = { ...options, random: options.random ?? Math.random, exclusions };
  const pollDefinition: PollDefinition<State, Row> = {
    ...definition,
    ...storage,
    leaseMs: ms.lease ?? LEASE_MS,
    maxStartDelayMs: ms.maxStartDelay ?? 0,
    scanIntervalMs: ms.scanInterval ?? SCAN_INTERVAL_MS,
    retentionMs: ms.retention,
    maxRowsInProgress: limits.rows ?? MAX_ROWS,
    batchSize: limits.batch ?? 1,
    getLimit: typeof endpointLimit === 'number' ? () => endpointLimit : endpointLimit,
    loadSteps: (rows) => definition.load(rows, verbs),
    ...(definition.purgeTo && { createPurgeChange: definition.purgeTo }),
    ...(creation && {
      nextCreation: { buildQuery: creation.nextAt, toSharedClock: clock.toShared },
      async createDueRows(next: Date | undefined) {
        if (!next || next > clock.now()) return false;
        await creation.create();
        return true;
      },
    }),
    notifiers: [
      createNotifier<Row>(
        { table, lifecycle, exclusionColumns: definition.exclusionColumns },
        notifying,
      )(notifierOptions),
      ...otherNotifiers.map((create) => create(notifierOptions)),
    ],
  };
  const poll = createPoll<State, Row>({ db, clock, log, exclusions }, pollDefinition);
  const { groupMs = 0 } = notifying;
  const verbs = createVerbs<State, Sending, Row>(
    {
      db,
      readShared: clock.readShared,
      leaseMs: pollDefinition.leaseMs,
      maxStartDelayMs: pollDefinition.maxStartDelayMs,
      computeNotifyDelayMs: () => (groupMs === 0 ? 0 : groupMs - (clock.readShared().getTime() % groupMs)),
      wake: poll.wake,
      onEntered: definition.onEntered,
    },
    storage,
  );
  const wake = (time = clock.readShared()) => poll.wake(time);
  return { registered: { ...verbs, exclusions, wake }, poll };
}
