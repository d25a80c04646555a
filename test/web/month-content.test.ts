import { describe, expect, test } from 'vitest';
import { createMonthContent, type MonthSources } from '../../src/web/month/month-content.ts';
import { buildMonthAddress, readMonthQuery } from '../../src/web/month/month-query.ts';
import { type PlanPost, parseKey } from '../../src/web/read-plan.ts';
import { findState, TONES } from '../../src/web/state.ts';
import { addMonths, findWeek, getMonthRange, listDays, renderClock, renderZone } from '../../src/web/time.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const PROJECTS = [
  { id: 'p1', name: 'Harbour Coffee' },
  { id: 'p2', name: 'Night Market Books' },
];
const [P1] = PROJECTS;

function plan(
  at: string,
  changes: Partial<PlanPost> & { platforms?: string[]; zone?: string } = {},
): PlanPost {
  const { platforms = ['X'], zone = 'Europe/Lisbon', ...others } = changes;
  return {
    ...{
      key: at,
      project: P1 ?? { id: '', name: '' },
      at: new Date(at),
      facts: {},
      author: 'U1',
      heldId: undefined,
    },
    ...{ held: undefined, changedAt: undefined, state: { name: 'Scheduled', tone: 'scheduled' } },
    post: { content: at, platforms, timezone: zone, scheduleDate: new Date(at) },
    ...others,
  };
}

function show(
  posts: readonly PlanPost[],
  { query = {}, ...changes }: Partial<Omit<MonthSources, 'query'>> & { query?: object } = {},
) {
  const read = readMonthQuery('2026-11', new URLSearchParams(), PROJECTS);
  if (!read) throw new Error('no query');
  return createMonthContent({
    query: { ...read, ...query },
    plan: { posts, unread: [], isTruncated: false, unreadableCount: 0 },
    projects: PROJECTS,
    ...{ blackouts: new Map(), freeSlots: [], now: NOW, isAll: true },
    reader: { name: 'Ana', zone: 'Europe/Berlin', locale: 'en-GB' },
    ...changes,
  });
}

const findDays = (content: ReturnType<typeof show>) =>
  content.days.flatMap(({ date, posts }) => posts.map(({ post }) => `${date.slice(8)} ${post.content}`));

describe('the days of a month', () => {
  test.each([
    ['Europe/Berlin', '2026-10-25T22:59:00Z', '25'],
    ['Europe/Berlin', '2026-10-25T23:00:00Z', '26'],
    ['America/New_York', '2026-10-26T03:59:00Z', '25'],
    ['Pacific/Kiritimati', '2026-10-25T10:00:00Z', '26'],
  ])('in %s, %s is on the %s, also on the day on which clocks change', (zone, at, day) => {
    const query = { month: '2026-10' };
    const content = show([plan(at)], { query, reader: { name: 'Ana', zone, locale: undefined } });
    expect(findDays(content)).toEqual([`${day} ${at}`]);
  });

  test('a month is read from its first to its last instant in the reader’s zone', () => {
    const toIso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];
    expect(toIso(getMonthRange('2026-10', 'Europe/Berlin'))).toEqual([
      '2026-09-30T22:00:00.000Z',
      '2026-10-31T22:59:59.999Z',
    ]);
    expect(toIso(getMonthRange('2027-03', 'Europe/Berlin'))).toEqual([
      '2027-02-28T23:00:00.000Z',
      '2027-03-31T21:59:59.999Z',
    ]);
    expect(listDays('2028-02')).toHaveLength(29);
    expect([addMonths('2026-12', 1), addMonths('2027-01', -1)]).toEqual(['2027-01', '2026-12']);
  });

  test('a time that the clock shows twice has its offset, and the reader’s clock has twelve hours if their language does', () => {
    const reader = { zone: 'Europe/Berlin', locale: 'en-US' };
    expect(renderClock(new Date('2026-10-25T00:30:00Z'), reader)).toBe('2:30 AM (UTC+02:00)');
    expect(renderClock(new Date('2026-10-25T01:30:00Z'), reader)).toBe('2:30 AM (UTC+01:00)');
    expect(renderClock(new Date('2026-11-25T13:30:00Z'), { ...reader, locale: 'de-DE' })).toBe('14:30');
    expect(renderZone('Europe/Berlin', NOW)).toBe('Berlin (UTC+01:00)');
  });

  test.each([
    ['de-DE', 1, [6, 0]],
    ['en-US', 0, [6, 0]],
    ['ar-EG', 6, [5, 6]],
    ['not a locale', 1, [6, 0]],
    [undefined, 1, [6, 0]],
  ])('a week begins where the reader’s does: %s', (locale, firstDay, weekend) => {
    const week = findWeek(locale);
    expect([week.firstDay, week.weekend.toSorted()]).toEqual([firstDay, weekend.toSorted()]);
  });
});

