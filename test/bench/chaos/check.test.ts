import { describe, expect, test } from 'vitest';
import { check, doubledByAuthors, type Found } from './check.ts';
import { planFaults } from './fault-plan.ts';
import { type PostHistory, type Told, timeline } from './history.ts';
import { toldBy } from './told-words.ts';

const TOKEN = 'Chaos-1-00001';
const CONTENT = `${TOKEN}: the roof terrace opens again`;

/** What an author did and was told: `submit` begins with the first form, `anew` is the next one with the same words. */
function post(...steps: readonly (Told | 'submit' | 'anew')[]): PostHistory {
  let form = 0;
  const events = steps.map((step, at): PostHistory['events'][number] => {
    if (step === 'anew' || form === 0) form += 1;
    if (step === 'submit' || step === 'anew') return { at, form, kind: 'submitted' };
    return { at, form, kind: 'told', told: step, text: step };
  });
  return { token: TOKEN, content: CONTENT, author: 'Writer1', events };
}

function found(history: PostHistory, there: number, more: Partial<Found> = {}): Found {
  return {
    posts: [history],
    held: new Map(there > 0 ? [[CONTENT, there]] : []),
    inOutbox: new Map(),
    withoutOutbox: new Set(),
    quietMs: 0,
    digests: [],
    ownEnds: [],
    readiness: [],
    logs: [],
    ...more,
  };
}

const rules = (given: Found) => check(given).map(({ rule }) => rule);
const quiet = post('submit', 'confirmed');

describe('a history in which nothing went wrong has no violation', () => {
  test.each<[string, PostHistory, number]>([
    ['scheduled at once', post('submit', 'confirmed'), 1],
    ['saved, then scheduled', post('submit', 'saved', 'confirmed'), 1],
    ['not acknowledged, and the same form sent again', post('submit', 'trouble', 'submit', 'confirmed'), 1],
    ['not acknowledged and never saved', post('submit', 'trouble'), 0],
    ['not acknowledged, and it went out', post('submit', 'trouble'), 1],
    ['not saved, written anew, and that one went out', post('submit', 'not-saved', 'anew', 'confirmed'), 1],
    ['not saved, sent again, and nothing heard since', post('submit', 'not-saved', 'submit'), 1],
    ['not saved, and nothing went out', post('submit', 'not-saved'), 0],
    ['its author has it in hand', post('submit', 'saved', 'in-hand'), 0],
    ['refused', post('submit', 'refused'), 0],
    ['unsure, and it was there', post('submit', 'unsure'), 1],
  ])('%s', (_name, history, there) => {
    expect(rules(found(history, there))).toEqual([]);
  });

  test('what its author wrote anew in doubt may be there twice, and is counted', () => {
    const given = found(post('submit', 'unsure', 'anew', 'confirmed'), 2);
    expect(rules(given)).toEqual([]);
    expect(doubledByAuthors(given)).toBe(1);
    expect(doubledByAuthors(found(quiet, 1))).toBe(0);
  });

  test('what still waits in the outbox is not lost', () => {
    const inOutbox = new Map([[TOKEN, { waitsForAuthor: false }]]);
    expect(rules(found(post('submit', 'saved'), 0, { inOutbox }))).toEqual([]);
  });
});

