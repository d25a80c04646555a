import type { FaultPlan as ServiceFaultPlan } from '../../../src/emulators/service/service.ts';
import type { SlackFaultPlan } from '../../../src/emulators/slack/faults/slack-fault-plan.ts';
import { createLuck, type Luck } from '../../support/luck.ts';

/**
 * A fault, which starts `startsAfterMs` after the start of the run. An undefined `instance` means all instances.
 */
export type Fault = { startsAfterMs: number; durationMs: number } & (
  | { kind: 'restart-database'; mode: 'fast' | 'immediate' }
  | { kind: 'terminate-backends'; count: number }
  | { kind: 'silent-cut'; instance: number | undefined; allowsNewConnections: boolean }
  | { kind: 'delay-answers'; instance: number | undefined; delayMs: number }
  | { kind: 'late-answer'; instance: number; statement: RegExp; delayMs: number }
  | { kind: 'lose-answers'; instance: number; statement: RegExp; count: number }
  | { kind: 'freeze'; instance: number }
  | { kind: 'kill'; instance: number }
  | { kind: 'drop-sockets' }
  | { kind: 'slack'; plan: SlackFaultPlan }
  | { kind: 'service'; plan: ServiceFaultPlan }
);

interface PlanOptions {
  seed: number;
  durationMs: number;
  instanceCount: number;
  /** Average time between two faults. */
  meanGapMs: number;
  /** The longest that a fault lasts. */
  maxFaultMs: number;
  /** Plans only faults of these kinds. Defaults to all kinds. */
  onlyKinds?: readonly string[];
}

type DrawFault = (luck: Luck, options: PlanOptions) => DistributiveOmit<Fault, 'startsAfterMs'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

const SECOND_MS = 1_000;

function drawBetween(luck: Luck, min: number, max: number): number {
  return Math.round(min + luck.next() * (max - min));
}

/** Picks an instance. In a third of the cases returns undefined, which means all instances. */
function pickInstance(luck: Luck, { instanceCount }: PlanOptions): number | undefined {
  return luck.chance(1 / 3) ? undefined : luck.below(instanceCount);
}

/** Draws a delay of mostly a few seconds, but sometimes longer than any timeout. */
function drawDelayMs(luck: Luck): number {
  return Math.round(SECOND_MS * 150 ** luck.next());
}

const STATEMENT_PATTERNS = [/^commit/i, /^insert into "submission"/i, /^(?:insert|update|with)\b/i];

/** The kinds of faults, the relative frequency of each, and the function that draws the details. */
const FAULTS: readonly (readonly [share: number, kind: Fault['kind'], draw: DrawFault])[] = [
  [
    2,
    'restart-database',
    (luck) => ({
      kind: 'restart-database',
      mode: luck.pick(['fast', 'immediate']),
      durationMs: drawBetween(luck, 0, 20 * SECOND_MS),
    }),
  ],
  [
    2,
    'terminate-backends',
    (luck) => ({ kind: 'terminate-backends', count: 1 + luck.below(8), durationMs: 0 }),
  ],
  [
    3,
    'silent-cut',
    (luck, options) => ({
      kind: 'silent-cut',
      instance: pickInstance(luck, options),
      allowsNewConnections: luck.chance(0.5),
      durationMs: drawBetween(luck, 5 * SECOND_MS, 60 * SECOND_MS),
    }),
  ],
  [
    3,
    'delay-answers',
    (luck, options) => ({
      kind: 'delay-answers',
      instance: pickInstance(luck, options),
      delayMs: drawDelayMs(luck),
      durationMs: drawBetween(luck, 2 * SECOND_MS, 30 * SECOND_MS),
    }),
  ],
  [
    3,
    'late-answer',
    (luck, { instanceCount }) => ({
      kind: 'late-answer',
      instance: luck.below(instanceCount),
      statement: luck.pick(STATEMENT_PATTERNS),
      delayMs: drawDelayMs(luck),
      durationMs: 30 * SECOND_MS,
    }),
  ],
  [
    6,
    'lose-answers',
    (luck, { instanceCount }) => ({
      kind: 'lose-answers',
      instance: luck.below(instanceCount),
      statement: luck.pick(STATEMENT_PATTERNS),
      count: 1 + luck.below(4),
      durationMs: 30 * SECOND_MS,
    }),
  ],
  [
    3,
    'freeze',
    (luck, { instanceCount }) => ({
      kind: 'freeze',
      instance: luck.below(instanceCount),
      durationMs: drawBetween(luck, 5 * SECOND_MS, 90 * SECOND_MS),
    }),
  ],
  [
    2,
    'kill',
    (luck, { instanceCount }) => ({ kind: 'kill', instance: luck.below(instanceCount), durationMs: 0 }),
  ],
  [1, 'drop-sockets', () => ({ kind: 'drop-sockets', durationMs: 0 })],
  [
    3,
    'slack',
    (luck) => ({
      kind: 'slack',
      plan: drawSlackPlan(luck),
      durationMs: drawBetween(luck, 5 * SECOND_MS, 40 * SECOND_MS),
    }),
  ],
  [
    4,
    'service',
    (luck) => ({
      kind: 'service',
      plan: drawServicePlan(luck),
      durationMs: drawBetween(luck, 5 * SECOND_MS, 40 * SECOND_MS),
    }),
  ],
];

