import fc from 'fast-check';
import { ROLES } from '../../src/access/access.ts';
import { CONDITIONS, type Condition, type Target } from './network.ts';

export const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];

/** When posts go out, as people write it. */
export const TIMES = [
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
export const NEAR_TIMES = [
  'in 20 minutes',
  'in 45 minutes',
  'in 2 hours',
  'today 23:30',
  'tomorrow 9am',
] as const;
export const SLOTS = ['next slot', 'next slot', 'next slot', 'next slot after tomorrow'] as const;

/** When the posts of a series go out. A model of its own knows the dates of these rules. */
const SERIES_TIMES = [
  'every day at 9',
  'every day at 13:00',
  'every weekday at 17:00',
  'every monday at 9',
] as const;

/** The buttons of the card of a series. The later ones are on the card that one of its posts opens. */
export const SERIES_LABELS = [
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
export const COMMANDS = [
  '/upnext posts PROJECT',
  '/upnext outbox',
  '/upnext policy PROJECT',
  '/upnext next',
  '/upnext roles',
  '/upnext zone me Tokyo',
  '/upnext notifications',
  '/upnext status',
] as const;
export const DIGESTS = [
  '/upnext digest every day 8:30 PROJECT',
  '/upnext digest every day 2:30 in Europe/Berlin for PROJECT',
  '/upnext digest every day 0:00 in America/New_York for PROJECT',
  '/upnext digest weekdays 23:45 in Australia/Lord_Howe for PROJECT',
  '/upnext digest list',
] as const;

/** Indexes of people. Publishers and reviewers do most. */
const PEOPLE = [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5];
/** Those who may schedule posts. */
export const PLANNERS = [1, 2, 2, 3];
/** Indexes of projects: the first sends posts to the service at once, the last after a review. */
export const [PLAIN, KEPT, CHECKED] = [0, 1, 2];

/** An index into a list whose length isn't known yet. */
const index = fc.nat({ max: 11 });
export const duration: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 4 * SECOND }) },
  { weight: 8, arbitrary: fc.integer({ min: 5 * SECOND, max: 90 * SECOND }) },
  { weight: 4, arbitrary: fc.integer({ min: 2 * MINUTE, max: 50 * MINUTE }) },
  { weight: 1, arbitrary: fc.integer({ min: HOUR, max: 14 * HOUR }) },
);
/** Most people belong to the first workspace, so that they meet. */
export const workspace: fc.Arbitrary<number> = fc.oneof(
  { weight: 11, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
);
const actor = { workspace, person: fc.constantFrom(...PEOPLE) };
const planner = { workspace, person: fc.constantFrom(...PLANNERS) };
export const manager = { workspace, person: fc.constantFrom(1, 1, 1, 0, 2) };
/** What becomes of a form that opens. `twice`: from two devices at the same time. `late`: after minutes. */
const ending: fc.Arbitrary<'submit' | 'twice' | 'late' | 'close' | 'leave'> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('submit' as const) },
  { weight: 2, arbitrary: fc.constant('twice' as const) },
  { weight: 1, arbitrary: fc.constant('late' as const) },
  { weight: 1, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('leave' as const) },
);
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const seldom: fc.Arbitrary<boolean> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);

/** Where the posts of a plan are, and when they go out. */
export interface Scene {
  projects: readonly number[];
  times: readonly (typeof TIMES)[number][];
}

export const line = ({ projects, times }: Scene, how: Partial<Writing> = {}) =>
  fc.record({
    ...{ kind: kind('line'), project: fc.constantFrom(...projects), time: fc.constantFrom(...times) },
    ...{ ...planner, ending, isDraft: seldom, ...how },
  });
export const form = ({ projects, times }: Scene, how: Partial<Writing & Contents> = {}) =>
  fc.record({
    ...{ kind: kind('form'), project: fc.constantFrom(...projects), time: fc.constantFrom(...times) },
    ...{ ...planner, ending, isDraft: seldom, ...contents, ...how },
  });
