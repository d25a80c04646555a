import type { FaultPlan as ServiceFaultPlan } from '../../../src/emulators/service/service.ts';
import type { SlackFaultPlan } from '../../../src/emulators/slack/faults/slack-fault-plan.ts';
import { createLuck, type Luck } from '../../support/luck.ts';

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

type DrawFault = (luck: Luck, options: PlanOptions) => DistributiveOmit<Fault, 'at'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

const SECOND = 1_000;

function drawBetween(luck: Luck, min: number, max: number): number {
  return Math.round(min + luck.next() * (max - min));
}

/** Picks one instance, or all instances in one of three cases. */
function pickInstance(luck: Luck, { instances }: PlanOptions): number | undefined {
  return luck.chance(1 / 3) ? undefined : luck.below(instances);
}

/** Draws a delay, mostly of a few seconds, but sometimes longer than any timeout. */
function drawDelayMs(luck: Luck): number {
  return Math.round(SECOND * 150 ** luck.next());
}

const STATEMENTS = [/^commit/i, /^insert into "submission"/i, /^(?:insert|update|with)\b/i];

/** Each kind of fault, its share of all faults, and how its details are drawn. */
const FAULTS: readonly (readonly [share: number, kind: Fault['kind'], draw: DrawFault])[] = [
  [
    2,
    'restart-database',
    (luck) => ({
      kind: 'restart-database',
      how: luck.pick(['fast', 'immediate']),
      ms: drawBetween(luck, 0, 20 * SECOND),
    }),
  ],
  [2, 'terminate-backends', (luck) => ({ kind: 'terminate-backends', count: 1 + luck.below(8), ms: 0 })],
  [
    3,
    'silent-cut',
    (luck, options) => ({
      kind: 'silent-cut',
      instance: pickInstance(luck, options),
      allowsNewConnections: luck.chance(0.5),
      ms: drawBetween(luck, 5 * SECOND, 60 * SECOND),
    }),
  ],
  [
    3,
    'delay-answers',
    (luck, options) => ({
      kind: 'delay-answers',
      instance: pickInstance(luck, options),
      lateMs: drawDelayMs(luck),
      ms: drawBetween(luck, 2 * SECOND, 30 * SECOND),
    }),
  ],
  [
    3,
    'late-answer',
    (luck, { instances }) => ({
      kind: 'late-answer',
      instance: luck.below(instances),
      to: luck.pick(STATEMENTS),
      lateMs: drawDelayMs(luck),
      ms: 30 * SECOND,
    }),
  ],
  [
    6,
    'lose-answers',
    (luck, { instances }) => ({
      kind: 'lose-answers',
      instance: luck.below(instances),
      to: luck.pick(STATEMENTS),
      count: 1 + luck.below(4),
      ms: 30 * SECOND,
    }),
  ],
  [
    3,
    'freeze',
    (luck, { instances }) => ({
      kind: 'freeze',
      instance: luck.below(instances),
      ms: drawBetween(luck, 5 * SECOND, 90 * SECOND),
    }),
  ],
  [2, 'kill', (luck, { instances }) => ({ kind: 'kill', instance: luck.below(instances), ms: 0 })],
  [1, 'drop-sockets', () => ({ kind: 'drop-sockets', ms: 0 })],
  [
    3,
    'slack',
    (luck) => ({ kind: 'slack', plan: drawSlackPlan(luck), ms: drawBetween(luck, 5 * SECOND, 40 * SECOND) }),
  ],
  [
    4,
    'service',
    (luck) => ({
      kind: 'service',
      plan: drawServicePlan(luck),
      ms: drawBetween(luck, 5 * SECOND, 40 * SECOND),
    }),
  ],
];

/** Plans the faults of a run in the order of their starts. The same seed gives the same faults. */
export function planFaults(options: PlanOptions): Fault[] {
  const luck = createLuck(options.seed);
  const { durationMs, meanGapMs, only } = options;
  const candidates = FAULTS.filter(([, kind]) => only === undefined || only.includes(kind));
  if (only?.some((kind) => !candidates.some(([, name]) => name === kind))) {
    throw new Error(`unknown kind of fault, available: ${FAULTS.map(([, kind]) => kind).join(', ')}`);
  }
  const shares = candidates.flatMap(([share, , draw]) => Array<DrawFault>(share).fill(draw));
  const faults: Fault[] = [];
  for (let at = meanGapMs; at < durationMs; at += -meanGapMs * Math.log(1 - luck.next())) {
    const drawn = luck.pick(shares)(luck, options);
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

function drawSlackPlan(luck: Luck): SlackFaultPlan {
  const seed = luck.below(1_000_000);
  return luck.pick<SlackFaultPlan>([
    { seed, webApi: [{ method: CALLS, fault: 'rate-limited', retryAfter: 1 + luck.below(5), share: 0.5 }] },
    {
      seed,
      webApi: [
        { method: WRITES, fault: 'cut', commit: 'first', share: 0.3 },
        { method: WRITES, fault: 'cut', commit: 'never', share: 0.2 },
      ],
    },
    {
      seed,
      webApi: [{ method: CALLS, fault: 'slow', delayMs: drawBetween(luck, SECOND, 5 * SECOND), share: 0.5 }],
    },
    { seed, webApi: [{ method: WRITES, fault: 'error', error: 'internal_error', share: 0.5 }] },
    { seed, webApi: [{ method: WRITES, fault: 'hang', commit: luck.pick(['first', 'never']), share: 0.2 }] },
    { seed, deliveries: [{ fault: 'duplicate', afterMs: luck.below(4 * SECOND), share: 0.5 }] },
    {
      seed,
      deliveries: [{ kind: ['view_submission', 'block_actions'], fault: 'unacknowledged', share: 0.4 }],
    },
  ]);
}

function drawServicePlan(luck: Luck): ServiceFaultPlan {
  const seed = luck.below(1_000_000);
  return luck.pick<ServiceFaultPlan>([
    { seed, rules: [{ fault: 'slow', delayMs: drawBetween(luck, SECOND, 10 * SECOND), share: 0.7 }] },
    { seed, rules: [{ fault: 'hang', commit: luck.pick(['first', 'never']), share: 0.3 }] },
    { seed, rules: [{ fault: 'cut', commit: 'first', share: 0.6 }] },
    { seed, rules: [{ fault: 'cut', commit: 'never', share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 503, share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 429, retryAfter: 1 + luck.below(5), share: 0.6 }] },
    { seed, down: true },
  ]);
}
