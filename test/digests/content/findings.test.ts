import { describe, expect, test } from 'vitest';
import { analyzePlan } from '../../../src/digests/content/findings.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';
import { BOOKS, createManyPosts, createPlan, createPlannedPost, HARBOUR } from './weeks.ts';

/** Fri 20 Nov 2026, 09:00 in Berlin. */
const NOW = new Date('2026-11-20T08:00:00Z');
const daily = { kind: 'daily', zone: 'Europe/Berlin', date: '2026-11-20', now: NOW } as const;

describe('upcoming posts', () => {
  test('the next post is the first upcoming post that isn’t a draft', () => {
    const next = createPlannedPost('2026-11-20T10:00:00Z');
    const plan = createPlan([
      createPlannedPost('2026-11-20T07:00:00Z', { status: 'PUBLISHED' }),
      createPlannedPost('2026-11-20T09:00:00Z', { status: 'DRAFT' }),
      next,
      createPlannedPost('2026-11-20T11:00:00Z'),
    ]);
    expect(analyzePlan(plan, daily).next).toBe(next);
  });

  test('a daily digest covers the whole day in its zone and the next 36 hours', () => {
    const plan = createPlan([
      createPlannedPost('2026-11-19T22:59:00Z', { content: 'yesterday', status: 'PUBLISHED' }),
      createPlannedPost('2026-11-19T23:00:00Z', { content: 'midnight', status: 'PUBLISHED' }),
      createPlannedPost('2026-11-21T19:59:00Z', { content: 'just within' }),
      createPlannedPost('2026-11-21T20:00:00Z', { content: 'just beyond' }),
    ]);
    expect(analyzePlan(plan, daily).periodPosts.map(({ post }) => post.content)).toEqual([
      'midnight',
      'just within',
    ]);
  });

  test('a weekly digest covers seven calendar days, even if one of them has 25 hours', () => {
    const plan = createPlan([
      createPlannedPost('2026-10-26T22:59:00Z', { content: 'last minute' }),
      createPlannedPost('2026-10-26T23:00:00Z', { content: 'the day after' }),
    ]);
    const now = new Date('2026-10-20T07:00:00Z');
    const analysis = analyzePlan(plan, { kind: 'weekly', zone: 'Europe/Berlin', date: '2026-10-20', now });
    expect(analysis.periodPosts.map(({ post }) => post.content)).toEqual(['last minute']);
    expect(analysis.end.toISOString()).toBe('2026-10-26T23:00:00.000Z');
  });
});

describe('findings', () => {
  test('a post is late 15 minutes after its time, unless it is published, a draft or of unknown status', () => {
    const late = createPlannedPost('2026-11-20T07:44:00Z');
    const plan = createPlan([
      late,
      createPlannedPost('2026-11-20T07:45:00Z'),
      createPlannedPost('2026-11-20T07:00:00Z', { status: 'PUBLISHED' }),
      createPlannedPost('2026-11-20T07:00:00Z', { status: 'DRAFT' }),
      createPlannedPost('2026-11-20T07:00:00Z', { status: undefined }),
      createPlannedPost('2026-11-20T07:00:00Z', { status: 'SENT' }),
      createPlannedPost('2026-11-20T07:00:00Z', { status: 'UNCERTAIN' }),
    ]);
    expect(analyzePlan(plan, daily).overdue).toEqual([late]);
  });

  test('a post that needs a decision is late as soon as its time has passed', () => {
    const facts = { held: { state: 'needs-person', reason: 'overdue' } } as const;
    const createKept = (time: string) => ({ ...createPlannedPost(time, { status: 'DECISION' }), facts });
    const late = createKept('2026-11-20T07:58:00Z');
    const plan = createPlan([late, createKept('2026-11-20T08:01:00Z')]);
    expect(analyzePlan(plan, daily).overdue).toEqual([late]);
  });

  test.each([
    ['29 minutes apart', '10:29', {}, ['X']],
    ['30 minutes apart', '10:30', {}, []],
    ['on different platforms', '10:05', { platforms: ['LINKEDIN'] }, []],
    ['of different projects', '10:05', { project: BOOKS }, []],
    ['of which one is a draft', '10:05', { status: 'DRAFT' }, []],
  ])('two posts collide or not: %s', (_what, time, fields, platforms) => {
    const posts = [
      createPlannedPost('2026-11-20T10:00:00Z'),
      createPlannedPost(`2026-11-20T${time}:00Z`, fields),
    ];
    const { collisions } = analyzePlan(createPlan(posts, [HARBOUR, BOOKS]), daily);
    expect(collisions.map(({ platform }) => platform)).toEqual(platforms);
  });

  test('each of the next five weekdays without a post is a gap, even if it has a draft', () => {
    const plan = createPlan([
      createPlannedPost('2026-11-20T10:00:00Z'),
      createPlannedPost('2026-11-23T10:00:00Z', { status: 'DRAFT' }),
      createPlannedPost('2026-11-24T10:00:00Z'),
      createPlannedPost('2026-11-26T23:30:00Z'),
    ]);
    const dates = ['2026-11-23', '2026-11-25', '2026-11-26'];
    expect(analyzePlan(plan, daily).gaps).toEqual([{ project: HARBOUR, dates }]);
  });

  test('if not all posts were read, no gaps are reported', () => {
    expect(analyzePlan({ ...createPlan([]), isComplete: false }, daily).gaps).toEqual([]);
  });

  test('whether a post is on a blackout day is seen in its own zone, or else in the digest’s', () => {
    // In New York 24 Dec, 23:30. In Berlin 25 Dec, 05:30.
    const createPost = (timezone: string | undefined) =>
      createPlannedPost('2026-12-25T04:30:00Z', { timezone });
    const others = ['Europe/Berlin', 'GMT+3 or so', undefined].map(createPost);
    const blackouts = [{ from: '2026-12-25', to: '2026-12-25', name: 'Christmas' }];
    const findings = analyzePlan(createPlan([createPost('America/New_York'), ...others]), {
      ...{ kind: 'daily', zone: 'Europe/Berlin', date: '2026-12-24', now: new Date('2026-12-24T08:00:00Z') },
      slots: new Map([[HARBOUR.id, { postingTimes: [], blackouts, free: [] }]]),
    });
    expect(findings.onBlackouts.map(({ planned }) => planned)).toEqual(others);
  });

  test('drafts of the next three days are reported', () => {
    const nearDraft = createPlannedPost('2026-11-23T08:00:00Z', { status: 'DRAFT' });
    const plan = createPlan([nearDraft, createPlannedPost('2026-11-23T08:01:00Z', { status: 'DRAFT' })]);
    expect(analyzePlan(plan, daily).drafts).toEqual([nearDraft]);
  });
});

test('10,000 posts are analyzed in less than a second', () => {
  const plan = createPlan(createManyPosts('2026-11-20T00:00:00Z', 10_000));
  expect(measureCpuMs(() => analyzePlan(plan, daily))).toBeLessThan(1_000);
  expect(analyzePlan(plan, daily).periodPosts.length).toBeGreaterThan(1_000);
});
