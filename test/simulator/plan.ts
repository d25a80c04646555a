import fc from 'fast-check';
import { ROLES } from '../../src/access/access.ts';
import { CONDITIONS, type Condition, type Target } from './network.ts';
import type { ServiceWays } from './service.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** When posts go out, as people write it. */
const TIMES = [
  'in 20 minutes',
  'in 45 minutes',
  'in 2 hours',
  'today 23:30',
  'tomorrow 9am',
  'in 26 hours',
  'sunday 18:00',
  'yesterday 9am',
  'next slot',
  'next slot',
  'next slot',
  'next slot after tomorrow',
] as const;

/** Times within the steps of a plan, so that its posts reach the service while things happen to them. */
const NEAR_TIMES = ['in 20 minutes', 'in 45 minutes', 'in 2 hours', 'today 23:30', 'tomorrow 9am'] as const;
const SLOTS = ['next slot', 'next slot', 'next slot', 'next slot after tomorrow'] as const;

/** When the posts of a series go out. A model of its own knows the dates of these rules. */
const SERIES_TIMES = [
  'every day at 9',
  'every day at 13:00',
  'every weekday at 17:00',
  'every monday at 9',
] as const;

/** The buttons of the card of a series. The later ones are on the card that one of its posts opens. */
const SERIES_LABELS = [
  'Pause',
  'Resume',
  'Cancel',
  'Undo',
  'Edit',
  'Undo edit',
  'Take over',
  'Cancel this and later',
  'Edit this and later',
] as const;

/** What else people type. PROJECT is replaced. */
const COMMANDS = [
  '/upnext posts PROJECT',
  '/upnext outbox',
  '/upnext policy PROJECT',
  '/upnext next',
  '/upnext roles',
  '/upnext zone me Tokyo',
  '/upnext notifications',
  '/upnext status',
] as const;
const DIGESTS = [
  '/upnext digest every day 8:30 PROJECT',
  '/upnext digest every day 2:30 in Europe/Berlin for PROJECT',
  '/upnext digest every day 0:00 in America/New_York for PROJECT',
  '/upnext digest weekdays 23:45 in Australia/Lord_Howe for PROJECT',
  '/upnext digest list',
] as const;

/**
 * When simulations begin, UTC. The first days of some have a change of the clocks: Berlin on 25 October 2026, New York on
 * 1 November 2026 and 14 March 2027, Lord Howe on 4 April 2027.
 */
const STARTS = [
  '2026-10-24T06:00Z',
  '2026-10-31T10:00Z',
  '2026-11-20T10:00Z',
  '2027-03-13T10:00Z',
  '2027-04-02T22:00Z',
];

/** Indexes of people. Publishers and reviewers do most. */
const PEOPLE = [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5];
/** Those who may schedule posts. */
const PLANNERS = [1, 2, 2, 3];
/** Indexes of projects: the first sends posts to the service at once, the last after a review. */
const [PLAIN, KEPT, CHECKED] = [0, 1, 2];