describe('each violation is found', () => {
  test.each<[string, PostHistory, number, string[]]>([
    ['saved, and nowhere', post('submit', 'saved'), 0, ['lost']],
    [
      'saved, never heard of again after an older form',
      post('submit', 'trouble', 'anew', 'saved'),
      0,
      ['lost'],
    ],
    ['there twice from one form', post('submit', 'confirmed'), 2, ['doubled']],
    [
      'the same form twice, and both went out',
      post('submit', 'trouble', 'submit', 'confirmed'),
      2,
      ['doubled'],
    ],
    ['not saved, and yet both went out', post('submit', 'not-saved', 'anew', 'confirmed'), 2, ['doubled']],
    ['confirmed, and not there', post('submit', 'confirmed'), 0, ['confirmed but not there']],
    ['not saved, and it went out', post('submit', 'not-saved'), 1, ['sent although "not saved"']],
  ])('%s', (_name, history, there, expected) => {
    expect(rules(found(history, there))).toEqual(expected);
  });

  test('a post that waits for an author who heard nothing', () => {
    const inOutbox = new Map([[TOKEN, { waitsForAuthor: true }]]);
    expect(rules(found(post('submit', 'saved'), 0, { inOutbox }))).toEqual([
      'left in the outbox, author not told',
    ]);
  });

  test('a post that nobody can look for, as the outbox does not answer', () => {
    const given = found(post('submit', 'saved'), 0, { withoutOutbox: new Set(['Writer1']) });
    expect(rules(given)).toEqual(['nowhere to be seen, the outbox does not answer']);
  });

  test('a post that is still on its way long after everything was well again', () => {
    const inOutbox = new Map([[TOKEN, { waitsForAuthor: false }]]);
    const given = found(post('submit', 'saved'), 0, { inOutbox, quietMs: 8 * 60_000 });
    expect(rules(given)).toEqual(['stuck in the outbox']);
  });

  test('digests that came twice, or never came while their owner heard nothing', () => {
    const digests = [
      { name: '#a', posted: 1, isOwnerTold: false },
      { name: '#b', posted: 0, isOwnerTold: true },
      { name: '#c', posted: 2, isOwnerTold: true },
      { name: '#d', posted: 0, isOwnerTold: false },
    ];
    const violations = check(found(quiet, 1, { digests }));
    expect(violations.map(({ rule, about }) => `${rule} ${about.slice(0, 2)}`)).toEqual([
      'digest doubled #c',
      'digest missing #d',
    ]);
  });

  test('a process that ended by itself, with the end of its log', () => {
    const end = { instance: 'instance 1', at: 0, status: '1', logEnd: 'Connection terminated' };
    const ownEnds = [
      { ...end, isStarting: false },
      { ...end, isStarting: true },
    ];
    const violations = check(found(quiet, 1, { ownEnds }));
    expect(violations.map(({ rule }) => rule)).toEqual(['ended by itself', 'ended while starting']);
    expect(violations[0]?.about).toContain('Connection terminated');
  });

  test('an instance that is ready too late, or not at all', () => {
    const about = { instance: 'instance 1', at: 0 };
    const readiness = [
      { ...about, ms: 4_999, isReady: true },
      { ...about, ms: 5_001, isReady: true },
      { ...about, ms: 5_000, isReady: false },
    ];
    expect(rules(found(quiet, 1, { readiness }))).toEqual(['not ready in time', 'not ready in time']);
  });

  test('words of a post in a log, and errors that nobody caught', () => {
    const logs = [
      { name: 'instance 0', text: '{"msg":"fine"}' },
      { name: 'instance 1', text: `{"msg":"${CONTENT}"}` },
      { name: 'instance 2', text: 'a\nuncaughtException: oh\nb' },
    ];
    expect(check(found(quiet, 1, { logs })).map(({ about }) => about.slice(0, 10))).toEqual([
      'instance 1',
      'instance 2',
    ]);
  });
});

test.each([
  ['Scheduled for Tue 1 Dec, 09:30 (Lisbon).\n[Schedule another]', 'confirmed'],
  ['Saved. Sending… the service has not answered yet.', 'saved'],
  [':warning: Not saved, and nothing was sent. Please try again in a moment.', 'not-saved'],
  ["I'm not sure this was saved. Check /upnext outbox.", 'unsure'],
  ['I could not find your post.\n[Check again] [Send again] [Discard]', 'in-hand'],
  ['Not sent. The service did not accept this.\n[Discard]', 'refused'],
  ['This post is not sent yet.\n[Schedule] [Edit] [Cancel]', undefined],
  ['Schedule a post', undefined],
  [
    'This post is not sent yet. The scheduling service does not answer just now, so the projects are those that it named last. What you send is saved, and goes out when it answers.',
    undefined,
  ],
])('what people read is understood: %s', (text, told) => {
  expect(toldBy(text)).toBe(told);
});

test('the same seed brings the same faults, another one others, and all kinds come', () => {
  const options = { seed: 3, ms: 30 * 60_000, instances: 3, gapMs: 5_000, mostMs: 90_000 };
  const plan = planFaults(options);
  expect(planFaults(options)).toEqual(plan);
  expect(planFaults({ ...options, seed: 4 })).not.toEqual(plan);
  expect(new Set(plan.map(({ kind }) => kind)).size).toBe(11);
  expect(plan.every(({ at, ms }) => at < options.ms && ms <= options.mostMs)).toBe(true);
  const frozen = planFaults({ ...options, only: ['freeze'] });
  expect(new Set(frozen.map(({ kind }) => kind))).toEqual(new Set(['freeze']));
  expect(() => planFaults({ ...options, only: ['frost'] })).toThrow('there are only these faults');
});

test('a timeline tells what happened to a post, and around it', () => {
  const incidents = [
    { at: 1, text: 'Postgres stops' },
    { at: 1_000_000, text: 'much later' },
  ];
  expect(timeline(post('submit', 'not-saved', 'anew', 'confirmed'), incidents, 0)).toEqual([
    '    0.00   form 1: submitted',
    '    0.00 · Postgres stops',
    '    0.00   form 1: told not-saved: not-saved',
    '    0.00   form 2: submitted',
    '    0.00   form 2: told confirmed: confirmed',
  ]);
});
