import { describe, expect, test } from 'vitest';
import { check, countDuplicatesByAuthors, type Observations } from './check.ts';
import { planFaults } from './fault-plan.ts';
import { type PostHistory, type ReportedState, timeline } from './history.ts';
import { parseReport } from './told-words.ts';

const TOKEN = 'Chaos-1-00001';
const CONTENT = `${TOKEN}: the roof terrace opens again`;

/** Creates a history from steps. `submit` submits the current form, `anew` another form with the same text. */
function createHistory(...steps: readonly (ReportedState | 'submit' | 'anew')[]): PostHistory {
  let form = 0;
  const events = steps.map((step, at): PostHistory['events'][number] => {
    if (step === 'anew' || form === 0) form += 1;
    if (step === 'submit' || step === 'anew') return { at, form, kind: 'submitted' };
    return { at, form, kind: 'reported', state: step, text: step };
  });
  return { token: TOKEN, content: CONTENT, author: 'Writer1', events };
}

function createObservations(
  history: PostHistory,
  inService: number,
  more: Partial<Observations> = {},
): Observations {
  return {
    posts: [history],
    counts: new Map(inService > 0 ? [[CONTENT, inService]] : []),
    inOutbox: new Map(),
    unreadOutboxes: new Set(),
    quietMs: 0,
    digests: [],
    unexpectedExits: [],
    readiness: [],
    logs: [],
    ...more,
  };
}

const findViolatedRules = (observed: Observations) => check(observed).map(({ rule }) => rule);
const uneventful = createHistory('submit', 'confirmed');

describe('a correct history has no violation', () => {
  test.each<[string, PostHistory, number]>([
    ['scheduled at once', createHistory('submit', 'confirmed'), 1],
    ['saved, then scheduled', createHistory('submit', 'saved', 'confirmed'), 1],
    [
      'not acknowledged, and the same form submitted again',
      createHistory('submit', 'no-answer', 'submit', 'confirmed'),
      1,
    ],
    ['not acknowledged and never saved', createHistory('submit', 'no-answer'), 0],
    ['not acknowledged, but sent', createHistory('submit', 'no-answer'), 1],
    [
      'not saved, written anew, and the second one was sent',
      createHistory('submit', 'not-saved', 'anew', 'confirmed'),
      1,
    ],
    [
      'not saved, submitted again, and nothing reported since',
      createHistory('submit', 'not-saved', 'submit'),
      1,
    ],
    ['not saved, and not sent', createHistory('submit', 'not-saved'), 0],
    ['waiting for its author', createHistory('submit', 'saved', 'needs-author'), 0],
    ['refused', createHistory('submit', 'refused'), 0],
    ['unsure, and in the service', createHistory('submit', 'unsure'), 1],
  ])('%s', (_name, history, inService) => {
    expect(findViolatedRules(createObservations(history, inService))).toEqual([]);
  });

  test('a text that its uncertain author wrote again may be in the service twice, and is counted', () => {
    const observed = createObservations(createHistory('submit', 'unsure', 'anew', 'confirmed'), 2);
    expect(findViolatedRules(observed)).toEqual([]);
    expect(countDuplicatesByAuthors(observed)).toBe(1);
    expect(countDuplicatesByAuthors(createObservations(uneventful, 1))).toBe(0);
  });

  test('a post that still waits in the outbox is not lost', () => {
    const inOutbox = new Map([[TOKEN, { needsAuthor: false }]]);
    expect(findViolatedRules(createObservations(createHistory('submit', 'saved'), 0, { inOutbox }))).toEqual(
      [],
    );
  });
});

