import type { Kysely } from 'kysely';
import { createEncryption } from '../../src/access/access.ts';
import type { ApiClient } from '../../src/api/client.ts';
import type { BotSchema } from '../../src/app/schema.ts';
import { type CrashPoint, DIGEST_PACE } from '../../src/digests/pace.ts';
import type { DigestEvent, DigestHistory, Jump, Rule } from './digest-checker.ts';
import { createDigestSlack } from './digest-slack.ts';
import { createRandom, type Random } from './random.ts';
import { createRunnableDigests, type RunnableDigests } from './run-digests.ts';
import { createTestComposer, settings } from './start-digests.ts';
import { createTestClock } from './test-clock.ts';

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface SimulationOptions {
  db: Kysely<BotSchema>;
  from: string;
  until: string;
  seed: number;
  channels: number;
  zones: readonly string[];
  /** Zones to which digests are changed. */
  spareZones: readonly string[];
  /** Whether instances are restarted and killed, clocks jump, calls fail, and people change settings. */
  hasFaults: boolean;
  /** Times within an interval of this length count as the same time, to simulate years faster. Defaults to 1. */
  grainMs?: number;
  onDay?(day: string, pollCount: number): void;
}

/** Usual times of day and times at which clocks change, in minutes. */
const TIMES = [9 * 60, 2 * 60 + 30, 0, 23 * 60 + 45, 8 * 60 + 30, 1 * 60 + 15, 17 * 60];
const WORKSPACES = 5;
/** Number of times of day. There are few, so that many digests are due at the same minute. */
const TIMES_PER_ZONE = 3;

