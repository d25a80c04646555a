import { describe, expect, test } from 'vitest';
import { listNotices, type NoticeInput } from '../../src/held-posts/notices.ts';
import type { HeldPostEventRow } from '../../src/held-posts/sql/events.ts';

/** Who is notified of a changed post. */

const NOON = new Date('2026-11-20T12:00:00Z');
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const createEvent = (event: Partial<HeldPostEventRow>): HeldPostEventRow => ({
  ...{ id: 'e', workspace: 'T1', held_post: 'h', version: 1, kind: 'edited', actor: 'U2' },
  ...{ content: null, content_hash: null, step: null, at: NOON },
  ...event,
});
const ROW: NoticeInput['row'] = {
  ...{ state: 'held', reason: null, author: 'U1', approver: null, channel: 'C1', publish_at: at(60) },
};
const list = (input: Partial<NoticeInput>) =>
  listNotices({
    ...{ row: ROW, enteredAt: NOON, events: [], messages: [], policyChannel: undefined, managers: [] },
    ...input,
  }).map(({ recipient, purpose, events }) => [recipient, purpose, ...events.map(({ kind }) => kind)]);

describe('the author', () => {
  test('reads what others did', () => {
    const events = [createEvent({ kind: 'edited' }), createEvent({ kind: 'cancelled', actor: 'U3' })];
    expect(list({ events })).toEqual([['U1', 'author', 'edited', 'cancelled']]);
  });

  test('isn’t notified of their own presses, or of what Upnext did', () => {
    const events = [createEvent({ actor: 'U1' }), createEvent({ kind: 'handed-over', actor: '' })];
    expect(list({ events })).toEqual([]);
  });

  test('reads each event once', () => {
    const events = [createEvent({ at: at(1) }), createEvent({ kind: 'moved', at: at(3) })];
    const messages = [{ purpose: 'author' as const, sent_at: at(2) }];
    expect(list({ events, messages })).toEqual([['U1', 'author', 'moved']]);
  });
});

describe('a post that needs a decision', () => {
  const row = { ...ROW, state: 'needs-person', reason: 'overdue', approver: 'U2' } as const;

  test('asks its author, its approver, and the channel in which it was written', () => {
    expect(list({ row })).toEqual([
      ['U1', 'problem'],
      ['U2', 'problem'],
      ['C1', 'problem'],
    ]);
  });

  test('asks the channel of the project’s policy instead, and never a direct message', () => {
    expect(list({ row, policyChannel: 'C9' }).at(-1)).toEqual(['C9', 'problem']);
    expect(list({ row: { ...row, channel: 'D1' } }).map(([recipient]) => recipient)).toEqual(['U1', 'U2']);
  });

  test('asks only once for a state', () => {
    expect(list({ row, messages: [{ purpose: 'problem', sent_at: at(1) }] })).toEqual([]);
    expect(list({ row, messages: [{ purpose: 'problem', sent_at: at(-1) }] })).toHaveLength(3);
  });

  test('asks the managers too if nobody may schedule it', () => {
    const people = list({ row: { ...row, reason: 'not-allowed' }, managers: ['U7', 'U1'] });
    expect(people.map(([recipient]) => recipient)).toEqual(['U1', 'U2', 'U7', 'C1']);
  });

  test('doesn’t notify the person who restored it after its time', () => {
    const events = [createEvent({ kind: 'restored', actor: 'U1', at: at(90) })];
    expect(list({ row, events }).map(([recipient]) => recipient)).toEqual(['U2', 'C1']);
  });
});