describe('each violation is found', () => {
  test.each<[string, PostHistory, number, string[]]>([
    ['saved, but neither in the service nor in the outbox', createHistory('submit', 'saved'), 0, ['lost']],
    [
      'saved from a second form, but neither in the service nor in the outbox',
      createHistory('submit', 'no-answer', 'anew', 'saved'),
      0,
      ['lost'],
    ],
    ['twice in the service from one form', createHistory('submit', 'confirmed'), 2, ['duplicated']],
    [
      'the same form submitted twice, and sent twice',
      createHistory('submit', 'no-answer', 'submit', 'confirmed'),
      2,
      ['duplicated'],
    ],
    [
      'not saved, but both forms were sent',
      createHistory('submit', 'not-saved', 'anew', 'confirmed'),
      2,
      ['duplicated'],
    ],
    ['confirmed, but not in the service', createHistory('submit', 'confirmed'), 0, ['confirmed but missing']],
    ['not saved, but sent', createHistory('submit', 'not-saved'), 1, ['sent although "not saved"']],
  ])('%s', (_name, history, inService, expected) => {
    expect(findViolatedRules(createObservations(history, inService))).toEqual(expected);
  });

  test('a post that waits for an author who was not notified', () => {
    const inOutbox = new Map([[TOKEN, { needsAuthor: true }]]);
    expect(findViolatedRules(createObservations(createHistory('submit', 'saved'), 0, { inOutbox }))).toEqual([
      'waits in the outbox, author not notified',
    ]);
  });

  test('a post that may be in an outbox that does not answer', () => {
    const observed = createObservations(createHistory('submit', 'saved'), 0, {
      unreadOutboxes: new Set(['Writer1']),
    });
    expect(findViolatedRules(observed)).toEqual(['not found, outbox unavailable']);
  });

  test('a post that is still in flight long after all faults', () => {
    const inOutbox = new Map([[TOKEN, { needsAuthor: false }]]);
    const observed = createObservations(createHistory('submit', 'saved'), 0, {
      inOutbox,
      quietMs: 8 * 60_000,
    });
    expect(findViolatedRules(observed)).toEqual(['stuck in the outbox']);
  });

  test('digests that were sent twice, or not sent without notifying their owner', () => {
    const digests = [
      { name: '#a', messageCount: 1, isOwnerNotified: false },
      { name: '#b', messageCount: 0, isOwnerNotified: true },
      { name: '#c', messageCount: 2, isOwnerNotified: true },
      { name: '#d', messageCount: 0, isOwnerNotified: false },
    ];
    const violations = check(createObservations(uneventful, 1, { digests }));
    expect(violations.map(({ rule, about }) => `${rule} ${about.slice(0, 2)}`)).toEqual([
      'digest duplicated #c',
      'digest missing #d',
    ]);
  });

  test('a process that exited unexpectedly, with the end of its log', () => {
    const end = { instance: 'instance 1', at: 0, status: '1', logEnd: 'Connection terminated' };
    const unexpectedExits = [
      { ...end, isStarting: false },
      { ...end, isStarting: true },
    ];
    const violations = check(createObservations(uneventful, 1, { unexpectedExits }));
    expect(violations.map(({ rule }) => rule)).toEqual(['exited unexpectedly', 'exited while starting']);
    expect(violations[0]?.about).toContain('Connection terminated');
  });

  test('an instance that is ready too late or not at all', () => {
    const about = { instance: 'instance 1', at: 0 };
    const readiness = [
      { ...about, ms: 4_999, isReady: true },
      { ...about, ms: 5_001, isReady: true },
      { ...about, ms: 5_000, isReady: false },
    ];
    expect(findViolatedRules(createObservations(uneventful, 1, { readiness }))).toEqual([
      'not ready in time',
      'not ready in time',
    ]);
  });

  test('a post in a log, and uncaught errors', () => {
    const logs = [
      { name: 'instance 0', text: '{"msg":"fine"}' },
      { name: 'instance 1', text: `{"msg":"${CONTENT}"}` },
      { name: 'instance 2', text: 'a\nuncaughtException: oh\nb' },
    ];
    expect(check(createObservations(uneventful, 1, { logs })).map(({ about }) => about.slice(0, 10))).toEqual(
      ['instance 1', 'instance 2'],
    );
  });
});

test.each([
  ['Scheduled for Tue 1 Dec, 09:30 (Lisbon).\n[Schedule another]', 'confirmed'],
  ['Saved. Sending… the service has not answered yet.', 'saved'],
  [':warning: Not saved, and nothing was sent. Please try again in a moment.', 'not-saved'],
  ["I'm not sure this was saved. Check /upnext outbox.", 'unsure'],
  ['I could not find your post.\n[Check again] [Send again] [Discard]', 'needs-author'],
  ['Not sent. The service did not accept this.\n[Discard]', 'refused'],
  ['This post is not sent yet.\n[Schedule] [Edit] [Cancel]', undefined],
  ['Schedule a post', undefined],
  [
    'This post is not sent yet. The scheduling service does not answer just now, so the projects are those that it named last. What you send is saved, and goes out when it answers.',
    undefined,
  ],
])('the text “%s” is recognized as the right state', (text, state) => {
  expect(parseReport(text)).toBe(state);
});

test('a seed always gives the same faults, and a long plan has faults of all kinds', () => {
  const options = { seed: 3, durationMs: 30 * 60_000, instances: 3, meanGapMs: 5_000, maxFaultMs: 90_000 };
  const plan = planFaults(options);
  expect(planFaults(options)).toEqual(plan);
  expect(planFaults({ ...options, seed: 4 })).not.toEqual(plan);
  expect(new Set(plan.map(({ kind }) => kind)).size).toBe(11);
  expect(plan.every(({ at, ms }) => at < options.durationMs && ms <= options.maxFaultMs)).toBe(true);
  const freezes = planFaults({ ...options, only: ['freeze'] });
  expect(new Set(freezes.map(({ kind }) => kind))).toEqual(new Set(['freeze']));
  expect(() => planFaults({ ...options, only: ['frost'] })).toThrow('unknown kind of fault');
});

test('a timeline shows the events of a post and the incidents around them', () => {
  const incidents = [
    { at: 1, text: 'Postgres stops' },
    { at: 1_000_000, text: 'much later' },
  ];
  expect(timeline(createHistory('submit', 'not-saved', 'anew', 'confirmed'), incidents, 0)).toEqual([
    '    0.00   form 1: submitted',
    '    0.00 · Postgres stops',
    '    0.00   form 1: reported not-saved: not-saved',
    '    0.00   form 2: submitted',
    '    0.00   form 2: reported confirmed: confirmed',
  ]);
});
