import { expect, test } from 'vitest';
import { listPostDifferences, renderPostDifference } from '../../src/posts/post-changes.ts';

const now = new Date('2026-11-20T12:00:00Z');
const post = {
  content: 'Hello',
  platforms: ['X'],
  status: 'SCHEDULED',
  scheduleDate: new Date('2026-12-01T08:00:00Z'),
  timezone: 'Europe/Berlin',
};
const list = (after: object) =>
  listPostDifferences(post, { ...post, ...after }, { viewers: { zone: 'Europe/Berlin' }, now }).map(
    renderPostDifference,
  );

test('equal versions have no difference', () => {
  expect(list({})).toEqual([]);
});

test('the same platforms in another order are no difference, and each version names them in the same order', () => {
  const both = { ...post, platforms: ['LINKEDIN', 'X'] };
  const compare = (platforms: string[]) =>
    listPostDifferences(both, { ...both, platforms }, { viewers: {}, now }).map(renderPostDifference);
  expect(compare(['X', 'LINKEDIN'])).toEqual([]);
  expect(compare(['X', 'LINKEDIN', 'THREADS'])).toEqual([
    'Platforms: X and LinkedIn → X, LinkedIn and Threads',
  ]);
});

test('each changed field is named with its value before and after', () => {
  expect(
    list({
      content: 'Hello\nworld',
      platforms: ['X', 'LINKEDIN'],
      scheduleDate: new Date('2026-12-02T08:00:00Z'),
      media: 'https://example.com/a.png',
      status: 'DRAFT',
    }),
  ).toEqual([
    'Text: “Hello” → “Hello world”',
    'Time: Tue 1 Dec, 09:00 → Wed 2 Dec, 09:00',
    'Platforms: X → X and LinkedIn',
    'Media: none → “https://example.com/a.png”',
    'Status: scheduled → draft',
  ]);
});

test('a long text is cut off', () => {
  const [line = ''] = list({ content: 'x'.repeat(40_000) });
  expect(line.length).toBeLessThan(200);
});

test('a change far into a long text is quoted from shortly before it', () => {
  const beginning = 'word '.repeat(100);
  const [difference] = listPostDifferences(
    { ...post, content: `${beginning}at nine` },
    { ...post, content: `${beginning}at ten` },
    { viewers: {}, now },
  );
  expect(difference?.before).toMatch(/^“….{0,40}at nine”$/);
  expect(difference?.after).toMatch(/^“….{0,40}at ten”$/);
});
