import { describeAllowed } from '../contract/describe-fault.ts';
import { type Fields, getOwn, getText, getTexts } from '../contract/narrowing.ts';
import type { Problem } from '../contract/problem.ts';
import { MAX_LIMIT, POST_STATUSES } from '../decisions.ts';
import type { PostFilter } from '../posts/post-columns.ts';
import { readScheduleDate, toInstant } from '../posts/schedule-date.ts';
import { toPostRecord } from '../posts/to-post-record.ts';
import { answerDone, type Operation } from './operation.ts';

export const listPosts: Operation = {
  scope: 'project',
  rules: ({ query }, _now, platforms) => [
    ...requireRange(query, 'skip', 0, Number.MAX_SAFE_INTEGER),
    ...requireRange(query, 'limit', 1, MAX_LIMIT),
    ...requireAllOf(query, 'platforms', platforms),
    ...requireAllOf(query, 'status', POST_STATUSES),
  ],
  run: async ({ db, posts, publisher, projectId, request, now }) => {
    // A due post is read as PUBLISHED unless it has failed, so that must be stored by then.
    await publisher.publishDue();
    const page = await posts.page(projectId, parseFilter(request.query), now);
    if (page.length === 0) return answerDone([]);
    const rows = await db
      .selectFrom('posts')
      .selectAll()
      .where('id', 'in', page)
      .orderBy('id', 'desc')
      .execute();
    return answerDone(rows.map((row) => toPostRecord(row, now)));
  },
};

function parseFilter(query: Fields): PostFilter {
  const [skip, limit] = [getOwn(query, 'skip'), getOwn(query, 'limit')];
  const [from, to] = [readBound(query, 'schedule_date_from'), readBound(query, 'schedule_date_to')];
  return {
    skip: typeof skip === 'number' ? skip : 0,
    limit: typeof limit === 'number' ? limit : 100,
    platforms: getTexts(query, 'platforms'),
    statuses: getTexts(query, 'status'),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

function readBound(query: Fields, name: string): number | undefined {
  const moment = readScheduleDate(getText(query, name) ?? '');
  return moment && toInstant(moment, 'UTC');
}

function requireRange(query: Fields, name: string, min: number, max: number): Problem[] {
  const value = getOwn(query, name);
  if (typeof value !== 'number') return [];
  const loc = ['query', name];
  if (value < min)
    return [{ loc, msg: `Input should be greater than or equal to ${min}`, type: 'greater_than_equal' }];
  if (value > max)
    return [{ loc, msg: `Input should be less than or equal to ${max}`, type: 'less_than_equal' }];
  return [];
}

function requireAllOf(query: Fields, name: string, allowed: readonly string[]): Problem[] {
  return getTexts(query, name).flatMap((value, at) =>
    allowed.includes(value) ? [] : [{ loc: ['query', name, at], ...describeAllowed(allowed) }],
  );
}
