import { describe, expect, test } from 'vitest';
import { countDuplicatesByAuthors, findViolations, type Observations } from './check.ts';
import { planFaults } from './fault-plan.ts';
import { formatTimeline, type PostHistory, type ReportedState } from './history.ts';
import { parseReport } from './parse-report.ts';

const TOKEN = 'Chaos-1-00001';
const CONTENT = `${TOKEN}: the roof terrace opens again`;

/** Creates a history. 'submit' submits the current form, 'submit-new' a new form with the same text. */
function createHistory(...steps: readonly (ReportedState | 'submit' | 'submit-new')[]): PostHistory {
  let form = 0;
  const events = steps.map((step, at): PostHistory['events'][number] => {
    if (step === 'submit-new' || form === 0) form += 1;
    if (step === 'submit' || step === 'submit-new') return { at, form, kind: 'submitted' };
    return { at, form, kind: 'reported', state: step, text: step };
  });
  return { token: TOKEN, content: CONTENT, author: 'Writer1', events };
}

function createObservations(
  history: PostHistory,
  copyCount: number,
  changes: Partial<Observations> = {},
): Observations {
  return {
    posts: [history],
    copyCounts: new Map(copyCount > 0 ? [[CONTENT, copyCount]] : []),
    outboxEntries: new Map(),
    unreadOutboxes: new Set(),
    quietMs: 0,
    digests: [],
    unexpectedExits: [],
    readiness: [],
    logs: [],
    ...changes,
  };
}

const findViolatedRules = (observations: Observations) =>
  findViolations(observations).map(({ rule }) => rule);
const uneventfulHistory = createHistory('submit', 'confirmed');

describe('a correct history violates no rule', () => {
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
      'not saved, written again in a new form, and sent from that form',
      createHistory('submit', 'not-saved', 'submit-new', 'confirmed'),
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
  ])('%s', (_name, history, copyCount) => {
    expect(findViolatedRules(createObservations(history, copyCount))).toEqual([]);
  });

  test('a text may be in the service twice if its uncertain author wrote it again, and is then counted', () => {
    const observations = createObservations(createHistory('submit', 'unsure', 'submit-new', 'confirmed'), 2);
    expect(findViolatedRules(observations)).toEqual([]);
    expect(countDuplicatesByAuthors(observations)).toBe(1);
    expect(countDuplicatesByAuthors(createObservations(uneventfulHistory, 1))).toBe(0);
  });

  test('a post that still waits in the outbox is not lost', () => {
    const outboxEntries = new Map([[TOKEN, { needsAuthor: false, isInProgress: true }]]);
    expect(
      findViolatedRules(createObservations(createHistory('submit', 'saved'), 0, { outboxEntries })),
    ).toEqual([]);
  });
});

