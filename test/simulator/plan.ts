import fc from 'fast-check';
import { ROLES } from '../../src/access/access.ts';
import { CONDITIONS } from './network.ts';
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

/** The buttons that matter most. Each plan has some of them, so that rare ones also come one after the other. */
export const LABELS = [
  'Schedule',
  'Save as draft',
  'Edit',
  'Move to…',
  'Cancel post',
  'Undo',
  'Send for review',
  'Approve',
  'Request changes',
  'Reject',
  'Hand over now',
  'Schedule again',
  'Try',
  'Take over',
  'Check again',
  'Send again',
  'Retry now',
  'Discard',
  'New time',
  'Fix and send again',
  'Stop sending',
  'Resume',
  'Change policy',
  'Duplicate',
  'Fill',
  'Comment',
  'any',
] as const;

/** Buttons that are pressed one after the other. */
const RELATED_LABELS: readonly (typeof LABELS)[number][][] = [
  ['Edit', 'Move to…', 'Cancel post', 'Undo', 'Hand over now'],
  ['Send for review', 'Approve', 'Request changes', 'Reject', 'Edit'],
  ['Check again', 'Send again', 'Retry now', 'Schedule again', 'Try', 'Discard'],
  ['Schedule', 'Cancel post', 'Save as draft', 'Duplicate', 'Undo'],
];

/** What else people type. PROJECT is replaced. */
const COMMANDS = [
  '/upnext posts PROJECT',
  '/upnext outbox',
  '/upnext policy PROJECT',
  '/upnext next',
  '/upnext roles',
  '/upnext zone me Tokyo',
  '/upnext notifications',
  '/upnext digest every day 8:30 PROJECT',
  '/upnext digest every day 2:30 in Europe/Berlin for PROJECT',
  '/upnext digest every day 0:00 in America/New_York for PROJECT',
  '/upnext digest weekdays 23:45 in Australia/Lord_Howe for PROJECT',
  '/upnext digest list',
  '/upnext status',
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
const PEOPLE = [0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5];
/** Indexes of projects. Half of the posts go to the service at once. */
const PROJECTS = [0, 0, 0, 1, 1, 2];

/** An index into a list whose length isn't known yet. */
const index = fc.nat({ max: 11 });
const duration = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 * SECOND }) },
  { weight: 3, arbitrary: fc.integer({ min: 5 * SECOND, max: 90 * SECOND }) },
  { weight: 2, arbitrary: fc.integer({ min: 2 * MINUTE, max: 50 * MINUTE }) },
  { weight: 1, arbitrary: fc.integer({ min: HOUR, max: 14 * HOUR }) },
);
/** Most people belong to the first workspace, so that they meet. */
const workspace = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
);
const actor = { workspace, person: fc.constantFrom(...PEOPLE) };
/** Somebody who may schedule posts, in a project that keeps them. */
const planner = {
  workspace,
  person: fc.constantFrom(1, 2, 2, 3),
  project: fc.constantFrom(1, 1, 1, 2),
};
/** What becomes of a form that opens. `twice`: from two devices at the same time. `late`: after minutes. */
const ending = fc.oneof(
  { weight: 6, arbitrary: fc.constant('submit' as const) },
  { weight: 2, arbitrary: fc.constant('twice' as const) },
  { weight: 1, arbitrary: fc.constant('late' as const) },
  { weight: 1, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('leave' as const) },
);
const kind = <Kind extends string>(name: Kind) => fc.constant(name);

