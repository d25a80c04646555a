import fc from 'fast-check';
import { MEETINGS } from './meetings.ts';
import type { ServiceWays } from './service.ts';
import {
  backup,
  CHANGES,
  CHECKED,
  COMMANDS,
  clock,
  command,
  condition,
  DIGESTS,
  duration,
  FAILURES,
  form,
  freeze,
  HOUR,
  home,
  imported,
  KEPT,
  kill,
  leave,
  line,
  manager,
  NEAR_TIMES,
  PLAIN,
  policy,
  press,
  REVIEWS,
  reinstall,
  reviewAll,
  role,
  type Scene,
  SECOND,
  SERIES_LABELS,
  SLOTS,
  type Step,
  series,
  seriesPress,
  stop,
  TIMES,
  type TimedStep,
  token,
} from './steps.ts';

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
    steps: (scene) => [series, seriesPress(SERIES_LABELS), seriesPress(SERIES_LABELS), press(scene, CHANGES)],
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
      leave(),
      role(),
      role(),
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
    steps: (scene) => [backup(false), backup(true), token(), reinstall, press(scene, FAILURES)],
  },
} satisfies Record<keyof typeof MEETINGS, Scene & { steps(scene: Scene): fc.Arbitrary<Step>[] }>;

export type Mechanism = keyof typeof MECHANISMS;

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
      { minLength: 3, maxLength: 5, size: 'max' },
    ),
    steps: fc
      .array(
        fc.oneof(
          { weight: 1, arbitrary: fc.tuple(fc.record({ waitMs: duration, step })) },
          {
            weight: 1,
            arbitrary: fc.oneof(
              ...names.flatMap<fc.Arbitrary<readonly TimedStep[]>>((name) => MEETINGS[name]),
            ),
          },
        ),
        { minLength: 8, maxLength: 14, size: 'max' },
      )
      .map((groups) => groups.flat()),
  });
});

/** The mechanisms that the plan of a seed is about. */
export function drawMechanisms(seed: number): readonly Mechanism[] {
  const [drawn] = fc.sample(fc.noBias(plan), { seed, numRuns: 1 });
  return drawn?.mechanisms ?? [];
}

export type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;
