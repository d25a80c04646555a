import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PostColumns } from '../../src/posts/post-columns.ts';

const PLATFORMS = ['INSTAGRAM', 'FACEBOOK', 'X'];
const STATUSES = ['DRAFT', 'SCHEDULED', 'PUBLISHED'];
const NOW = 50;

const post = fc.record({
  moment: fc.option(fc.integer({ min: 0, max: 100 })),
  platforms: fc.subarray(PLATFORMS),
  status: fc.constantFrom(...STATUSES),
});

const filter = fc.record(
  {
    from: fc.integer({ min: 0, max: 100 }),
    to: fc.integer({ min: 0, max: 100 }),
    platforms: fc.subarray(PLATFORMS),
    statuses: fc.subarray(STATUSES),
    skip: fc.integer({ min: 0, max: 5 }),
    limit: fc.integer({ min: 1, max: 10 }),
  },
  { requiredKeys: ['platforms', 'statuses', 'skip', 'limit'] },
);

test('a page contains the same posts as a simple search', () => {
  fc.assert(
    fc.property(fc.array(post, { maxLength: 40 }), filter, (posts, query) => {
      const columns = new PostColumns(PLATFORMS);
      posts.forEach(({ moment, platforms, status }, at) => {
        const bits = [columns.platformBits(platforms), columns.statusBits([status])] as const;
        columns.add(at + 1, moment ?? Number.NaN, ...bits);
      });
      const { from = -1, to = 101, skip, limit } = query;
      const hasRange = query.from !== undefined || query.to !== undefined;
      const expected = posts
        .map((entry, at) => ({ ...entry, id: at + 1 }))
        .filter(({ moment }) => !hasRange || (moment !== null && moment >= from && moment <= to))
        .filter(
          ({ platforms }) =>
            query.platforms.length === 0 || platforms.some((name) => query.platforms.includes(name)),
        )
        .filter(({ status, moment }) => {
          const isDue = status === 'SCHEDULED' && moment !== null && moment <= NOW;
          return query.statuses.length === 0 || query.statuses.includes(isDue ? 'PUBLISHED' : status);
        })
        .map(({ id }) => id)
        .toReversed();
      expect(columns.page(query, NOW)).toEqual(expected.slice(skip, skip + limit));
    }),
  );
});

test('the columns grow as posts are added', () => {
  const columns = new PostColumns(PLATFORMS);
  for (let id = 1; id <= 5_000; id += 1) columns.add(id, id, 1 + (id % 7), 1);
  expect(columns.lastId).toBe(5_000);
  const unfiltered = { platforms: [], statuses: [], skip: 4_998, limit: 10 };
  expect(columns.page(unfiltered, NOW)).toEqual([2, 1]);
  expect(columns.page({ ...unfiltered, skip: 0, from: 1_500, to: 1_501 }, NOW)).toEqual([1_501, 1_500]);
});