describe('a violation is reported for', () => {
  test.each<[string, PostHistory, number, string[]]>([
    ['saved, but neither in the service nor in the outbox', createHistory('submit', 'saved'), 0, ['lost']],
    [
      'saved from a second form, but neither in the service nor in the outbox',
      createHistory('submit', 'no-answer', 'submit-new', 'saved'),
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
      createHistory('submit', 'not-saved', 'submit-new', 'confirmed'),
      2,
      ['duplicated'],
    ],
    ['confirmed, but not in the service', createHistory('submit', 'confirmed'), 0, ['confirmed but missing']],
    ['not saved, but sent', createHistory('submit', 'not-saved'), 1, ['sent although "not saved"']],
  ])('%s', (_name, history, copyCount, expected) => {
    expect(findViolatedRules(createObservations(history, copyCount))).toEqual(expected);
  });

  test('a post that waits for an author who was not notified', () => {
    const outboxEntries = new Map([[TOKEN, { needsAuthor: true, isInProgress: false }]]);
    expect(
      findViolatedRules(createObservations(createHistory('submit', 'saved'), 0, { outboxEntries })),
    ).toEqual(['waits in the outbox, author not notified']);
  });

  test('no violation if the outbox itself may have shown the author that a post waits', () => {
    const outboxEntries = new Map([[TOKEN, { needsAuthor: true, isInProgress: true }]]);
    const observations = createObservations(createHistory('submit', 'saved'), 0, { outboxEntries });
    expect(findViolatedRules(observations)).toEqual([]);
  });

  test('a post that may be in an outbox that does not answer', () => {
    const observations = createObservations(createHistory('submit', 'saved'), 0, {
      unreadOutboxes: new Set(['Writer1']),
    });
    expect(findViolatedRules(observations)).toEqual(['not found, outbox unavailable']);
  });

  test('a post that is still in flight long after all faults', () => {
    const outboxEntries = new Map([[TOKEN, { needsAuthor: false, isInProgress: true }]]);
    const observations = createObservations(createHistory('submit', 'saved'), 0, {
      outboxEntries,
      quietMs: 8 * 60_000,
    });
    expect(findViolatedRules(observations)).toEqual(['stuck in the outbox']);
  });

  test('digests that were sent twice, or not sent without notifying their owner', () => {
    const digests = [
      { name: '#a', messageCount: 1, isOwnerNotified: false },
      { name: '#b', messageCount: 0, isOwnerNotified: true },
      { name: '#c', messageCount: 2, isOwnerNotified: true },
      { name: '#d', messageCount: 0, isOwnerNotified: false },
    ];
    const violations = findViolations(createObservations(uneventfulHistory, 1, { digests }));
    expect(violations.map(({ rule, details }) => `${rule} ${details.slice(0, 2)}`)).toEqual([
      'digest duplicated #c',
      'digest missing #d',
    ]);
  });

  test('a process that exited unexpectedly, with the end of its log', () => {
    const exit = { instance: 'instance 1', at: 0, status: '1', logEnd: 'Connection terminated' };
    const unexpectedExits = [
      { ...exit, isStarting: false },
      { ...exit, isStarting: true },
    ];
    const violations = findViolations(createObservations(uneventfulHistory, 1, { unexpectedExits }));
    expect(violations.map(({ rule }) => rule)).toEqual(['exited unexpectedly', 'exited while starting']);
    expect(violations[0]?.details).toContain('Connection terminated');
  });

  test('an instance that is ready too late or not at all', () => {
    const measurement = { instance: 'instance 1', at: 0 };
    const readiness = [
      { ...measurement, elapsedMs: 4_999, isReady: true },
      { ...measurement, elapsedMs: 5_001, isReady: true },
      { ...measurement, elapsedMs: 5_000, isReady: false },
    ];
    expect(findViolatedRules(createObservations(uneventfulHistory, 1, { readiness }))).toEqual([
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
    expect(
      findViolations(createObservations(uneventfulHistory, 1, { logs })).map(({ details }) =>
        details.slice(0, 10),
      ),
    ).toEqual(['instance 1', 'instance 2']);
  });
});

test.each([
  ['Scheduled for Tue 1 Dec, 09:30 (Lisbon).\n[New post]', 'confirmed'],
  ['Saved. I’m sending it, and the scheduling service hasn’t answered yet.', 'saved'],
  [':warning: Not saved, and nothing was sent. Please try again in a minute.', 'not-saved'],
  ["I'm not sure this was saved. Check /upnext outbox.", 'unsure'],
  ['I couldn’t find your post.\n[Check again] [Send again] [Discard]', 'needs-author'],
  ['Not sent. The service didn’t accept this.\n[Discard]', 'refused'],
  ['Schedule a post', undefined],
  [
    'The scheduling service isn’t answering, so this list may be old. I’ll save your post and send it later.',
    undefined,
  ],
])('the text “%s” is recognized as the right state', (text, state) => {
  expect(parseReport(text)).toBe(state);
});

test('a seed always gives the same faults, and a long plan has faults of all kinds', () => {
  const options = {
    seed: 3,
    durationMs: 30 * 60_000,
    instanceCount: 3,
    meanGapMs: 5_000,
    maxFaultMs: 90_000,
  };
  const plan = planFaults(options);
  expect(planFaults(options)).toEqual(plan);
  expect(planFaults({ ...options, seed: 4 })).not.toEqual(plan);
  expect(new Set(plan.map(({ kind }) => kind)).size).toBe(11);
  expect(
    plan.every((fault) => fault.startsAfterMs < options.durationMs && fault.durationMs <= options.maxFaultMs),
  ).toBe(true);
  const freezes = planFaults({ ...options, onlyKinds: ['freeze'] });
  expect(new Set(freezes.map(({ kind }) => kind))).toEqual(new Set(['freeze']));
  expect(() => planFaults({ ...options, onlyKinds: ['frost'] })).toThrow('unknown kind of fault');
});

test('a timeline shows the events of a post and the incidents around them', () => {
  const incidents = [
    { at: 1, text: 'Postgres stops' },
    { at: 1_000_000, text: 'much later' },
  ];
  expect(
    formatTimeline(createHistory('submit', 'not-saved', 'submit-new', 'confirmed'), incidents, 0),
  ).toEqual([
    '    0.00   form 1: submitted',
    '    0.00 · Postgres stops',
    '    0.00   form 1: reported not-saved: not-saved',
    '    0.00   form 2: submitted',
    '    0.00   form 2: reported confirmed: confirmed',
  ]);
});
