import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import { PLATFORMS } from '../../../src/api/platforms.ts';
import { renderAskedPeople } from '../../../src/held-posts/notices/notice-text.ts';
import {
  type Approvers,
  checkDecision,
  evaluateReview,
  type ReviewEvent,
  type ReviewFacts,
} from '../../../src/held-posts/review/evaluate-review.ts';
import { renderReviewRequest } from '../../../src/held-posts/review/review-request.ts';
import { STEP_PEOPLE, type StepPeople } from '../../../src/preferences/tables.ts';

const USERS = ['U1', 'U2', 'U3', 'U4', 'U5'] as const;
const POST = { author: 'U1', version: 3, content_hash: 'h3' };

const may = (...users: string[]): Approvers => ({
  people: new Map(users.map((user) => [user, 'yes'])),
  isComplete: true,
});
const event = (kind: ReviewEvent['kind'], actor: string, more: Partial<ReviewEvent> = {}): ReviewEvent => ({
  kind,
  actor,
  version: POST.version,
  content_hash: POST.content_hash,
  step: null,
  content: null,
  ...more,
});
const approval = (actor: string, step = 0, more: Partial<ReviewEvent> = {}) =>
  event('approved', actor, { step, ...more });

function createFacts(
  steps: readonly (readonly ['any' | 'all', Approvers])[],
  events: readonly ReviewEvent[],
  standIns = may(),
  stepPeople: StepPeople = 'different',
): ReviewFacts {
  return {
    post: POST,
    policy: { reviewSteps: steps.map(([needs]) => ({ approvers: [], needs })), stepPeople, standIns: [] },
    events,
    eligibility: { steps: steps.map(([, approvers]) => approvers), standIns },
  };
}
const evaluate = (...input: Parameters<typeof createFacts>) => evaluateReview(createFacts(...input));
const pending = (step: number, ...asked: string[]) => ({ kind: 'pending', step, asked });

describe('a review', () => {
  test('that needs everybody waits for the others', () => {
    const step = ['all', may('U2', 'U3')] as const;
    expect(evaluate([step], [approval('U3')])).toEqual(pending(0, 'U2'));
    expect(evaluate([step], [approval('U3'), approval('U2')])).toEqual({ kind: 'approved', approver: 'U2' });
  });

  test('that needs everybody doesn’t need its author', () => {
    expect(evaluate([['all', may('U1', 'U2')]], [approval('U2')])).toEqual({
      kind: 'approved',
      approver: 'U2',
    });
  });

  test('accepts a stand-in instead of one approver', () => {
    const standIn = may('U4');
    expect(evaluate([['any', may('U2')]], [approval('U4')], standIn).kind).toBe('approved');
    expect(evaluate([['all', may('U2', 'U3')]], [approval('U4')], standIn)).toEqual(pending(0, 'U2', 'U3'));
    expect(evaluate([['all', may('U2', 'U3')]], [approval('U4'), approval('U2')], standIn).kind).toBe(
      'approved',
    );
  });

  test('isn’t asked of somebody who approved it and may no longer approve', () => {
    const facts = createFacts([['any', may('U3')]], [approval('U2')]);
    expect(checkDecision(facts, 'U2')).toEqual({ kind: 'may-not', reason: 'not-asked' });
    expect(checkDecision(createFacts([['all', may('U2', 'U3')]], [approval('U2')]), 'U2')).toEqual({
      kind: 'may-not',
      reason: 'decided',
    });
  });

  test('asks the stand-ins if nobody else is left', () => {
    expect(evaluate([['any', may('U1')]], [], may('U4'))).toEqual(pending(0, 'U4'));
  });

  test('isn’t approved without any step', () => {
    expect(evaluate([], [])).toEqual(pending(0));
  });

  test('is unknown if a role couldn’t be looked up, unless another approval is enough', () => {
    const people = new Map<string, Permission>([
      ['U2', 'unknown'],
      ['U3', 'yes'],
    ]);
    const step = ['any', { people, isComplete: true }] as const;
    expect(evaluate([step], [approval('U2')])).toEqual({ kind: 'unknown', step: 0 });
    expect(evaluate([step], [approval('U2'), approval('U3')]).kind).toBe('approved');
  });
});

