import type { FaultPlan as ServiceFaultPlan } from '../../../src/emulators/service/service.ts';
import type { SlackFaultPlan } from '../../../src/emulators/slack/faults/slack-fault-plan.ts';
import { createRandom, type Random } from '../../support/random.ts';

/**
 * A fault. `at` is the time from the start of the run to the fault, `ms` its duration. No `instance` means all
 * instances.
 */
export type Fault = { at: number; ms: number } & (
  | { kind: 'restart-database'; how: 'fast' | 'immediate' }
  | { kind: 'terminate-backends'; count: number }
  | { kind: 'silent-cut'; instance: number | undefined; allowsNewConnections: boolean }
  | { kind: 'delay-answers'; instance: number | undefined; lateMs: number }
  | { kind: 'late-answer'; instance: number; to: RegExp; lateMs: number }
  | { kind: 'lose-answers'; instance: number; to: RegExp; count: number }
  | { kind: 'freeze'; instance: number }
  | { kind: 'kill'; instance: number }
  | { kind: 'drop-sockets' }
  | { kind: 'slack'; plan: SlackFaultPlan }
  | { kind: 'service'; plan: ServiceFaultPlan }
);

interface PlanOptions {
  seed: number;
  durationMs: number;
  instances: number;
  /** Average time between two faults. */
  meanGapMs: number;
  /** The longest that a fault lasts. */
  maxFaultMs: number;
  /** Plans only faults of these kinds. Defaults to all kinds. */
  only?: readonly string[];
}

type DrawFault = (random: Random, options: PlanOptions) => DistributiveOmit<Fault, 'at'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

const SECOND = 1_000;

function drawBetween(random: Random, min: number, max: number): number {
  return Math.round(min + random.next() * (max - min));
}

/** Picks one instance, or all instances in one of three cases. */
function pickInstance(random: Random, { instances }: PlanOptions): number | undefined {
  return random.chance(1 / 3) ? undefined : random.below(instances);
}

/** Draws a delay, mostly of a few seconds, but sometimes longer than any timeout. */
function drawDelayMs(random: Random): number {
  return Math.round(SECOND * 150 ** random.next());
}

const STATEMENTS = [/^commit/i, /^insert into "submission"/i, /^(?:insert|update|with)\b/i];

/** Each kind of fault, its share of all faults, and how its details are drawn. */
const FAULTS: readonly (readonly [share: number, kind: Fault['kind'], draw: DrawFault])[] = [
  [
    2,
    'restart-database',
    (random) => ({
      kind: 'restart-database',
      how: random.pick(['fast', 'immediate']),
      ms: drawBetween(random, 0, 20 * SECOND),
    }),
  ],
  [2, 'terminate-backends', (random) => ({ kind: 'terminate-backends', count: 1 + random.below(8), ms: 0 })],
  [
    3,
    'silent-cut',
    (random, options) => ({
      kind: 'silent-cut',
      instance: pickInstance(random, options),
      allowsNewConnections: random.chance(0.5),
      ms: drawBetween(random, 5 * SECOND, 60 * SECOND),
    }),
  ],
  [
    3,
    'delay-answers',
    (random, options) => ({
      kind: 'delay-answers',
      instance: pickInstance(random, options),
      lateMs: drawDelayMs(random),
      ms: drawBetween(random, 2 * SECOND, 30 * SECOND),
    }),
  ],
  [
    3,
    'late-answer',
    (random, { instances }) => ({
      kind: 'late-answer',
      instance: random.below(instances),
      to: random.pick(STATEMENTS),
      lateMs: drawDelayMs(random),
      ms: 30 * SECOND,
    }),
  ],
  [
    6,
    'lose-answers',
    (random, { instances }) => ({
      kind: 'lose-answers',
      instance: random.below(instances),
      to: random.pick(STATEMENTS),
      count: 1 + random.below(4),
      ms: 30 * SECOND,
    }),
  ],
  [
    3,
    'freeze',
    (random, { instances }) => ({
      kind: 'freeze',
      instance: random.below(instances),
      ms: drawBetween(random, 5 * SECOND, 90 * SECOND),
    }),
  ],
  [2, 'kill', (random, { instances }) => ({ kind: 'kill', instance: random.below(instances), ms: 0 })],
  [1, 'drop-sockets', () => ({ kind: 'drop-sockets', ms: 0 })],
  [
    3,
    'slack',
    (random) => ({
      kind: 'slack',
      plan: drawSlackPlan(random),
      ms: drawBetween(random, 5 * SECOND, 40 * SECOND),
    }),
  ],
  [
    4,
    'service',
    (random) => ({
      kind: 'service',
      plan: drawServicePlan(random),
      ms: drawBetween(random, 5 * SECOND, 40 * SECOND),
    }),
  ],
];