/** Plans the faults of a run in the order of their starts. The same seed gives the same faults. */
export function planFaults(options: PlanOptions): Fault[] {
  const luck = createLuck(options.seed);
  const { durationMs: runMs, meanGapMs, onlyKinds } = options;
  const candidates = FAULTS.filter(([, kind]) => onlyKinds === undefined || onlyKinds.includes(kind));
  if (onlyKinds?.some((kind) => !candidates.some(([, name]) => name === kind))) {
    throw new Error(`unknown kind of fault, available: ${FAULTS.map(([, kind]) => kind).join(', ')}`);
  }
  const weightedDraws = candidates.flatMap(([share, , draw]) => Array<DrawFault>(share).fill(draw));
  const faults: Fault[] = [];
  for (let startMs = meanGapMs; startMs < runMs; startMs += -meanGapMs * Math.log(1 - luck.next())) {
    const fault = luck.pick(weightedDraws)(luck, options);
    const durationMs = Math.min(fault.durationMs, options.maxFaultMs);
    faults.push({ ...fault, startsAfterMs: Math.round(startMs), durationMs });
  }
  return faults;
}

/** Methods of Slack that may fail. All others work, so that authors can open and read messages and forms. */
const FAILING_METHODS = [
  'views.open',
  'views.update',
  'chat.postMessage',
  'chat.update',
  'conversations.history',
  'users.info',
];
const FAILING_WRITES = ['views.update', 'chat.postMessage'];

function drawSlackPlan(luck: Luck): SlackFaultPlan {
  const seed = luck.below(1_000_000);
  return luck.pick<SlackFaultPlan>([
    {
      seed,
      webApi: [{ method: FAILING_METHODS, fault: 'rate-limited', retryAfter: 1 + luck.below(5), share: 0.5 }],
    },
    {
      seed,
      webApi: [
        { method: FAILING_WRITES, fault: 'cut', commit: 'first', share: 0.3 },
        { method: FAILING_WRITES, fault: 'cut', commit: 'never', share: 0.2 },
      ],
    },
    {
      seed,
      webApi: [
        {
          method: FAILING_METHODS,
          fault: 'slow',
          delayMs: drawBetween(luck, SECOND_MS, 5 * SECOND_MS),
          share: 0.5,
        },
      ],
    },
    { seed, webApi: [{ method: FAILING_WRITES, fault: 'error', error: 'internal_error', share: 0.5 }] },
    {
      seed,
      webApi: [{ method: FAILING_WRITES, fault: 'hang', commit: luck.pick(['first', 'never']), share: 0.2 }],
    },
    { seed, deliveries: [{ fault: 'duplicate', afterMs: luck.below(4 * SECOND_MS), share: 0.5 }] },
    {
      seed,
      deliveries: [{ kind: ['view_submission', 'block_actions'], fault: 'unacknowledged', share: 0.4 }],
    },
  ]);
}

function drawServicePlan(luck: Luck): ServiceFaultPlan {
  const seed = luck.below(1_000_000);
  return luck.pick<ServiceFaultPlan>([
    { seed, rules: [{ fault: 'slow', delayMs: drawBetween(luck, SECOND_MS, 10 * SECOND_MS), share: 0.7 }] },
    { seed, rules: [{ fault: 'hang', commit: luck.pick(['first', 'never']), share: 0.3 }] },
    { seed, rules: [{ fault: 'cut', commit: 'first', share: 0.6 }] },
    { seed, rules: [{ fault: 'cut', commit: 'never', share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 503, share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 429, retryAfter: 1 + luck.below(5), share: 0.6 }] },
    { seed, down: true },
  ]);
}