/** An index into a list whose length isn't known yet. */
const index = fc.nat({ max: 11 });
const duration = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 4 * SECOND }) },
  { weight: 8, arbitrary: fc.integer({ min: 5 * SECOND, max: 90 * SECOND }) },
  { weight: 4, arbitrary: fc.integer({ min: 2 * MINUTE, max: 50 * MINUTE }) },
  { weight: 1, arbitrary: fc.integer({ min: HOUR, max: 14 * HOUR }) },
);
/** Most people belong to the first workspace, so that they meet. */
const workspace = fc.oneof(
  { weight: 11, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
);
const actor = { workspace, person: fc.constantFrom(...PEOPLE) };
const planner = { workspace, person: fc.constantFrom(...PLANNERS) };
const manager = { workspace, person: fc.constantFrom(1, 1, 1, 0, 2) };
/** What becomes of a form that opens. `twice`: from two devices at the same time. `late`: after minutes. */
const ending: fc.Arbitrary<'submit' | 'twice' | 'late' | 'close' | 'leave'> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('submit' as const) },
  { weight: 2, arbitrary: fc.constant('twice' as const) },
  { weight: 1, arbitrary: fc.constant('late' as const) },
  { weight: 1, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('leave' as const) },
);
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const seldom = fc.oneof(
  { weight: 5, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

/** Where the posts of a plan are, and when they go out. */
interface Scene {
  projects: readonly number[];
  times: readonly (typeof TIMES)[number][];
}

const line = ({ projects, times }: Scene, how = { ending }) =>
  fc.record({
    ...{ kind: kind('line'), ...planner, project: fc.constantFrom(...projects) },
    ...{ time: fc.constantFrom(...times), ...how, isDraft: seldom },
  });
const form = ({ projects, times }: Scene, how = { ending }) =>
  fc.record({
    ...{ kind: kind('form'), ...planner, project: fc.constantFrom(...projects) },
    ...{ time: fc.constantFrom(...times), ...how, isDraft: seldom },
    platforms: fc.constantFrom(['X'], ['X', 'LINKEDIN'], ['X', 'LINKEDIN'], ['X', 'LINKEDIN', 'THREADS']),
    hasPicture: fc.constantFrom(false, false, true),
    /** The platforms that get a text of their own. */
    differs: fc.constantFrom([], ['X'], ['X'], ['X', 'THREADS']),
  });
/** A button that the person looks for: in what they see, and then in the list of the project's posts. */
const press = ({ projects, times }: Scene, labels: readonly string[], by: typeof actor = actor) =>
  fc.record({
    ...{ kind: kind('press'), ...by, project: fc.constantFrom(...projects) },
    ...{ label: fc.constantFrom(...labels), nth: index, ending, time: fc.constantFrom(...times) },
    /** Whether the person looks at an earlier version of the message. */
    isOld: seldom,
  });
const series = fc.record({
  ...{ kind: kind('series'), ...planner, project: fc.constantFrom(KEPT, KEPT, KEPT, CHECKED), ending },
  ...{ isLine: fc.boolean(), time: fc.constantFrom(...SERIES_TIMES) },
  /** What the person presses on the card of a series later. */
  afterwards: fc.array(fc.constantFrom(...SERIES_LABELS), { maxLength: 3 }),
  waitMs: duration,
});
const seriesPress = fc.record({
  ...{ kind: kind('series-press'), ...planner, project: fc.constantFrom(KEPT, KEPT, KEPT, CHECKED), ending },
  ...{ nth: index, label: fc.constantFrom(...SERIES_LABELS), time: fc.constantFrom(...SERIES_TIMES) },
});
/** Rows are pasted, and imported. `after`: what the author presses then. */
const imported = ({ projects }: Scene) =>
  fc.record({
    ...{ kind: kind('import'), ...planner, project: fc.constantFrom(...projects) },
    rows: fc.integer({ min: 1, max: 4 }),
    hasSlots: fc.boolean(),
    presses: fc.constantFrom(0, 1, 1, 2, 2),
    after: fc.constantFrom('nothing', 'nothing', 'Stop', 'Undo import…', 'the same rows'),
  });
const command = ({ projects }: Scene, lines: readonly string[], by: typeof actor = actor) =>
  fc.record({
    ...{ kind: kind('command'), ...by, project: fc.constantFrom(...projects) },
    text: fc.constantFrom(...lines),
  });
const home = fc.record({ kind: kind('home'), ...actor });
const policy = ({ projects }: Scene) =>
  fc.record({
    ...{ kind: kind('policy'), workspace, project: fc.constantFrom(...projects) },
    review: fc.constantFrom('required', 'required', 'optional', 'off'),
    /** Whether the project is stopped for minutes, so that posts wait for the service while their policy changes. */
    isStopped: fc.boolean(),
  });
/** The manager goes through the posts that wait for a review, and approves most of them. */
const reviewAll = fc.record({ kind: kind('review-all'), workspace });
/** The manager stops a project, or resumes it. */
const stop = ({ projects }: Scene) =>
  fc.record({
    ...{ kind: kind('stop'), workspace, project: fc.constantFrom(...projects), isStopped: fc.boolean() },
  });
/** Somebody leaves, or comes back. */
const leave = fc.record({ kind: kind('leave'), ...planner });
/** Mostly somebody who may schedule posts gets a lower role. */
const role = fc.record({
  ...{ kind: kind('role'), ...planner },
  role: fc.constantFrom('none', 'none', 'viewer', ...ROLES.filter((name) => name !== 'owner')),
});
const reinstall = fc.record({ kind: kind('reinstall'), workspace, afterMs: duration });

/** How long something is broken: usually for longer than the next steps take. */
const outage = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 5 * SECOND, max: 3 * MINUTE }) },
  { weight: 3, arbitrary: fc.integer({ min: 3 * MINUTE, max: 2 * HOUR }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 * HOUR, max: 30 * HOUR }) },
);
const condition = (target: Target, conditions: readonly Condition[] = BAD_CONDITIONS) =>
  fc.record({
    ...{ kind: kind('condition'), target: fc.constant(target) },
    ...{ condition: fc.constantFrom(...conditions), forMs: outage },
  });
const BAD_CONDITIONS = CONDITIONS.filter((one) => one !== 'fine');
/**
 * An instance dies at the n-th call from now, or stands still there: at its own, or at whichever makes the n-th call to this
 * target. `sending`: between the statement that says so and the call.
 */