describe('what to look at', () => {
  test('three days without a post are a gap, but not days that are over, blackout days or an unread plan', () => {
    const posts = ['2026-11-21T09:00:00Z', '2026-11-25T09:00:00Z', '2026-11-28T09:00:00Z'].map((at) =>
      plan(at),
    );
    expect(show(posts).gaps).toEqual([{ from: '2026-11-22', to: '2026-11-24', count: 3 }]);
    const blackouts = new Map([['p1', [{ from: '2026-11-23', to: '2026-11-23', name: '' }]]]);
    expect(show(posts, { blackouts }).gaps).toEqual([]);
    expect(show(posts, { isAll: false }).gaps).toEqual([]);
    expect(
      show(posts, { plan: { posts, unread: PROJECTS, isTruncated: false, unreadableCount: 0 } }).gaps,
    ).toEqual([]);
  });

  test('posts of one project less than half an hour apart on a platform are too close', () => {
    const first = plan('2026-11-24T09:00:00Z');
    const second = plan('2026-11-24T09:29:00Z');
    const onOther = plan('2026-11-24T09:10:00Z', { platforms: ['REDDIT'] });
    const ofOther = plan('2026-11-24T09:10:00Z', { project: PROJECTS[1] ?? first.project });
    const cancelled = plan('2026-11-24T09:05:00Z', { state: { name: 'Cancelled', tone: 'cancelled' } });
    const { collisions } = show([first, cancelled, onOther, ofOther, second]);
    expect([...collisions]).toEqual([[second, first]]);
  });

  test('a blackout day of some projects names them', () => {
    const day = [{ from: '2026-11-26', to: '2026-11-26', name: 'Thanksgiving' }];
    const find = (...ids: string[]) =>
      show([], { blackouts: new Map(ids.map((id) => [id, day])) }).days.find(
        ({ date }) => date === '2026-11-26',
      )?.blackouts;
    const [first, ...others] = PROJECTS;
    const ofFirst = { name: 'Thanksgiving', projects: [first?.name] };
    expect(find(first?.id ?? '')).toEqual([ofFirst]);
    expect(find(...PROJECTS.map(({ id }) => id))).toEqual([{ name: 'Thanksgiving', projects: [] }]);
    const other = [{ from: '2026-11-26', to: '2026-11-26', name: 'Stocktaking' }];
    const blackouts = new Map([
      [first?.id ?? '', day],
      [others[0]?.id ?? '', other],
    ]);
    expect(show([], { blackouts }).days.find(({ date }) => date === '2026-11-26')?.blackouts).toEqual([
      ofFirst,
      { name: 'Stocktaking', projects: [others[0]?.name] },
    ]);
  });

  test('a blackout day is that of the post’s own zone', () => {
    const blackouts = new Map([['p1', [{ from: '2026-11-26', to: '2026-11-26', name: 'Thanksgiving' }]]]);
    const late = plan('2026-11-27T03:00:00Z', { zone: 'America/New_York' });
    const early = plan('2026-11-26T03:00:00Z', { zone: 'America/New_York' });
    expect(show([early, late], { blackouts }).onBlackouts.map(({ planned }) => planned)).toEqual([late]);
  });
});

test('filters show what they say, and cancelled posts only when asked for', () => {
  const posts = [
    plan('2026-11-24T09:00:00Z'),
    plan('2026-11-25T09:00:00Z', { platforms: ['REDDIT'], author: 'U2' }),
    plan('2026-11-26T09:00:00Z', { state: { name: 'Cancelled', tone: 'cancelled' } }),
  ];
  expect(findDays(show(posts))).toHaveLength(2);
  expect(show(posts).counts).toMatchObject({ '': 2, scheduled: 2, cancelled: 1 });
  expect(findDays(show(posts, { query: { state: 'cancelled' } }))).toEqual(['26 2026-11-26T09:00:00Z']);
  expect(findDays(show(posts, { query: { platform: 'REDDIT' } }))).toEqual(['25 2026-11-25T09:00:00Z']);
  expect(findDays(show(posts, { query: { author: 'U2' } }))).toEqual(['25 2026-11-25T09:00:00Z']);
});

test('an address means what it says, and what it can’t mean is left out', () => {
  const address = new URLSearchParams('project=p2&platform=X&state=review&author=U1ABC&day=17&page=2');
  const query = readMonthQuery('2026-11', address, PROJECTS);
  expect(query).toEqual({
    ...{
      month: '2026-11',
      project: 'p2',
      platform: 'X',
      state: 'review',
      author: 'U1ABC',
      day: '17',
      page: 2,
    },
  });
  expect(query && buildMonthAddress(query)).toBe(`2026-11?${address}`);
  const hostile = new URLSearchParams('project=p3&platform=%3Cb&state=toString&author=%22&day=1&page=-1');
  expect(readMonthQuery('2026-11', hostile, PROJECTS)).toEqual({
    ...{ month: '2026-11', project: 'p1', platform: '', state: '', author: '', day: '', page: 0 },
  });
  expect(readMonthQuery('2026-13', new URLSearchParams(), PROJECTS)).toBeUndefined();
});

test.each([
  [{ held: { state: 'draft', reason: 'rejected' } }, 'Rejected', 'changes'],
  [{ held: { state: 'needs-person', reason: 'overdue' } }, 'Overdue', 'problem'],
  [{ status: 'PUBLISHED' }, 'Published', 'published'],
  [{ status: 'SOMETHING NEW' }, 'SOMETHING NEW', 'pending'],
  [{ status: 'SCHEDULED', at: new Date('2026-11-20T09:00:00Z'), readAt: NOW }, 'Overdue', 'problem'],
] as const)('the state of %j has the name that it has in Slack: %s', (facts, name, tone) => {
  expect(findState(facts, NOW)).toEqual({ name, tone });
  expect(Object.keys(TONES)).toContain(tone);
});

test.each(['', 'p', 'x.y', 's.a', 's.a.1', 's.a.x.b'])('“%s” is the address of no post', (text) => {
  const key = parseKey(text);
  expect(key === undefined || 'held' in key).toBe(true);
});
