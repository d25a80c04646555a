import { expect, test } from 'vitest';
import { hasFailedInLog } from '../../src/publications/check-publication.ts';

const since = new Date('2026-12-01T09:00:00Z');
const [before, soon, later] = ['2026-12-01T08:00:00Z', '2026-12-01T09:00:05Z', '2026-12-01T09:01:00Z'].map(
  (at) => new Date(at),
);

test.each([
  ['post_7', 'post_7 failed'],
  ['post_7', 'post.failed (post_7): could not reach X'],
  ['post_7', 'Error while publishing post_7'],
  ['post_7', 'post_7 couldn’t be published'],
  ['7', 'post 7 failed'],
  ['7', 'Failed. PostId: 7'],
])('a log line about the failure of %s is recognised: %s', (id, message) => {
  expect(hasFailedInLog([{ message, at: soon }], { id, since })).toBe(true);
});

test.each([
  ['post_7', 'post_70 failed'],
  ['post_7', 'my-post_7 failed'],
  ['post_7', 'post_7 was published'],
  ['post_7', 'post_7 was created'],
  ['7', 'user 7 failed to sign in'],
  ['7', 'post 12 failed after 7 attempts'],
])('a log line isn’t about a failure of %s: %s', (id, message) => {
  expect(hasFailedInLog([{ message, at: soon }], { id, since })).toBe(false);
});

test('a log line without a time, or from before the publishing time, is ignored', () => {
  const message = 'post_7 failed';
  expect(hasFailedInLog([{ message, at: before }, { message }], { id: 'post_7', since })).toBe(false);
});

test('a post that failed first and was published later counts as published', () => {
  const lines = [
    { message: 'post_7 was published', at: later },
    { message: 'post_7 failed, trying again', at: soon },
  ];
  expect(hasFailedInLog(lines, { id: 'post_7', since })).toBe(false);
  expect(hasFailedInLog(lines.toReversed(), { id: 'post_7', since })).toBe(false);
});