describe('a person may not approve', () => {
  const steps = [['any', may(...USERS)]] as const;
  const check = (user: string, events: readonly ReviewEvent[]) =>
    checkDecision(createFacts(steps, events), user);

  test('their own post, also if somebody else took it over', () => {
    expect(check('U1', [])).toEqual({ kind: 'may-not', reason: 'own' });
    expect(check('U2', [event('created', 'U2', { version: 1 })])).toEqual({ kind: 'may-not', reason: 'own' });
  });

  test('their own edit, of this version or of an earlier one that nobody approved', () => {
    const edits = [event('edited', 'U2', { version: 2 }), event('moved', 'U3')];
    expect(check('U2', edits)).toEqual({ kind: 'may-not', reason: 'edited' });
    expect(check('U3', edits)).toEqual({ kind: 'may-not', reason: 'edited' });
    expect(check('U4', edits)).toEqual({ kind: 'may', step: 0 });
  });

  test('but may approve a later version if their edit was approved by others', () => {
    const edits = [
      event('edited', 'U2', { version: 2 }),
      event('scheduled', '', { version: 2 }),
      event('edited', 'U1'),
    ];
    expect(check('U2', edits)).toEqual({ kind: 'may', step: 0 });
  });

  test('twice', () => {
    const all = createFacts([['all', may('U2', 'U3')]], [approval('U2')]);
    expect(checkDecision(all, 'U2')).toEqual({ kind: 'may-not', reason: 'decided' });
  });
});

describe('several steps', () => {
  const both = [
    ['any', may('U2', 'U3')],
    ['any', may('U2', 'U4')],
  ] as const;

  test('need different people', () => {
    expect(evaluate(both, [approval('U2'), approval('U2', 1)])).toEqual(pending(1, 'U4'));
    expect(evaluate(both, [approval('U2'), approval('U4', 1)])).toEqual({ kind: 'approved', approver: 'U4' });
    const afterFirst = createFacts(both, [approval('U2')]);
    expect(checkDecision(afterFirst, 'U2')).toEqual({ kind: 'may-not', reason: 'other-step' });
    expect(checkDecision(afterFirst, 'U4')).toEqual({ kind: 'may', step: 1 });
  });

  test('ask the stand-ins if nobody else is left', () => {
    const same = [both[0], ['any', may('U2')]] as const;
    expect(evaluate(same, [approval('U2')], may('U5'))).toEqual(pending(1, 'U5'));
  });

  test('of whom all have to approve need those who haven’t', () => {
    const all = [both[0], ['all', may('U2', 'U4')]] as const;
    expect(evaluate(all, [approval('U2'), approval('U4', 1)]).kind).toBe('approved');
  });

  test('can be approved by the same person if the policy says so', () => {
    const facts = createFacts(both, [approval('U2')], may(), 'any');
    expect(checkDecision(facts, 'U2')).toEqual({ kind: 'may', step: 1 });
    expect(evaluate(both, [approval('U2'), approval('U2', 1)], may(), 'any').kind).toBe('approved');
  });
});

const permission = fc.constantFrom<Permission>('yes', 'no', 'unknown');
const approvers = fc
  .record({
    people: fc.dictionary(fc.constantFrom(...USERS), permission, { noNullPrototype: true }),
    isComplete: fc.boolean(),
  })
  .map(({ people, isComplete }): Approvers => ({ people: new Map(Object.entries(people)), isComplete }));
const anyEvent = fc.record({
  kind: fc.constantFrom(
    ...(['approved', 'approved', 'approved', 'edited', 'commented', 'scheduled'] as const),
  ),
  actor: fc.constantFrom(...USERS, ''),
  version: fc.constantFrom(2, 3, 3),
  content_hash: fc.constantFrom('h2', 'h3', 'h3'),
  step: fc.constantFrom(0, 1, 2),
  content: fc.constant(null),
});
const anyFacts = fc
  .record({
    steps: fc.array(fc.tuple(fc.constantFrom('any' as const, 'all' as const), approvers), {
      minLength: 1,
      maxLength: 3,
    }),
    events: fc.array(anyEvent, { maxLength: 12 }),
    standIns: approvers,
    stepPeople: fc.constantFrom(...STEP_PEOPLE),
  })
  .map(({ steps, events, standIns, stepPeople }) => createFacts(steps, events, standIns, stepPeople));