/** Creates the world of a simulation: clocks, a Slack, an instance that may be killed, and events of all digests. */
export function createWorld(options: SimulationOptions) {
  const { db, zones, channels } = options;
  const random = createRandom(options.seed);
  const state = {
    clock: Date.parse(options.from),
    offset: 0,
    /** The share of calls to Slack that fail, from 0 to 1. */
    slackFaultShare: 0,
    /** The end of the service's outage, on the steady clock. */
    serviceDownUntil: 0,
    order: 0,
    turns: 0,
    kills: 0,
  };
  const now = () => state.clock + state.offset;
  const slack = createDigestSlack({
    now,
    clock: () => state.clock,
    fault: () => drawFault(random, state.slackFaultShare),
  });
  const histories = new Map<
    string,
    DigestHistory & {
      eventLog: DigestEvent[];
      resendRequests: { date: string; now: number }[];
      workspace: string;
    }
  >();
  const jumps: Jump[] = [];
  let instance = startInstance();

  function startInstance() {
    const life = {
      isDead: false,
      pointsUntilKill: Number.POSITIVE_INFINITY,
      killed: Promise.withResolvers<void>(),
    };
    const crash = (point: CrashPoint) => {
      life.pointsUntilKill -= 1;
      if (life.pointsUntilKill <= 0 && !life.isDead) {
        life.isDead = true;
        state.kills += 1;
        life.killed.resolve();
      }
      if (!life.isDead) return;
      // This error rolls back the transaction of a killed instance. At other points the instance only stops.
      if (point === 'after-due') throw new Error('killed');
      return new Promise<void>(() => undefined);
    };
    const ignore = () => undefined;
    const digests: RunnableDigests = createRunnableDigests({
      db,
      encryption: createEncryption([{ id: 'test', key: Buffer.alloc(32, 7) }]),
      compose: createTestComposer(() => state.clock < state.serviceDownUntil),
      pace: {
        ...DIGEST_PACE,
        scanIntervalMs: DAY,
        retentionMs: 4_000 * DAY,
        ...(options.hasFaults && { onCrashPoint: crash }),
      },
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      clock: createTestClock(
        () => new Date(state.clock),
        () => new Date(now()),
      ),
      findApiClient: async () => ({ address: 'http://service' }) as unknown as ApiClient,
      findSlackClient: async (workspace) => slack.clientFor(workspace),
    });
    return { digests, life };
  }
  function addEvent(
    id: string,
    event: { kind: 'paused'; by: 'owner' | 'app' } | { kind: 'resumed' | 'removed' },
  ) {
    histories.get(id)?.eventLog.push({ ...event, at: state.order++, now: now() });
  }
  async function createDigest(channel: number, zone: number): Promise<void> {
    const minute = TIMES[((channel % TIMES_PER_ZONE) * 2 + zone) % TIMES.length] ?? 0;
    const days = random.drawBoolean(0.6)
      ? [1, 2, 3, 4, 5, 6, 7]
      : random.drawBoolean(0.7)
        ? [1, 2, 3, 4, 5]
        : [1 + random.drawInteger(7)];
    const target = { workspace: `T${channel % WORKSPACES}`, channel: `C${channel}` };
    await saveDigest(target, { days, minute, zone: zones[zone] ?? 'UTC' });
  }
  async function saveDigest(target: { workspace: string; channel: string }, rule: Rule): Promise<void> {
    // Each digest has its own owner, so that notices can be matched to digests.
    const owner = `U${histories.size}`;
    const digest = await instance.digests.save({ ...settings(target), ...toSettings(rule) }, owner);
    if (!digest) throw new Error('the new digest was not saved');
    const eventLog: DigestEvent[] = [{ at: state.order++, now: now(), kind: 'set', rule }];
    histories.set(digest.id, { id: digest.id, ...target, owner, eventLog, resendRequests: [] });
  }
  async function replaceDigest(id: string): Promise<void> {
    const removed = histories.get(id);
    const last = removed && findLastRule(removed.eventLog);
    if (removed && last) await saveDigest({ workspace: removed.workspace, channel: removed.channel }, last);
  }
  async function changeDigest(id: string, zone: number): Promise<void> {
    const digest = histories.get(id);
    if (!digest) return;
    // A "No digest" line is matched by time and zone, so no two digests of a channel may share them.
    const isUnused = ![...histories.values()].some(
      ({ channel, eventLog }) =>
        channel === digest.channel &&
        eventLog.some((event) => event.kind === 'set' && event.rule.zone === options.spareZones[zone]),
    );
    const currentZone = findLastRule(digest.eventLog)?.zone ?? 'UTC';
    const spare = options.spareZones[zone];
    const rule = {
      days: [1, 2, 3, 4, 5, 6, 7],
      minute: random.pick(TIMES),
      zone: isUnused && spare !== undefined ? spare : currentZone,
    };
    const target = { workspace: digest.workspace, channel: digest.channel };
    const saved = await instance.digests.save({ ...settings(target), ...toSettings(rule), id }, digest.owner);
    if (!saved) return;
    digest.eventLog.push({ at: state.order++, now: now(), kind: 'set', rule });
    if (saved.state === 'paused') addEvent(id, { kind: 'paused', by: 'owner' });
  }
  /** Records the pauses that the app caused. */
  async function recordPauses(): Promise<void> {
    const paused = await db.selectFrom('digest').select('id').where('state', '=', 'paused').execute();
    for (const { id } of paused) {
      const last = histories.get(id)?.eventLog.at(-1)?.kind;
      if (last !== 'paused' && last !== 'removed') addEvent(id, { kind: 'paused', by: 'app' });
    }
  }
  return {
    random,
    state,
    slack,
    histories,
    jumps,
    now,
    createDigest,
    replaceDigest,
    changeDigest,
    addEvent,
    recordPauses,
    channels,
    db,
    spareZones: options.spareZones,
    grainMs: options.grainMs ?? 1,
    get digests() {
      return instance.digests;
    },
    get life() {
      return instance.life;
    },
    restart() {
      instance = startInstance();
    },
    jump(ms: number) {
      const from = now();
      state.offset += ms;
      jumps.push({ at: state.order++, from, to: now() });
    },
    /** Runs one scan until it ends or the instance is killed. Resolves with the next due time (ms). */
    async turn(): Promise<number> {
      state.turns += 1;
      const next = await Promise.race([
        instance.digests.runOnce().then((at) => at.getTime()),
        instance.life.killed.promise.then(() => Number.POSITIVE_INFINITY),
      ]);
      await recordPauses();
      return instance.life.isDead ? Number.POSITIVE_INFINITY : next;
    },
  };
}

export type World = ReturnType<typeof createWorld>;

function toSettings(rule: { days: readonly number[]; minute: number; zone: string }) {
  const time = { hour: Math.floor(rule.minute / 60), minute: rule.minute % 60 };
  return { days: rule.days, zone: rule.zone, time };
}

function findLastRule(eventLog: readonly DigestEvent[]): Rule | undefined {
  const last = eventLog.findLast((event) => event.kind === 'set');
  return last?.kind === 'set' ? last.rule : undefined;
}

function drawFault(random: Random, share: number) {
  if (share === 0 || !random.drawBoolean(share)) return undefined;
  const drawnCommit = random.pick(['first', 'never', 'late'] as const);
  const commit = drawnCommit === 'late' ? { lateMs: random.drawInteger(10) * MINUTE } : drawnCommit;
  return random.pick([
    { kind: 'cut', commit },
    { kind: 'status', commit },
    { kind: 'internal', commit },
    { kind: 'ratelimited', seconds: 1 + random.drawInteger(90) },
    { kind: 'refused' },
  ] as const);
}