const kill = (targets: readonly ('any' | 'service' | 'slack' | 'sending')[]) =>
  fc.record({
    ...{ kind: kind('kill'), instance: index, isAfterEffect: fc.boolean(), downMs: duration },
    ...{ calls: fc.integer({ min: 1, max: 30 }), target: fc.constantFrom(...targets), freezes: seldom },
  });
const freeze = fc.record({ kind: kind('freeze'), instance: index, forMs: outage });
const clock = fc.record({
  ...{ kind: kind('clock'), instance: index },
  offsetMs: fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }),
});
const token = fc.record({ kind: kind('token'), workspace, forMs: outage });
const backup = (isRestore: boolean) => fc.record({ kind: kind('backup'), isRestore: fc.constant(isRestore) });

/** Buttons of a post that can still be changed. */
const CHANGES = ['Edit', 'Move to…', 'Cancel post', 'Undo', 'Hand over now'];
/** Buttons of a post whose request failed, or may have arrived. */
const FAILURES = [
  'Check again',
  'Send again',
  'Retry now',
  'Schedule again',
  'Try',
  'Discard',
  'New time',
  'Fix and send again',
];
const REVIEWS = ['Send for review', 'Approve', 'Approve', 'Request changes', 'Reject', 'Edit'];

/**
 * What a plan can be about. Each plan is about few of these, so that they meet: plans about everything rarely have two steps
 * that concern each other. The steps of each are drawn with equal weights, so a common one is there more than once.
 */
const MECHANISMS = {
  delivery: {
    projects: [PLAIN, KEPT],
    times: NEAR_TIMES,
    steps: (scene) => [
      form(scene),
      condition('service'),
      condition('service', ['lossy', 'silent', 'odd']),
      kill(['service', 'sending']),
      press(scene, FAILURES),
      press(scene, FAILURES),
    ],
  },
  changes: {
    projects: [KEPT, KEPT, PLAIN],
    times: NEAR_TIMES,
    steps: (scene) => [
      press(scene, CHANGES),
      press(scene, CHANGES),
      press(scene, CHANGES),
      command(scene, ['/upnext edit PROJECT']),
    ],
  },
  review: {
    projects: [CHECKED],
    times: ['in 2 hours', 'today 23:30', 'tomorrow 9am', 'in 26 hours'],
    steps: (scene) => [
      press(scene, REVIEWS),
      press(scene, ['Approve', 'Approve', 'Request changes', 'Reject', 'Undo'], manager),
      reviewAll,
      reviewAll,
      press(scene, ['Edit', 'Move to…', 'Cancel post']),
      policy(scene),
    ],
  },
  parts: {
    projects: [PLAIN, KEPT],
    times: NEAR_TIMES,
    steps: (scene) => [
      form(scene),
      form(scene),
      condition('service', ['lossy', 'odd', 'silent']),
      press(scene, ['Try', 'Send again', 'Edit', 'Discard', 'Duplicate']),
    ],
  },
  slots: {
    projects: [KEPT, KEPT, CHECKED],
    times: SLOTS,
    steps: (scene) => [
      form(scene),
      line(scene),
      press(scene, ['Fill', 'Cancel post', 'Undo', 'Move to…', 'Edit']),
      imported(scene),
      command(scene, ['/upnext next']),
    ],
  },
  series: {
    projects: [KEPT, CHECKED],
    times: NEAR_TIMES,
    steps: (scene) => [series, seriesPress, seriesPress, press(scene, CHANGES)],
  },
  imports: {
    projects: [PLAIN, KEPT, CHECKED],
    times: NEAR_TIMES,
    steps: (scene) => [imported(scene), imported(scene), press(scene, CHANGES), kill(['any', 'service'])],
  },
  drafts: {
    projects: [KEPT, PLAIN, CHECKED],
    times: NEAR_TIMES,
    steps: (scene) => [
      line(scene),
      press(scene, ['Schedule', 'Save as draft', 'Duplicate', 'Edit', 'Send for review', 'Undo']),
      press(scene, ['Save as draft', 'Schedule', 'Cancel post', 'Undo']),
    ],
  },
  stops: {
    projects: [PLAIN, KEPT, CHECKED],
    times: NEAR_TIMES,
    steps: (scene) => [
      stop(scene),
      stop(scene),
      form(scene),
      line(scene),
      policy(scene),
      press(scene, ['Stop sending', 'Resume', 'Retry now', ...CHANGES]),
    ],
  },
  people: {
    projects: [KEPT, CHECKED],
    times: NEAR_TIMES,
    steps: (scene) => [
      leave,
      role,
      role,
      home,
      press(scene, ['Take over', 'Approve', 'Edit', 'Comment']),
      command(scene, ['/upnext roles', '/upnext notifications']),
    ],
  },
  digests: {
    projects: [PLAIN, KEPT],
    times: NEAR_TIMES,
    steps: (scene) => [
      command(scene, DIGESTS, manager),
      condition('slack'),
      condition('service'),
      kill(['slack']),
    ],
  },
  instances: {
    projects: [PLAIN, KEPT],
    times: NEAR_TIMES,
    steps: (scene) => [
      kill(['any', 'service', 'slack', 'sending', 'sending']),
      kill(['any', 'sending']),
      form(scene),
      freeze,
      clock,
      condition('database'),
    ],
  },
  recovery: {
    projects: [PLAIN, KEPT, CHECKED],
    times: NEAR_TIMES,
    steps: (scene) => [backup(false), backup(true), token, reinstall, press(scene, FAILURES)],
  },
} satisfies Record<string, Scene & { steps(scene: Scene): fc.Arbitrary<unknown>[] }>;