/** Replaces what is unknown by an answer. */
function resolveUnknown(facts: ReviewFacts, answer: (user: string) => Permission): ReviewFacts {
  const resolve = ({ people, isComplete }: Approvers): Approvers => ({
    people: new Map(
      USERS.flatMap((user) => {
        const known = people.get(user) ?? (isComplete ? undefined : 'unknown');
        if (known === undefined) return [];
        return [[user, known === 'unknown' ? answer(user) : known] as const];
      }),
    ),
    isComplete: true,
  });
  const { steps, standIns } = facts.eligibility;
  return { ...facts, eligibility: { steps: steps.map(resolve), standIns: resolve(standIns) } };
}

describe('for any history and any policy', () => {
  test('“could not find out” never turns into an approval or a refusal', () => {
    fc.assert(
      fc.property(anyFacts, fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), (facts, answers) => {
        const review = evaluateReview(facts);
        const resolved = evaluateReview(
          resolveUnknown(facts, (user) => (answers[USERS.indexOf(user as 'U1')] ? 'yes' : 'no')),
        );
        if (review.kind !== 'unknown') expect(resolved.kind).toBe(review.kind);
      }),
      { numRuns: 2_000 },
    );
  });

  test('only approvals of this version by people other than its writers count', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const completed = facts.events.filter(({ kind, actor }) => kind === 'scheduled' && actor === '');
        const approvedVersion = Math.max(0, ...completed.map(({ version }) => version));
        const writers = facts.events.flatMap(({ kind, actor, version }) =>
          kind === 'edited' && version > approvedVersion ? [actor] : [],
        );
        const counted = facts.events.filter(
          ({ kind, actor, version, content_hash }) =>
            kind !== 'approved' ||
            (version === 3 && content_hash === 'h3' && actor !== 'U1' && !writers.includes(actor)),
        );
        expect(evaluateReview({ ...facts, events: counted })).toEqual(evaluateReview(facts));
      }),
      { numRuns: 2_000 },
    );
  });

  test('an approval is by an eligible person, and has one in each step', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const review = evaluateReview(facts);
        if (review.kind !== 'approved') return;
        for (const [step, members] of facts.eligibility.steps.entries()) {
          const eligible = facts.events.filter(
            ({ kind, actor, step: approvedStep, version }) =>
              kind === 'approved' &&
              approvedStep === step &&
              version === 3 &&
              actor !== 'U1' &&
              [members, facts.eligibility.standIns].some(({ people }) => people.get(actor) === 'yes'),
          );
          expect(eligible.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('whoever is asked may decide', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const review = evaluateReview(facts);
        if (review.kind !== 'pending') return;
        for (const user of review.asked)
          expect(checkDecision(facts, user)).toEqual({ kind: 'may', step: review.step });
      }),
      { numRuns: 2_000 },
    );
  });
});

const NOW = new Date('2026-11-20T12:00:00Z');

const LONG = 'Wordy 🥐 https://example.com/a '.repeat(1_500);

const HELD = { state: 'awaiting-review', reason: null } as const;

const TIMES = {
  publish_at: new Date('2026-12-01T09:00:00Z'),
  hand_over_at: new Date('2026-12-01T08:00:00Z'),
};

const ROW = { id: 'id', version: 7, content_hash: 'h'.repeat(40), author: 'U1', ...TIMES };

const ASKED: Parameters<typeof renderReviewRequest>[0] = {
  row: { ...ROW, ...HELD },
  facts: { held: { ...HELD, hand_over_at: TIMES.hand_over_at } },
  post: { content: 'Hello', platforms: ['X'], status: 'SCHEDULED' },
  project: 'Harbour Coffee',
  result: { kind: 'pending', step: 0, asked: ['U2'] },
  unasked: 'everybody',
  needsApproval: true,
  blackoutFact: undefined,
  ...{ stepCount: 1, needs: 'any', decisions: [], differences: [], author: 'Ana' },
};

const READERS = { viewers: 'everyone', now: NOW } as const;

const ownText = (platform: string, text: string) => ({ platforms: [platform], text });

/** Counts the characters of all texts. */
function countCharacters(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [key, part]) =>
      sum + (key === 'text' && typeof part === 'string' ? part.length : countCharacters(part)),
    0,
  );
}

