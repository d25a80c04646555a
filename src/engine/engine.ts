import type { Kysely } from 'kysely';
import type { Clock } from './clock.ts';
import type { DeliveryRow } from './columns.ts';
import { type Definition, readDurations } from './definition.ts';
import { createExclusions, type Exclusions } from './exclusions.ts';
import { createNotifier } from './notifier.ts';
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

interface EngineOptions {
  db: Kysely<EngineTables>;
  clock: Clock;
  random?: () => number;
  /** Replaces the intervals between scans of all capabilities, ms. For simulations, in which days pass. */
  scanIntervalMs?: number | undefined;
  /** The longest period in which notifications share a message, ms. Defaults to that of each capability. */
  maxGroupMs?: number | undefined;
  /** Whether a notification that failed may succeed later. The engine doesn't know Slack. */
  isTemporary(error: unknown): boolean;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** Everything that leaves the app on its own. The composition root registers each capability once. */
export type Engine = ReturnType<typeof createEngine>;

export function createEngine(options: EngineOptions) {
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
    ): Registered<State, Sending, Row> {
      const { registered, poll } = runCapability(options, definition);
      polls.push(poll);
      storages.push(definition.storage);
      if (!definition.isIdle) runningPolls.push(poll);
      return registered;
    },
    /** Starts claiming rows of all capabilities that aren't idle. */
    start() {
      for (const { start } of runningPolls) start();
    },
    /** Stops claiming rows. Resolves when all steps and notifications have ended. */
    stop: async () => void (await Promise.all(polls.map(({ stop }) => stop()))),
    /** Looks for due rows after a change of the clock that people see. */
    handleClockChange: wakeAll,
    /** Ends a project's stop that began at `since`, and wakes what waited. Resolves with false if there is none. */
    async resumeSending(stop: StoppableProject & { since: Date }): Promise<boolean> {
      const hasResumed = await resumeSending(db, storages, clock.readShared(), stop);
      if (hasResumed) wakeAll();
      return hasResumed;
    },
    /** Runs one scan of what isn't idle, for callers with their own timer. Resolves with the time of the next scan. */
    async runOnce(): Promise<Date> {
      const times = await Promise.all(runningPolls.map(({ runOnce }) => runOnce()));
      return new Date(Math.min(...times.map((time) => time.getTime())));
    },
  };
}

function runCapability<State extends string, Sending extends State, Row extends DeliveryRow>(
  options: EngineOptions,
  definition: Definition<State, Sending, Row>,
): { registered: Registered<State, Sending, Row>; poll: Poll } {
  const { db, clock, log, maxGroupMs = Number.POSITIVE_INFINITY } = options;
  const { storage, notifying, otherNotifiers = [] } = definition;
  const { table, lifecycle } = storage;
  const exclusions = createExclusions(
    () => clock.readShared().getTime(),
    (id, error) => log.error({ table, id, err: error }, 'row excluded from claims for five minutes'),
  );
  const notifierOptions = { ...options, random: options.random ?? Math.random, exclusions };
  const source = { table, lifecycle, exclusionColumns: definition.exclusionColumns };
  const poll: Poll = createPoll<State, Row>(
    { db, clock, log, exclusions, scanIntervalMs: options.scanIntervalMs },
    {
      definition,
      loadSteps: (rows) => definition.load(rows, verbs),
      notifiers: [createNotifier<Row>(source, notifying), ...otherNotifiers].map((create) =>
        create(notifierOptions),
      ),
    },
  );
  const { getGroupMs = () => 0 } = notifying;
  const { leaseMs, maxStartDelayMs } = readDurations(definition);
  const verbs = createVerbs<State, Sending, Row>(
    {
      ...{ db, readShared: clock.readShared, leaseMs, maxStartDelayMs },
      computeNotifyDelayMs(state, now) {
        const groupMs = Math.min(getGroupMs(state), maxGroupMs);
        return groupMs === 0 ? 0 : groupMs - (now.getTime() % groupMs);
      },
      wake: poll.wake,
      onEntered: definition.onEntered,
    },
    storage,
  );
  const wake = (time = clock.readShared()) => poll.wake(time);
  return { registered: { ...verbs, exclusions, wake }, poll };
}
