import { describe, expect, test } from 'vitest';
import { changesSince, isChange, remember } from '../../../src/digests/composed/changes.ts';
import type { Plan } from '../../../src/digests/composed/plan.ts';
import { BOOKS, HARBOUR, manyPosts, planned, planOf } from './weeks.ts';

const THEN = new Date('2026-11-19T08:00:00Z');
const NOW = new Date('2026-11-20T08:00:00Z');

function since(before: Plan, after: Plan) {
  return changesSince(remember({ ...before, until: new Date('2026-11-29T00:00:00Z') }, THEN), after, NOW);
}

describe('what changed since the last digest', () => {
  test('a post that went out, was moved, was rewritten, is new, and is gone', () => {
    const post = (id: string, at: string, more = {}) => planned(at, { id, ...more });
    const before = planOf([
      post('out', '2026-11-19T15:00:00Z'),
      post('moved', '2026-11-22T10:00:00Z'),
      post('rewritten', '2026-11-23T10:00:00Z', { content: 'old words' }),
      post('gone', '2026-11-24T10:00:00Z'),
      post('same', '2026-11-25T10:00:00Z'),
    ]);
    const after = planOf([
      post('out', '2026-11-19T15:00:00Z', { status: 'PUBLISHED' }),
      post('moved', '2026-11-22T12:00:00Z'),
      post('rewritten', '2026-11-23T10:00:00Z', { content: 'new words' }),
      post('same', '2026-11-25T10:00:00Z'),
      post('new', '2026-11-26T10:00:00Z'),
    ]);
    const changes = since(before, after);
    expect(changes).toMatchObject({ published: 1, gone: [new Date('2026-11-24T10:00:00Z')] });
    expect(changes?.added.map(({ post: { id } }) => id)).toEqual(['new']);
    expect(
      changes?.moved.map(
        ({
          planned: {
            post: { id },
          },
          was,
        }) => [id, was.toISOString()],
      ),
    ).toEqual([['moved', '2026-11-22T10:00:00.000Z']]);
    expect(changes?.rewritten.map(({ post: { id } }) => id)).toEqual(['rewritten']);
  });

  test('what only came into sight, and what only lies behind us, is no change', () => {
    const before = planOf([planned('2026-11-19T10:00:00Z', { id: 'behind', status: 'PUBLISHED' })]);
    const after = planOf([planned('2026-11-30T10:00:00Z', { id: 'beyond' })]);
    const changes = since(before, after);
    expect(changes && isChange(changes)).toBe(false);
  });

  test('a project that it was not about then is no news, and one that it is not about now is not gone', () => {
    const before = planOf([planned('2026-11-22T10:00:00Z', { id: 'harbour' })]);
    const after = planOf([planned('2026-11-22T10:00:00Z', { id: 'books', project: BOOKS })], [BOOKS]);
    const changes = since(before, after);
    expect(changes && isChange(changes)).toBe(false);
  });

  test('nothing is said where nothing is remembered, or not everything was read', () => {
    const plan = planOf([planned('2026-11-22T10:00:00Z')]);
    expect(changesSince(undefined, plan, NOW)).toBeUndefined();
    expect(changesSince('{"version":1}', plan, NOW)).toBeUndefined();
    expect(changesSince('no json', plan, NOW)).toBeUndefined();
    expect(since(plan, { ...plan, isWhole: false })).toBeUndefined();
    expect(remember({ ...plan, isWhole: false }, THEN)).toBeUndefined();
  });

  test('nothing of what posts say is remembered, and it stays small', () => {
    const memory = remember(planOf(manyPosts('2026-11-20T00:00:00Z', 300), [HARBOUR]), THEN) ?? '';
    expect(memory).not.toContain('winter');
    expect(memory.length).toBeLessThan(64_000);
    expect(remember(planOf(manyPosts('2026-11-20T00:00:00Z', 1_000), [HARBOUR]), THEN)).toBeUndefined();
  });
});