/** Plans the faults of a run in the order of their starts. The same seed gives the same faults. */
export function planFaults(options: PlanOptions): Fault[] {
  const random = createRandom(options.seed);
  const { durationMs, meanGapMs, only } = options;
  const candidates = FAULTS.filter(([, kind]) => only === undefined || only.includes(kind));
  if (only?.some((kind) => !candidates.some(([, name]) => name === kind))) {
    throw new Error(`unknown kind of fault, available: ${FAULTS.map(([, kind]) => kind).join(', ')}`);
  }
  const shares = candidates.flatMap(([share, , draw]) => Array<DrawFault>(share).fill(draw));
  const faults: Fault[] = [];
  for (let at = meanGapMs; at < durationMs; at += -meanGapMs * Math.log(1 - random.next())) {
    const drawn = random.pick(shares)(random, options);
    faults.push({ ...drawn, at: Math.round(at), ms: Math.min(drawn.ms, options.maxFaultMs) });
  }
  return faults;
}

/** Methods of Slack that may fail. Other methods keep working, so that authors can open and read messages and forms. */
const CALLS = [
  'views.open',
  'views.update',
  'chat.postMessage',
  'chat.update',
  'conversations.history',
  'users.info',
];
const WRITES = ['views.update', 'chat.postMessage'];

function drawSlackPlan(random: Random): SlackFaultPlan {
  const seed = random.below(1_000_000);
  return random.pick<SlackFaultPlan>([
    { seed, webApi: [{ method: CALLS, fault: 'rate-limited', retryAfter: 1 + random.below(5), share: 0.5 }] },
    {
      seed,
      webApi: [
        { method: WRITES, fault: 'cut', commit: 'first', share: 0.3 },
        { method: WRITES, fault: 'cut', commit: 'never', share: 0.2 },
      ],
    },
    {
      seed,
      webApi: [
        { method: CALLS, fault: 'slow', delayMs: drawBetween(random, SECOND, 5 * SECOND), share: 0.5 },
      ],
    },
    { seed, webApi: [{ method: WRITES, fault: 'error', error: 'internal_error', share: 0.5 }] },
    {
      seed,
      webApi: [{ method: WRITES, fault: 'hang', commit: random.pick(['first', 'never']), share: 0.2 }],
    },
    { seed, deliveries: [{ fault: 'duplicate', afterMs: random.below(4 * SECOND), share: 0.5 }] },
    {
      seed,
      deliveries: [{ kind: ['view_submission', 'block_actions'], fault: 'unacknowledged', share: 0.4 }],
    },
  ]);
}

function drawServicePlan(random: Random): ServiceFaultPlan {
  const seed = random.below(1_000_000);
  return random.pick<ServiceFaultPlan>([
    { seed, rules: [{ fault: 'slow', delayMs: drawBetween(random, SECOND, 10 * SECOND), share: 0.7 }] },
    { seed, rules: [{ fault: 'hang', commit: random.pick(['first', 'never']), share: 0.3 }] },
    { seed, rules: [{ fault: 'cut', commit: 'first', share: 0.6 }] },
    { seed, rules: [{ fault: 'cut', commit: 'never', share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 503, share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 429, retryAfter: 1 + random.below(5), share: 0.6 }] },
    { seed, down: true },
  ]);
}