test.each([
  ['one text', []],
  ['texts for single platforms', [ownText('FACEBOOK', LONG), ownText('LINKEDIN', LONG), ownText('X', LONG)]],
])(
  'a request for the longest post with %s stays within Slack’s limit for the blocks of a message',
  (_name, ownTexts) => {
    const { blocks } = renderReviewRequest(
      {
        ...ASKED,
        post: { content: LONG, media: LONG, platforms: [...PLATFORMS], status: 'SCHEDULED', ownTexts },
        project: LONG,
        result: { kind: 'pending', step: 0, asked: Array.from({ length: 50 }, (_, index) => `U${index}`) },
        blackoutFact: `Tue 1 Dec is a blackout day of this project (${'x'.repeat(60)}).`,
        stepCount: 3,
        decisions: Array.from({ length: 20 }, () => ({
          ...{ kind: 'changes-requested' as const, actor: 'U2', step: 0, text: LONG },
        })),
        differences: ['Text', 'Time', 'Platforms', 'Media', 'Template', 'Prompt'].map((field) => ({
          ...{ field, before: 'x'.repeat(120), after: 'y'.repeat(120) },
        })),
      },
      READERS,
    );
    // Slack refused a message whose blocks had 11,341 characters of text.
    expect(countCharacters(blocks)).toBeLessThan(11_340);
    expect(blocks.length).toBeLessThan(50);
  },
);

test('a text that a request has no room for is read as a whole in the view that [Read the whole text] opens', () => {
  const post = {
    ...{ content: `${'a'.repeat(8_990)} the end`, platforms: ['FACEBOOK', 'X'], status: 'SCHEDULED' },
    ownTexts: [ownText('X', 'short')],
  };
  const request = JSON.stringify(renderReviewRequest({ ...ASKED, post }, READERS).blocks);
  expect(request).toContain('…and 5,999 more characters.');
  expect(request).toContain('Read the whole text');
  const opened = JSON.stringify(
    renderReviewRequest({ ...ASKED, post }, { ...READERS, hasWholeText: true }).blocks,
  );
  expect(opened).toContain('the end');
  expect(opened).not.toMatch(/more characters|Read the whole text/);
  expect(JSON.stringify(renderReviewRequest(ASKED, READERS).blocks)).not.toContain('Read the whole text');
});

test('the previews of a request show each platform the text that it gets', () => {
  const post = {
    ...{ content: 'Main '.repeat(100), platforms: ['INSTAGRAM', 'LINKEDIN'], status: 'SCHEDULED' },
    ownTexts: [ownText('INSTAGRAM', 'Beans '.repeat(100))],
  };
  const { blocks } = renderReviewRequest({ ...ASKED, post }, READERS);
  const texts = blocks.map((block) => JSON.stringify(block));
  const findAfter = (start: string) => texts[texts.findIndex((text) => text.includes(start)) + 1];
  expect(findAfter('Preview for Instagram')).toContain('Beans');
  expect(findAfter('Preview for LinkedIn')).toContain('Main');
});

test('a request names who can approve instead of those who are asked', () => {
  const people = (...ids: string[]) => new Map(ids.map((id) => [id, 'yes'] as const));
  const eligibility = {
    steps: [{ people: people('U2'), isComplete: true }],
    standIns: { people: people('U2', 'U5'), isComplete: true },
  };
  const policy = {
    reviewSteps: [{ approvers: [{ kind: 'person', id: 'U2' }], needs: 'any' }],
    stepPeople: 'different',
    standIns: ['U5'],
  } as const;
  const post = { author: 'U1', version: 1, content_hash: 'a' };
  const result = evaluateReview({ post, policy, events: [], eligibility });
  const { blocks } = renderReviewRequest({ ...ASKED, result, standInNames: ['Eva <!here>'] }, READERS);
  expect(JSON.stringify(blocks)).toContain(
    'Waiting for <@U2>. @Eva &lt;!here&gt; can approve it instead. Without',
  );
});

