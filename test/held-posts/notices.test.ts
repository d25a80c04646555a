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
  changed_at: NOON,
};
const INPUT: NoticeInput = { row: ROW, events: [], messages: [], policyChannel: undefined, managers: [] };
const list = (input: Partial<NoticeInput>) =>
  listNotices({ ...INPUT, ...input }).map(({ recipient, purpose, events }) => [
    recipient,
    purpose,
    ...events.map(({ kind }) => kind),
  ]);

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
    const events = [
      createEvent({ id: 'e1', at: at(3) }),
      createEvent({ id: 'e2', kind: 'moved', at: at(1) }),
    ];
    const messages = [{ recipient: 'U1', told: ['e1'] }];
    expect(list({ events, messages })).toEqual([['U1', 'author', 'moved']]);
  });

  test('reads who has taken the post over, and the new author what happens next', () => {
    const events = [
      createEvent({ id: 'e1', kind: 'created', actor: 'U0' }),
      createEvent({ id: 'e2', kind: 'edited', actor: 'U2' }),
      createEvent({ id: 'e3', kind: 'taken-over', actor: 'U1' }),
      createEvent({ id: 'e4', kind: 'commented', actor: 'U0' }),
    ];
    expect(list({ events })).toEqual([
      ['U0', 'author', 'edited', 'taken-over'],
      ['U1', 'author', 'commented'],
    ]);
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

  test('asks each of them only once for a state', () => {
    const [first] = listNotices({ ...INPUT, row });
    const messages = [{ recipient: 'U1', told: first?.told ?? [] }];
    expect(list({ row, messages })).toEqual([
      ['U2', 'problem'],
      ['C1', 'problem'],
    ]);
    expect(list({ row: { ...row, changed_at: at(1) }, messages })).toHaveLength(3);
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
