import { describe, expect, test } from 'vitest';
import { analyzePlan } from '../../../src/digests/content/findings.ts';
import { cpuMs } from '../../support/cpu-ms.ts';
import { BOOKS, HARBOUR, manyPosts, plannedPost, planOf } from './weeks.ts';

/** Fri 20 Nov 2026, 09:00 in Berlin. */
const NOW = new Date('2026-11-20T08:00:00Z');
const daily = { kind: 'daily', zone: 'Europe/Berlin', date: '2026-11-20', now: NOW } as const;

describe('upcoming posts', () => {
  test('the next post is the first upcoming post that isn’t a draft', () => {
    const next = plannedPost('2026-11-20T10:00:00Z');
    const plan = planOf([
      plannedPost('2026-11-20T07:00:00Z', { status: 'PUBLISHED' }),
      plannedPost('2026-11-20T09:00:00Z', { status: 'DRAFT' }),
      next,
      plannedPost('2026-11-20T11:00:00Z'),
    ]);
    expect(analyzePlan(plan, daily).next).toBe(next);
  });

  test('a daily digest covers the whole day in its zone and the next 36 hours', () => {
    const plan = planOf([
      plannedPost('2026-11-19T22:59:00Z', { content: 'yesterday', status: 'PUBLISHED' }),
      plannedPost('2026-11-19T23:00:00Z', { content: 'midnight', status: 'PUBLISHED' }),
      plannedPost('2026-11-21T19:59:00Z', { content: 'just within' }),
      plannedPost('2026-11-21T20:00:00Z', { content: 'just beyond' }),
    ]);
    expect(analyzePlan(plan, daily).ahead.map(({ post }) => post.content)).toEqual([
      'midnight',
      'just within',
    ]);
  });

  test('a weekly digest covers seven calendar days, even if one of them has 25 hours', () => {
    const plan = planOf([
      plannedPost('2026-10-26T22:59:00Z', { content: 'last minute' }),
      plannedPost('2026-10-26T23:00:00Z', { content: 'the day after' }),
    ]);
    const now = new Date('2026-10-20T07:00:00Z');
    const analysis = analyzePlan(plan, { kind: 'weekly', zone: 'Europe/Berlin', date: '2026-10-20', now });
    expect(analysis.ahead.map(({ post }) => post.content)).toEqual(['last minute']);
    expect(analysis.end.toISOString()).toBe('2026-10-26T23:00:00.000Z');
  });
});

describe('findings', () => {
  test('a post is late 15 minutes after its time, unless it is published, a draft or of unknown status', () => {
    const late = plannedPost('2026-11-20T07:44:00Z');
    const plan = planOf([
      late,
      plannedPost('2026-11-20T07:45:00Z'),
      plannedPost('2026-11-20T07:00:00Z', { status: 'published' }),
      plannedPost('2026-11-20T07:00:00Z', { status: 'DRAFT' }),
      plannedPost('2026-11-20T07:00:00Z', { status: undefined }),
    ]);
    expect(analyzePlan(plan, daily).late).toEqual([late]);
  });

  test('two posts of one project collide if they are less than 30 minutes apart on one platform', () => {
    const findCollisions = (posts: Parameters<typeof planOf>[0]) =>
      analyzePlan(planOf(posts, [HARBOUR, BOOKS]), daily).collisions.map(({ platform }) => platform);
    const getTime = (minutes: number) => `2026-11-20T10:${String(minutes).padStart(2, '0')}:00Z`;
    expect(findCollisions([plannedPost(getTime(0)), plannedPost(getTime(29))])).toEqual(['X']);
    expect(findCollisions([plannedPost(getTime(0)), plannedPost(getTime(30))])).toEqual([]);
    expect(
      findCollisions([plannedPost(getTime(0)), plannedPost(getTime(5), { platforms: ['LINKEDIN'] })]),
    ).toEqual([]);
    expect(findCollisions([plannedPost(getTime(0)), plannedPost(getTime(5), { project: BOOKS })])).toEqual(
      [],
    );
    expect(findCollisions([plannedPost(getTime(0)), plannedPost(getTime(5), { status: 'DRAFT' })])).toEqual(
      [],
    );
  });

  test('gaps are those of the next five weekdays without a post; drafts don’t fill a gap', () => {
    const plan = planOf([
      plannedPost('2026-11-20T10:00:00Z'),
      plannedPost('2026-11-23T10:00:00Z', { status: 'DRAFT' }),
      plannedPost('2026-11-24T10:00:00Z'),
      plannedPost('2026-11-26T23:30:00Z'),
    ]);
    const dates = ['2026-11-23', '2026-11-25', '2026-11-26'];
    expect(analyzePlan(plan, daily).gaps).toEqual([{ project: HARBOUR, dates }]);
  });

  test('gaps are reported only if all posts were read', () => {
    expect(analyzePlan({ ...planOf([]), isComplete: false }, daily).gaps).toEqual([]);
  });

  test('drafts of the next three days are reported', () => {
    const nearDraft = plannedPost('2026-11-23T08:00:00Z', { status: 'DRAFT' });
    const plan = planOf([nearDraft, plannedPost('2026-11-23T08:01:00Z', { status: 'DRAFT' })]);
    expect(analyzePlan(plan, daily).drafts).toEqual([nearDraft]);
  });
});

test('10,000 posts of one day take less than a second', () => {
  const plan = planOf(manyPosts('2026-11-20T00:00:00Z', 10_000));
  expect(cpuMs(() => analyzePlan(plan, daily))).toBeLessThan(1_000);
  expect(analyzePlan(plan, daily).ahead.length).toBeGreaterThan(1_000);
});