test.each([
  [['Eva', 'Finn'], 'all', '@Eva or @Finn can approve it instead of one of them.'],
  [['Eva'], 'any', '@Eva or another stand-in can approve it instead.'],
  [[], 'any', 'A stand-in can approve it instead.'],
] as const)(
  'stand-ins of whom %j are known aren’t mentioned, because nobody asks them',
  (names, needs, text) => {
    const result = { kind: 'pending', step: 0, asked: ['U2', 'U3'], standIns: ['U5', 'U6'] } as const;
    const { blocks } = renderReviewRequest({ ...ASKED, result, needs, standInNames: names }, READERS);
    expect(JSON.stringify(blocks)).toContain(` ${text} Without`);
    expect(JSON.stringify(blocks)).not.toContain('<@U5>');
  },
);

test('a request names the people of whom anyone may approve, or who all have to', () => {
  expect(renderAskedPeople(['U1', 'U2', 'U3'], 'any')).toBe('<@U1>, <@U2> or <@U3>');
  expect(renderAskedPeople(['U1', 'U2'], 'all')).toBe('<@U1> and <@U2>');
});

test.each([
  ['an approval', { kind: 'approved', approver: 'U2' }, true, 'Approved'],
  [
    'an approval by somebody who has left',
    { kind: 'pending', step: 0, asked: ['U3'] },
    true,
    'Approval no longer counts',
  ],
  ['an approval that can’t be checked', { kind: 'unknown', step: 0 }, true, 'Approvals not checked yet'],
  [
    'no approval, and reviews were switched off',
    { kind: 'pending', step: 0, asked: [] },
    false,
    'No review needed',
  ],
] as const)('the request of a held post with %s says so', (_name, result, needsApproval, title) => {
  const held = { state: 'held', reason: null } as const;
  const { text, blocks } = renderReviewRequest(
    {
      ...ASKED,
      row: { ...ROW, ...held },
      facts: { held: { ...held, hand_over_at: TIMES.hand_over_at } },
      ...{ result, needsApproval },
    },
    READERS,
  );
  expect(text).toContain(title);
  const promisesHandOver = JSON.stringify(blocks).includes('I’ll hand it over');
  expect(promisesHandOver).toBe(!title.startsWith('Approval'));
});

test.each([
  ['nobody', 'I found nobody who may approve it'],
  ['not-checked', 'I couldn’t find out yet who may approve it.'],
  ['everybody', 'Without approval by'],
] as const)('a request that asks nobody says why: %s', (unasked, start) => {
  const result = { kind: 'pending', step: 0, asked: [] } as const;
  const { text, blocks } = renderReviewRequest({ ...ASKED, result, unasked }, READERS);
  expect(JSON.stringify(blocks)).toContain(`\\n${start}`);
  expect(text).toContain(unasked === 'nobody' ? 'Waiting for review' : 'Please review this post');
});

test.each([
  [
    'the last step',
    { step: 1, asked: ['U3'] },
    'any',
    'I’ll schedule it at once, and it goes out at its time:',
  ],
  ['the first of two steps', { step: 0, asked: ['U2'] }, 'any', 'Another approval has to follow.'],
  ['the first of two who all have to', { step: 1, asked: ['U2', 'U3'] }, 'all', 'Without it by'],
  [
    'an unknown number of people',
    { step: 1, asked: [] },
    'all',
    'I couldn’t find out whether another approval has to follow.',
  ],
] as const)(
  'before a late approval of %s, the reviewer reads what follows it',
  (_name, pending, needs, text) => {
    const row = { ...ROW, ...TIMES, state: 'needs-person', reason: 'not-approved' } as const;
    const result = { kind: 'pending', ...pending } as const;
    const { blocks } = renderReviewRequest({ ...ASKED, row, result, stepCount: 2, needs }, READERS);
    const shown = JSON.stringify(blocks);
    expect(shown).toContain(text);
    expect(shown).not.toContain('as soon as');
  },
);

test('while sending is stopped, a late approval promises nothing', () => {
  const row = { ...ROW, ...TIMES, state: 'needs-person', reason: 'not-approved' } as const;
  const { blocks } = renderReviewRequest(
    { ...ASKED, row, facts: { ...ASKED.facts, isStopped: true } },
    READERS,
  );
  const shown = JSON.stringify(blocks);
  expect(shown).toContain('Sending is stopped for this project. Approve the post after that.');
  expect(shown).not.toContain('at once');
});
