import { describe, expect, test } from 'vitest';
import { find } from '../../../src/digests/composed/findings.ts';
import { cpuMs } from '../../support/cpu-ms.ts';
import { BOOKS, HARBOUR, manyPosts, planned, planOf } from './weeks.ts';

/** Fri 20 Nov 2026, 09:00 in Berlin. */
const NOW = new Date('2026-11-20T08:00:00Z');
const daily = { kind: 'daily', zone: 'Europe/Berlin', date: '2026-11-20', now: NOW } as const;

describe('what is next and ahead', () => {
  test('the next is the first that is to come and no draft', () => {
    const next = planned('2026-11-20T10:00:00Z');
    const plan = planOf([
      planned('2026-11-20T07:00:00Z', { status: 'PUBLISHED' }),
      planned('2026-11-20T09:00:00Z', { status: 'DRAFT' }),
      next,
      planned('2026-11-20T11:00:00Z'),
    ]);
    expect(find(plan, daily).next).toBe(next);
  });

  test('today is all of the day in the digest’s zone, and then 36 hours from now', () => {
    const plan = planOf([
      planned('2026-11-19T22:59:00Z', { content: 'yesterday', status: 'PUBLISHED' }),
      planned('2026-11-19T23:00:00Z', { content: 'midnight', status: 'PUBLISHED' }),
      planned('2026-11-21T19:59:00Z', { content: 'just within' }),
      planned('2026-11-21T20:00:00Z', { content: 'just beyond' }),
    ]);
    expect(find(plan, daily).ahead.map(({ post }) => post.content)).toEqual(['midnight', 'just within']);
  });

  test('a week is seven days by the calendar, also where one has 25 hours', () => {
    const plan = planOf([
      planned('2026-10-26T22:59:00Z', { content: 'last minute' }),
      planned('2026-10-26T23:00:00Z', { content: 'the day after' }),
    ]);
    const now = new Date('2026-10-20T07:00:00Z');
    const found = find(plan, { kind: 'weekly', zone: 'Europe/Berlin', date: '2026-10-20', now });
    expect(found.ahead.map(({ post }) => post.content)).toEqual(['last minute']);
    expect(found.until.toISOString()).toBe('2026-10-26T23:00:00.000Z');
  });
});

describe('what needs a look', () => {
  test('late is what is over 15 minutes past its time, and neither published, a draft nor of unknown status', () => {
    const late = planned('2026-11-20T07:44:00Z');
    const plan = planOf([
      late,
      planned('2026-11-20T07:45:00Z'),
      planned('2026-11-20T07:00:00Z', { status: 'published' }),
      planned('2026-11-20T07:00:00Z', { status: 'DRAFT' }),
      planned('2026-11-20T07:00:00Z', { status: undefined }),
    ]);
    expect(find(plan, daily).late).toEqual([late]);
  });

  test('two posts of one project on one platform collide within 30 minutes', () => {
    const pairs = (posts: Parameters<typeof planOf>[0]) =>
      find(planOf(posts, [HARBOUR, BOOKS]), daily).collisions.map(({ platform }) => platform);
    const at = (minutes: number) => `2026-11-20T10:${String(minutes).padStart(2, '0')}:00Z`;
    expect(pairs([planned(at(0)), planned(at(29))])).toEqual(['X']);
    expect(pairs([planned(at(0)), planned(at(30))])).toEqual([]);
    expect(pairs([planned(at(0)), planned(at(5), { platforms: ['LINKEDIN'] })])).toEqual([]);
    expect(pairs([planned(at(0)), planned(at(5), { project: BOOKS })])).toEqual([]);
    expect(pairs([planned(at(0)), planned(at(5), { status: 'DRAFT' })])).toEqual([]);
  });

  test('the next five weekdays begin today and leave out the weekend; a draft fills none', () => {
    const plan = planOf([
      planned('2026-11-20T10:00:00Z'),
      planned('2026-11-23T10:00:00Z', { status: 'DRAFT' }),
      planned('2026-11-24T10:00:00Z'),
      planned('2026-11-26T23:30:00Z'),
    ]);
    const dates = ['2026-11-23', '2026-11-25', '2026-11-26'];
    expect(find(plan, daily).gaps).toEqual([{ project: HARBOUR, dates }]);
  });

  test('where not everything was read no day is called empty', () => {
    expect(find({ ...planOf([]), isWhole: false }, daily).gaps).toEqual([]);
  });

  test('a draft’s date is near within three days', () => {
    const near = planned('2026-11-23T08:00:00Z', { status: 'DRAFT' });
    const plan = planOf([near, planned('2026-11-23T08:01:00Z', { status: 'DRAFT' })]);
    expect(find(plan, daily).drafts).toEqual([near]);
  });
});

test('10,000 posts of one day are looked through in no time', () => {
  const plan = planOf(manyPosts('2026-11-20T00:00:00Z', 10_000));
  expect(cpuMs(() => find(plan, daily))).toBeLessThan(1_000);
  expect(find(plan, daily).ahead.length).toBeGreaterThan(1_000);
});
