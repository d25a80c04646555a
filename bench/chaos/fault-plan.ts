import type { FaultPlan as ServiceFaultPlan } from 'scheduling-service-emulator';
import type { SlackFaultPlan } from 'slack-workspace-emulator';
import { createRandom, type Random } from '../../test/support/random.ts';

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

export interface PlanOptions {
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

type DrawFault = (random: Random, options: PlanOptions) => DistributiveOmit<Fault, 'startsAfterMs'>;
type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

const SECOND_MS = 1_000;

function drawBetween(random: Random, min: number, max: number): number {
  return Math.round(min + random.next() * (max - min));
}

/** Picks an instance. In a third of the cases returns undefined, which means all instances. */
function pickInstance(random: Random, { instanceCount }: PlanOptions): number | undefined {
  return random.drawBoolean(1 / 3) ? undefined : random.drawInteger(instanceCount);
}

/** Draws a delay of mostly a few seconds, but sometimes longer than any timeout. */
function drawDelayMs(random: Random): number {
  return Math.round(SECOND_MS * 150 ** random.next());
}

const STATEMENT_PATTERNS = [/^commit/i, /^insert into "submission"/i, /^(?:insert|update|with)\b/i];

/** The kinds of faults, each with its relative frequency and the function that draws the details. */
const FAULTS: readonly (readonly [share: number, kind: Fault['kind'], draw: DrawFault])[] = [
  [
    2,
    'restart-database',
    (random) => ({
      kind: 'restart-database',
      mode: random.pick(['fast', 'immediate']),
      durationMs: drawBetween(random, 0, 20 * SECOND_MS),
    }),
  ],
  [
    2,
    'terminate-backends',
    (random) => ({ kind: 'terminate-backends', count: 1 + random.drawInteger(8), durationMs: 0 }),
  ],
  [
    3,
    'silent-cut',
    (random, options) => ({
      kind: 'silent-cut',
      instance: pickInstance(random, options),
      allowsNewConnections: random.drawBoolean(0.5),
      durationMs: drawBetween(random, 5 * SECOND_MS, 60 * SECOND_MS),
    }),
  ],
  [
    3,
    'delay-answers',
    (random, options) => ({
      kind: 'delay-answers',
      instance: pickInstance(random, options),
      delayMs: drawDelayMs(random),
      durationMs: drawBetween(random, 2 * SECOND_MS, 30 * SECOND_MS),
    }),
  ],
  [
    3,
    'late-answer',
    (random, { instanceCount }) => ({
      kind: 'late-answer',
      instance: random.drawInteger(instanceCount),
      statement: random.pick(STATEMENT_PATTERNS),
      delayMs: drawDelayMs(random),
      durationMs: 30 * SECOND_MS,
    }),
  ],
  [
    6,
    'lose-answers',
    (random, { instanceCount }) => ({
      kind: 'lose-answers',
      instance: random.drawInteger(instanceCount),
      statement: random.pick(STATEMENT_PATTERNS),
      count: 1 + random.drawInteger(4),
      durationMs: 30 * SECOND_MS,
    }),
  ],
  [
    3,
    'freeze',
    (random, { instanceCount }) => ({
      kind: 'freeze',
      instance: random.drawInteger(instanceCount),
      durationMs: drawBetween(random, 5 * SECOND_MS, 90 * SECOND_MS),
    }),
  ],
  [
    2,
    'kill',
    (random, { instanceCount }) => ({
      kind: 'kill',
      instance: random.drawInteger(instanceCount),
      durationMs: 0,
    }),
  ],
  [1, 'drop-sockets', () => ({ kind: 'drop-sockets', durationMs: 0 })],
  [
    3,
    'slack',
    (random) => ({
      kind: 'slack',
      plan: drawSlackPlan(random),
      durationMs: drawBetween(random, 5 * SECOND_MS, 40 * SECOND_MS),
    }),
  ],
  [
    4,
    'service',
    (random) => ({
      kind: 'service',
      plan: drawServicePlan(random),
      durationMs: drawBetween(random, 5 * SECOND_MS, 40 * SECOND_MS),
    }),
  ],
];

/** Plans the faults of a run in the order of their starts. The same seed gives the same faults. */
export function planFaults(options: PlanOptions): Fault[] {
  const random = createRandom(options.seed);
  const { durationMs: runMs, meanGapMs, onlyKinds } = options;
  const candidates = FAULTS.filter(([, kind]) => onlyKinds === undefined || onlyKinds.includes(kind));
  if (onlyKinds?.some((kind) => !candidates.some(([, name]) => name === kind))) {
    throw new Error(`unknown kind of fault, available: ${FAULTS.map(([, kind]) => kind).join(', ')}`);
  }
  const weightedDraws = candidates.flatMap(([share, , draw]) => Array<DrawFault>(share).fill(draw));
  const faults: Fault[] = [];
  for (let startMs = meanGapMs; startMs < runMs; startMs += -meanGapMs * Math.log(1 - random.next())) {
    const fault = random.pick(weightedDraws)(random, options);
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

function drawSlackPlan(random: Random): SlackFaultPlan {
  const seed = random.drawInteger(1_000_000);
  return random.pick<SlackFaultPlan>([
    {
      seed,
      webApi: [
        { method: FAILING_METHODS, fault: 'rate-limited', retryAfter: 1 + random.drawInteger(5), share: 0.5 },
      ],
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
          delayMs: drawBetween(random, SECOND_MS, 5 * SECOND_MS),
          share: 0.5,
        },
      ],
    },
    { seed, webApi: [{ method: FAILING_WRITES, fault: 'error', error: 'internal_error', share: 0.5 }] },
    {
      seed,
      webApi: [
        { method: FAILING_WRITES, fault: 'hang', commit: random.pick(['first', 'never']), share: 0.2 },
      ],
    },
    { seed, deliveries: [{ fault: 'duplicate', afterMs: random.drawInteger(4 * SECOND_MS), share: 0.5 }] },
    {
      seed,
      deliveries: [{ kind: ['view_submission', 'block_actions'], fault: 'unacknowledged', share: 0.4 }],
    },
  ]);
}

function drawServicePlan(random: Random): ServiceFaultPlan {
  const seed = random.drawInteger(1_000_000);
  return random.pick<ServiceFaultPlan>([
    { seed, rules: [{ fault: 'slow', delayMs: drawBetween(random, SECOND_MS, 10 * SECOND_MS), share: 0.7 }] },
    { seed, rules: [{ fault: 'hang', commit: random.pick(['first', 'never']), share: 0.3 }] },
    { seed, rules: [{ fault: 'cut', commit: 'first', share: 0.6 }] },
    { seed, rules: [{ fault: 'cut', commit: 'never', share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 503, share: 0.6 }] },
    { seed, rules: [{ fault: 'status', status: 429, retryAfter: 1 + random.drawInteger(5), share: 0.6 }] },
    { seed, down: true },
  ]);
}