type Mechanism = keyof typeof MECHANISMS;
type ArbitraryStep = ReturnType<(typeof MECHANISMS)[Mechanism]['steps']>[number];
export type Step = ArbitraryStep extends fc.Arbitrary<infer Value> ? Value : never;
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** How the service differs from others. The first of each is the usual one. */
const service: fc.Arbitrary<ServiceWays> = fc.record({
  spelling: fc.constantFrom('as-sent', 'lower-case', 'text'),
  pages: fc.constantFrom('whole', 'capped', 'first-only'),
  otherPosts: fc.constantFrom(0, 12),
  outcome: fc.constantFrom('status', 'status', 'log'),
});

/** How a system behaves whenever nothing else is wrong with it. */
const climate = fc.constantFrom('fine', 'fine', 'fine', 'lossy', 'odd', 'slow');

/** Mechanisms that meet where faults are: half of the plans are about one of these pairs. */
const PAIRS: readonly (readonly [Mechanism, Mechanism])[] = [
  ['delivery', 'people'],
  ['delivery', 'review'],
  ['delivery', 'stops'],
  ['delivery', 'drafts'],
  ['delivery', 'instances'],
  ['parts', 'delivery'],
  ['parts', 'changes'],
  ['changes', 'instances'],
  ['changes', 'review'],
  ['review', 'people'],
  ['review', 'drafts'],
  ['slots', 'changes'],
  ['slots', 'imports'],
  ['series', 'changes'],
  ['series', 'stops'],
  ['imports', 'instances'],
  ['digests', 'instances'],
  ['recovery', 'delivery'],
];
const mechanisms = fc.oneof(
  fc.shuffledSubarray(Object.keys(MECHANISMS) as Mechanism[], { minLength: 2, maxLength: 3 }),
  fc.constantFrom(...PAIRS).map((pair) => [...pair]),
);

/** What happens in one simulation. All of it derives from the seed, and can be shrunk. */
export const plan = fc.tuple(mechanisms, fc.nat({ max: 11 })).chain(([names, choice]) => {
  const chosen = names.map((name) => ({ ...MECHANISMS[name] }));
  const projects = chosen.flatMap((mechanism) => mechanism.projects);
  // Most of a plan is about one project, so that its steps concern each other.
  const main = projects[choice % projects.length] ?? PLAIN;
  const scene: Scene = {
    projects: [main, main, main, ...projects],
    times: chosen.flatMap(({ times }) => times),
  };
  const general: fc.Arbitrary<Step>[] = [
    form({ ...scene, times: TIMES }),
    line({ ...scene, times: TIMES }),
    command(scene, COMMANDS),
    home,
    press(scene, ['any', ...CHANGES, 'Schedule again', 'Comment', 'Change policy']),
    condition('service'),
  ];
  const step: fc.Arbitrary<Step> = fc.oneof(
    ...chosen.map((mechanism) => ({
      weight: 6,
      arbitrary: fc.oneof<fc.Arbitrary<Step>[]>(...mechanism.steps(scene)),
    })),
    { weight: 3, arbitrary: fc.oneof(...general) },
  );
  const submitted = { ending: fc.constantFrom('submit' as const, 'submit' as const, 'twice' as const) };
  return fc.record({
    mechanisms: fc.constant(names),
    start: fc.constantFrom(...STARTS),
    instances: fc.constantFrom(2, 3),
    /** How often instances look for work of others: rarely, so that days pass quickly. */
    scanIntervalMs: fc.constantFrom(3 * HOUR, 12 * HOUR),
    service,
    climate: fc.record({ service: climate, slack: climate }),
    /** The posts that there are when the steps begin. */
    opening: fc.array(
      fc.record({
        waitMs: fc.integer({ min: 0, max: 20 * SECOND }),
        step: fc.oneof(form(scene, submitted), line(scene, submitted)),
      }),
      { minLength: 5, maxLength: 8, size: 'max' },
    ),
    steps: fc.array(fc.record({ waitMs: duration, step }), { minLength: 12, maxLength: 24, size: 'max' }),
  });
});

export type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;
