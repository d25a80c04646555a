import { describe, expect, test } from 'vitest';
import { compareWithSnapshot, takeSnapshot } from '../../../src/digests/content/changes.ts';
import type { Plan } from '../../../src/digests/content/plan.ts';
import { BOOKS, createManyPosts, createPlan, createPlannedPost, HARBOUR } from './weeks.ts';

const SNAPSHOT_TIME = new Date('2026-11-19T08:00:00Z');
const NOW = new Date('2026-11-20T08:00:00Z');

function compare(earlierPlan: Plan, currentPlan: Plan) {
  return compareWithSnapshot(
    takeSnapshot({ ...earlierPlan, end: new Date('2026-11-29T00:00:00Z') }, SNAPSHOT_TIME),
    currentPlan,
    NOW,
  );
}

describe('changes since the last digest', () => {
  test('published, rescheduled, rewritten, new and removed posts are listed as changes', () => {
    const createPost = (id: string, at: string, fields = {}) => createPlannedPost(at, { id, ...fields });
    const earlierPlan = createPlan([
      createPost('out', '2026-11-19T15:00:00Z'),
      createPost('rescheduled', '2026-11-22T10:00:00Z'),
      createPost('rewritten', '2026-11-23T10:00:00Z', { content: 'old words' }),
      createPost('removed', '2026-11-24T10:00:00Z'),
      createPost('same', '2026-11-25T10:00:00Z'),
    ]);
    const currentPlan = createPlan([
      createPost('out', '2026-11-19T15:00:00Z', { status: 'PUBLISHED' }),
      createPost('rescheduled', '2026-11-22T12:00:00Z'),
      createPost('rewritten', '2026-11-23T10:00:00Z', { content: 'new words' }),
      createPost('same', '2026-11-25T10:00:00Z'),
      createPost('new', '2026-11-26T10:00:00Z'),
    ]);
    const at = (time: string) => new Date(`2026-11-${time}:00:00Z`);
    expect(compare(earlierPlan, currentPlan)).toMatchObject([
      { kind: 'published', planned: { post: { id: 'out' } } },
      { kind: 'rescheduled', planned: { post: { id: 'rescheduled' } }, previousAt: at('22T10') },
      { kind: 'rewritten', planned: { post: { id: 'rewritten' } } },
      { kind: 'added', planned: { post: { id: 'new' } } },
      { kind: 'removed', previousAt: at('24T10') },
    ]);
  });

  test('a post without changes keeps the hash that stored snapshots have', () => {
    const plan = createPlan([
      createPlannedPost('2026-11-22T10:00:00Z', {
        id: 'complete',
        content: ' We open ',
        media: ' https://example.com/a.png',
        platforms: ['X', 'LINKEDIN'],
        templateId: 't1',
      }),
      createPlannedPost('2026-11-22T11:00:00Z', { id: 'empty', content: undefined, platforms: [] }),
    ]);
    const snapshot = takeSnapshot({ ...plan, end: new Date('2026-11-29T00:00:00Z') }, SNAPSHOT_TIME);
    expect(snapshot).toContain(
      '{"complete":[29922360,false,"kXNgI8_G"],"empty":[29922420,false,"w6MQvCpP"]}',
    );
  });

  test('a post that enters or leaves the range of a digest is not a change', () => {
    const earlierPlan = createPlan([
      createPlannedPost('2026-11-19T10:00:00Z', { id: 'behind', status: 'PUBLISHED' }),
    ]);
    const currentPlan = createPlan([createPlannedPost('2026-11-30T10:00:00Z', { id: 'beyond' })]);
    expect(compare(earlierPlan, currentPlan)).toEqual([]);
  });

  test('a post that Upnext keeps is moved, not new or removed, when it enters or leaves the range', () => {
    const end = new Date('2026-11-29T00:00:00Z');
    const keep = (at: string, fields = {}) => ({ ...createPlannedPost(at, fields), heldId: 'h' });
    const [near, far] = [keep('2026-11-24T10:00:00Z'), keep('2026-12-14T10:00:00Z')];
    const nearPlan = { ...createPlan([near]), end, later: [] };
    const farPlan = { ...createPlan([]), end, later: [far] };
    expect(compare(nearPlan, farPlan)).toEqual([
      { kind: 'rescheduled', planned: far, previousAt: near.scheduledAt },
    ]);
    expect(compare(farPlan, nearPlan)).toEqual([
      { kind: 'rescheduled', planned: near, previousAt: far.scheduledAt },
    ]);
    expect(compare(nearPlan, { ...farPlan, later: undefined })).toEqual([]);
    const elsewhere = { ...farPlan, later: [keep('2026-12-20T10:00:00Z')] };
    expect(compare(farPlan, elsewhere)).toEqual([]);
    const draft = compare(nearPlan, createPlan([keep('2026-11-24T10:00:00Z', { status: 'DRAFT' })]));
    expect(draft).toEqual([]);
  });

  test('a post with several texts is rewritten when one of them is, not when Upnext hands it over', () => {
    const at = '2026-11-24T10:00:00Z';
    const withOwnText = (content: string, text: string, platform = 'X') => ({
      ...createPlannedPost(at, {
        content,
        platforms: ['LINKEDIN', 'X'],
        ownTexts: [{ platforms: [platform], text }],
      }),
      heldId: 'h',
    });
    const before = createPlan([withOwnText('Short\nof it', 'A longer text')]);
    // The service has two posts, of which the longer text counts as the main one.
    const handedOver = compare(
      before,
      createPlan([withOwnText('A longer text ', 'Short\r\nof it', 'LINKEDIN')]),
    );
    expect(handedOver).toEqual([]);
    const rewritten = compare(before, createPlan([withOwnText('Short\nof it', 'Another')]));
    expect(rewritten).toMatchObject([{ kind: 'rewritten' }]);
  });

  test('adding or removing a project of a digest doesn’t count as a change of posts', () => {
    const earlierPlan = createPlan([createPlannedPost('2026-11-22T10:00:00Z', { id: 'harbour' })]);
    const currentPlan = createPlan(
      [createPlannedPost('2026-11-22T10:00:00Z', { id: 'books', project: BOOKS })],
      [BOOKS],
    );
    expect(compare(earlierPlan, currentPlan)).toEqual([]);
  });

  test('no changes are reported without a snapshot or a complete plan', () => {
    const plan = createPlan([createPlannedPost('2026-11-22T10:00:00Z')]);
    expect(compareWithSnapshot(undefined, plan, NOW)).toBeUndefined();
    expect(compareWithSnapshot('{"version":1}', plan, NOW)).toBeUndefined();
    expect(compareWithSnapshot('no json', plan, NOW)).toBeUndefined();
    expect(compare(plan, { ...plan, isComplete: false })).toBeUndefined();
    expect(takeSnapshot({ ...plan, isComplete: false }, SNAPSHOT_TIME)).toBeUndefined();
  });

  test('a snapshot contains no post content and stays small', () => {
    const snapshot =
      takeSnapshot(createPlan(createManyPosts('2026-11-20T00:00:00Z', 300), [HARBOUR]), SNAPSHOT_TIME) ?? '';
    expect(snapshot).not.toContain('winter');
    expect(snapshot.length).toBeLessThan(64_000);
    const largePlan = createPlan(createManyPosts('2026-11-20T00:00:00Z', 1_000), [HARBOUR]);
    expect(takeSnapshot(largePlan, SNAPSHOT_TIME)).toBeUndefined();
    // The same changes would be reported each day.
    expect(compareWithSnapshot(snapshot, largePlan, NOW)).toBeUndefined();
  });
});