/** `differs`: the platforms that get a text of their own. */
const contents = {
  platforms: fc.constantFrom<string[][]>(
    ['X'],
    ['X', 'LINKEDIN'],
    ['X', 'LINKEDIN'],
    ['X', 'LINKEDIN', 'THREADS'],
  ),
  hasPicture: fc.constantFrom(false, false, true),
  differs: fc.constantFrom<string[][]>([], ['X'], ['X'], ['X', 'THREADS']),
};
type Contents = typeof contents;
/** How a post is written: who does so, and what becomes of the form. */
type Writing = typeof planner & { ending: typeof ending; isDraft: typeof seldom };

/** A button that the person looks for: in what they see, and then in the list of the project's posts. */
export const press = ({ projects, times }: Scene, labels: readonly string[], how: Partial<Pressing> = {}) =>
  fc.record({
    ...{ kind: kind('press'), project: fc.constantFrom(...projects), label: fc.constantFrom(...labels) },
    /** `isOld`: whether the person looks at an earlier version of the message. */
    ...{ time: fc.constantFrom(...times), ...actor, nth: index, ending, isOld: seldom, ...how },
  });
type Pressing = typeof actor & { nth: typeof index; ending: typeof ending; isOld: typeof seldom };
export const seriesOf = (
  by: typeof planner,
  afterwards = fc.array(fc.constantFrom(...SERIES_LABELS), { maxLength: 3 }),
) =>
  fc.record({
    ...{ kind: kind('series'), ...by, project: fc.constantFrom(KEPT, KEPT, KEPT, CHECKED), ending },
    /** `afterwards`: what the person presses on the card of a series later. */
    ...{ isLine: fc.boolean(), time: fc.constantFrom(...SERIES_TIMES), afterwards, waitMs: duration },
  });
export const series = seriesOf(planner);
export const seriesPress = (
  labels: readonly (typeof SERIES_LABELS)[number][],
  by: typeof planner = planner,
) =>
  fc.record({
    ...{ kind: kind('series-press'), ...by, project: fc.constantFrom(KEPT, KEPT, KEPT, CHECKED), ending },
    ...{ nth: index, label: fc.constantFrom(...labels), time: fc.constantFrom(...SERIES_TIMES) },
  });
/** Rows are pasted, and imported. `after`: what the author presses then. */
export const imported = ({ projects }: Scene, how: Partial<typeof planner & Importing> = {}) =>
  fc.record({
    ...{ kind: kind('import'), ...planner, project: fc.constantFrom(...projects) },
    ...{ ...importing, ...how },
  });
const importing = {
  rows: fc.integer({ min: 1, max: 4 }),
  hasSlots: fc.boolean(),
  presses: fc.constantFrom(0, 1, 1, 2, 2),
  after: fc.constantFrom<ImportPress[]>('nothing', 'nothing', 'Stop', 'Undo import…', 'the same rows'),
};
type ImportPress = 'nothing' | 'Stop' | 'Undo import…' | 'the same rows';
type Importing = typeof importing;
export const command = ({ projects }: Scene, lines: readonly string[], by: typeof actor = actor) =>
  fc.record({
    ...{ kind: kind('command'), ...by, project: fc.constantFrom(...projects) },
    text: fc.constantFrom(...lines),
  });
export const home = fc.record({ kind: kind('home'), ...actor });
const review = fc.constantFrom('required' as const, 'required' as const, 'optional' as const, 'off' as const);
export const policy = (
  { projects }: Scene,
  how: Partial<{ workspace: typeof workspace; review: typeof review; isStopped: typeof seldom }> = {},
) =>
  fc.record({
    ...{ kind: kind('policy'), project: fc.constantFrom(...projects) },
    /** `isStopped`: whether the project is stopped for minutes, so that posts wait while their policy changes. */
    ...{ workspace, review, isStopped: fc.boolean(), ...how },
  });
/** The manager goes through the posts that wait for a review, and approves most of them. */
export const reviewAll = fc.record({ kind: kind('review-all'), workspace });
/** The manager stops a project, or resumes it. */
export const stop = (
  { projects }: Scene,
  how: Partial<{ workspace: typeof workspace; isStopped: typeof seldom }> = {},
) =>
  fc.record({
    ...{ kind: kind('stop'), project: fc.constantFrom(...projects) },
    ...{ workspace, isStopped: fc.boolean(), ...how },
  });
