import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Permission } from '../../../src/access/access.ts';
import {
  type Approvers,
  checkDecision,
  evaluateReview,
  type ReviewEvent,
  type ReviewFacts,
} from '../../../src/held-posts/review/evaluate-review.ts';

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
): ReviewFacts {
  return {
    post: POST,
    policy: { reviewSteps: steps.map(([needs]) => ({ approvers: [], needs })), standIns: [] },
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
  })
  .map(({ steps, events, standIns }) => createFacts(steps, events, standIns));

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
