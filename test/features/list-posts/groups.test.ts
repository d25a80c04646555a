import { expect, test } from 'vitest';
import { getGroup } from '../../../src/features/list-posts/page/post-row.ts';

const viewer = { now: new Date('2026-11-20T08:00:00Z'), zone: 'UTC' };

test.each([
  ['SCHEDULED', 'Not published yet'],
  ['FAILED', 'Not published yet'],
  ['PUBLISHED', 'Published'],
  ['SENT', 'Past'],
  [undefined, 'Past'],
])('a past post with the status %s is in the group %s', (status, title) => {
  const post = { status, scheduleDate: new Date('2026-11-20T07:00:00Z'), platforms: [] };
  expect(getGroup(post, { platforms: [], statuses: [], zone: 'UTC' }, viewer).title).toBe(title);
});