const deed = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      ...{
        kind: kind('line'),
        ...actor,
        project: fc.constantFrom(...PROJECTS),
        time: fc.constantFrom(...TIMES),
        ending,
      },
      isDraft: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  {
    weight: 26,
    arbitrary: fc.record({
      ...{
        kind: kind('form'),
        ...actor,
        project: fc.constantFrom(...PROJECTS),
        time: fc.constantFrom(...TIMES),
        ending,
      },
      platforms: fc.constantFrom(['X'], ['X', 'LINKEDIN'], ['X', 'LINKEDIN'], ['X', 'LINKEDIN', 'THREADS']),
      hasPicture: fc.constantFrom(false, false, true),
      /** The platforms that get a text of their own. */
      differs: fc.constantFrom([], ['X'], ['X'], ['X', 'THREADS']),
      isDraft: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  {
    weight: 45,
    arbitrary: fc.record({
      ...{ kind: kind('press'), ...actor, label: index, nth: index, ending },
      time: fc.constantFrom(...TIMES),
      /** Whether the person looks at an earlier version of the message. */
      isOld: fc.oneof(
        { weight: 4, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ kind: kind('series'), ...planner, ending, isLine: fc.boolean() },
      time: fc.constantFrom(...SERIES_TIMES),
      /** What the person presses on the card of a series later. */
      afterwards: fc.array(fc.constantFrom(...SERIES_LABELS), { maxLength: 3 }),
      waitMs: duration,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ kind: kind('series-press'), ...planner, nth: index, ending },
      label: fc.constantFrom(...SERIES_LABELS),
      time: fc.constantFrom(...SERIES_TIMES),
    }),
  },
  /** Rows are pasted, and imported. `after`: what the author presses then. */
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: kind('import'), ...actor, project: fc.constantFrom(...PROJECTS) },
      rows: fc.integer({ min: 1, max: 4 }),
      hasSlots: fc.boolean(),
      presses: fc.constantFrom(0, 1, 2, 2),
      after: fc.constantFrom('nothing', 'nothing', 'Stop', 'Undo import…', 'the same rows'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind('command'),
      ...actor,
      project: fc.constantFrom(...PROJECTS),
      text: fc.constantFrom(...COMMANDS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('home'), ...actor }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind('policy'), workspace, project: fc.constantFrom(...PROJECTS) },
      review: fc.constantFrom('required', 'required', 'optional', 'off'),
      /** Whether the project is stopped for minutes, so that posts wait for the service while their policy changes. */
      isStopped: fc.boolean(),
    }),
  },
  /** The manager stops a project, or resumes it. */
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ kind: kind('stop'), workspace, project: fc.constantFrom(...PROJECTS), isStopped: fc.boolean() },
    }),
  },
  /** Somebody leaves, or comes back. */
  { weight: 2, arbitrary: fc.record({ kind: kind('leave'), ...actor }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('role'),
      ...actor,
      role: fc.constantFrom('none', ...ROLES.filter((role) => role !== 'owner')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('reinstall'), workspace, afterMs: duration }) },
);

/** How long something is broken: usually for longer than the next steps take. */
const outage = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 5 * SECOND, max: 3 * MINUTE }) },
  { weight: 3, arbitrary: fc.integer({ min: 3 * MINUTE, max: 2 * HOUR }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 * HOUR, max: 30 * HOUR }) },
);
const breakdown = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind('condition'),
      target: fc.oneof(
        { weight: 4, arbitrary: fc.constant('service' as const) },
        { weight: 2, arbitrary: fc.constant('slack' as const) },
        { weight: 1, arbitrary: fc.constant('database' as const) },
      ),
      condition: fc.constantFrom(...CONDITIONS.filter((condition) => condition !== 'fine')),
      forMs: outage,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ kind: kind('kill'), instance: index, isAfterEffect: fc.boolean(), downMs: duration },
      /** An instance dies at the n-th call from now: its own, or whichever makes the n-th call to this target. */
      calls: fc.integer({ min: 1, max: 30 }),
      target: fc.constantFrom('any', 'service', 'slack'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('freeze'), instance: index, forMs: outage }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...{
        kind: kind('clock'),
        instance: index,
        offsetMs: fc.integer({ min: -5 * MINUTE, max: 5 * MINUTE }),
      },
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('token'), workspace, forMs: outage }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('backup'), isRestore: fc.boolean() }) },
);

/** A step and the wait before it. */
const step = fc.record({
  waitMs: duration,
  step: fc.oneof({ weight: 7, arbitrary: deed }, { weight: 3, arbitrary: breakdown }),
});

/** How the service differs from others. The first of each is the usual one. */
const service: fc.Arbitrary<ServiceWays> = fc.record({
  spelling: fc.constantFrom('as-sent', 'lower-case', 'text'),
  pages: fc.constantFrom('whole', 'capped', 'first-only'),
  otherPosts: fc.constantFrom(0, 12),
  outcome: fc.constantFrom('status', 'status', 'log'),
});

/** How a system behaves whenever nothing else is wrong with it. */
const climate = fc.constantFrom('fine', 'fine', 'fine', 'lossy', 'odd', 'slow');

/** What happens in one simulation. All of it derives from the seed, and can be shrunk. */
export const plan = fc.record({
  start: fc.constantFrom(...STARTS),
  instances: fc.constantFrom(2, 3),
  /** How often instances look for work of others: rarely, so that days pass quickly. */
  scanIntervalMs: fc.constantFrom(3 * HOUR, 12 * HOUR),
  service,
  climate: fc.record({ service: climate, slack: climate }),
  /** The buttons that people look for. If a person sees none of this name, they press another. */
  labels: fc.oneof(
    fc.shuffledSubarray([...LABELS], { minLength: 3, maxLength: 9 }),
    fc.constantFrom(...RELATED_LABELS),
  ),
  /** The people of each workspace who do something. */
  people: fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1 }),
  /** The projects of each workspace that people use. */
  projects: fc.constantFrom<number[]>([0], [0], [0, 1], [0, 2], [1], [1, 2], [0, 1, 2]),
  steps: fc.array(step, { minLength: 4, maxLength: 16, size: 'max' }),
});

export type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;
export type Step = Plan['steps'][number]['step'];
export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;