/** Somebody leaves, or comes back. */
export const leave = (by: typeof planner = planner) => fc.record({ kind: kind('leave'), ...by });
/** Mostly somebody who may schedule posts gets a lower role. */
export const role = (by: typeof planner = planner, roles: readonly RoleName[] = NEW_ROLES) =>
  fc.record({ ...{ kind: kind('role'), ...by }, role: fc.constantFrom(...roles) });
type RoleName = 'none' | Exclude<(typeof ROLES)[number], 'owner'>;
const NEW_ROLES: readonly RoleName[] = [
  'none',
  'none',
  'viewer',
  ...ROLES.filter((name) => name !== 'owner'),
];
export const reinstall = fc.record({ kind: kind('reinstall'), workspace, afterMs: duration });

/** How long something is broken: usually for longer than the next steps take. */
const outage: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 5 * SECOND, max: 3 * MINUTE }) },
  { weight: 3, arbitrary: fc.integer({ min: 3 * MINUTE, max: 2 * HOUR }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 * HOUR, max: 30 * HOUR }) },
);
export const condition = (
  target: Target,
  conditions: readonly Condition[] = BAD_CONDITIONS[target],
  forMs: fc.Arbitrary<number> = outage,
) =>
  fc.record({
    ...{ kind: kind('condition'), target: fc.constant(target) },
    ...{ condition: fc.constantFrom(...conditions), forMs },
  });
const COMMON = CONDITIONS.filter((one) => one !== 'fine');
const BAD_CONDITIONS: Record<Target, readonly Condition[]> = {
  database: [...COMMON, 'full'],
  slack: [...COMMON, 'unclear'],
  service: [...COMMON, 'busy', 'unclear'],
};
/**
 * An instance dies at the n-th call from now, or stands still there: at its own, or at whichever makes the n-th call to this
 * target. `sending`: between the statement that says so and the call, or right after what the call did.
 */
export const kill = (
  targets: readonly ('any' | 'service' | 'slack' | 'sending' | 'claiming')[],
  how: Partial<{ calls: typeof index; freezes: typeof seldom; downMs: typeof duration }> = {},
) =>
  fc.record({
    ...{
      kind: kind('kill'),
      instance: index,
      isAfterEffect: fc.boolean(),
      target: fc.constantFrom(...targets),
    },
    ...{ calls: fc.integer({ min: 1, max: 30 }), freezes: seldom, downMs: duration, ...how },
  });
export const freeze = fc.record({ kind: kind('freeze'), instance: index, forMs: outage });
export const clock = fc.record({
  ...{ kind: kind('clock'), instance: index },
  offsetMs: fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }),
  /** Whether the clock of a running instance jumps. Otherwise one starts with another clock. */
  isJump: fc.boolean(),
});
export const token = (how: Partial<{ workspace: typeof workspace; forMs: typeof outage }> = {}) =>
  fc.record({ kind: kind('token'), workspace, forMs: outage, ...how });
export const backup = (isRestore: boolean) =>
  fc.record({ kind: kind('backup'), isRestore: fc.constant(isRestore) });

/** Buttons of a post that can still be changed. */
export const CHANGES = ['Edit', 'Move to…', 'Cancel post', 'Undo', 'Hand over now'];
/** Buttons of a post whose request failed, or may have arrived. */
export const FAILURES = [
  'Check again',
  'Send again',
  'Retry now',
  'Schedule again',
  'Try',
  'Discard',
  'New time',
  'Fix',
];
export const REVIEWS = ['Send for review', 'Approve', 'Approve', 'Request changes', 'Reject', 'Edit'];

type ArbitraryStep =
  | ReturnType<typeof line | typeof form | typeof press | typeof imported | typeof command | typeof policy>
  | ReturnType<typeof stop | typeof leave | typeof role | typeof condition | typeof kill | typeof token>
  | ReturnType<typeof backup | typeof seriesOf | typeof seriesPress>
  | typeof home
  | typeof reviewAll
  | typeof reinstall
  | typeof freeze
  | typeof clock;
export type Step = ArbitraryStep extends fc.Arbitrary<infer Value> ? Value : never;
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** A step, and how long after the one before it. */
export interface TimedStep {
  waitMs: number;
  step: Step;
}
