import { describe, expect, test } from 'vitest';
import { renderDeed } from '../../../src/held-posts/notices/notice-text.ts';
import {
  findProblemChannel,
  listNotices,
  type NoticeInput,
} from '../../../src/held-posts/notices/notices.ts';
import type { HeldPostEventRow } from '../../../src/held-posts/sql/events.ts';

/** Who is notified of a changed post. */

const NOON = new Date('2026-11-20T12:00:00Z');
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const createEvent = (event: Partial<HeldPostEventRow>): HeldPostEventRow => ({
  ...{ id: 'e', workspace: 'T1', held_post: 'h', version: 1, kind: 'edited', actor: 'U2' },
  ...{ content: null, content_hash: null, step: null, by_series: false, at: NOON },
  ...event,
});
const ROW: NoticeInput['row'] = {
  ...{ state: 'held', reason: null, author: 'U1', approver: null, channel: 'C1', publish_at: at(60) },
  changed_at: NOON,
};
const INPUT: NoticeInput = {
  row: ROW,
  events: [],
  messages: [],
  problemChannel: { id: 'C1', readers: new Set() },
  managers: [],
  handOverWaitMs: 2_000,
};
const list = (input: Partial<NoticeInput>) =>
  listNotices({ ...INPUT, ...input }).map(({ recipient, purpose, events }) => [
    recipient,
    purpose,
    ...events.map(({ kind }) => kind),
  ]);

test('an event that only a newer version knows tells nobody, and has a line in the history', () => {
  const event = Object.assign(createEvent({ id: 'e1' }), { kind: 'archived' });
  expect(list({ events: [event, createEvent({ id: 'e2', kind: 'moved' })] })).toEqual([
    ['U1', 'author', 'moved'],
  ]);
  expect(renderDeed(event)).toBe('<@U2> changed it');
});

test('the author reads who has taken the post over, and the new author what happens next', () => {
  const events = [
    createEvent({ id: 'e1', kind: 'created', actor: 'U0' }),
    createEvent({ id: 'e2', kind: 'edited', actor: 'U2' }),
    createEvent({ id: 'e3', kind: 'taken-over', actor: 'U1' }),
    createEvent({ id: 'e4', kind: 'commented', actor: 'U0' }),
  ];
  expect(list({ events })).toEqual([
    ['U0', 'author', 'edited', 'taken-over'],
    ['U1', 'author', 'commented'],
    ['U2', 'comment', 'commented'],
  ]);
});

describe('a post that needs a decision', () => {
  const row = { ...ROW, state: 'needs-person', reason: 'overdue', approver: 'U2' } as const;

  test('asks the channel of the project’s policy instead, and never a direct message', () => {
    expect(findProblemChannel(row, 'C9')).toBe('C9');
    expect(findProblemChannel(row, undefined)).toBe('C1');
    expect(findProblemChannel({ ...row, channel: 'D1' }, undefined)).toBeUndefined();
    expect(list({ row, problemChannel: undefined }).map(([recipient]) => recipient)).toEqual(['U1', 'U2']);
  });

  test('asks each of them only once for a state', () => {
    const [first] = listNotices({ ...INPUT, row });
    const told = { recipient: 'U1', told: first?.told ?? [], purpose: 'problem', channel: 'DU1', ts: '1.1' };
    const messages = [told] as NoticeInput['messages'];
    expect(list({ row, messages })).toEqual([
      ['U2', 'problem'],
      ['C1', 'problem'],
    ]);
    expect(list({ row: { ...row, changed_at: at(1) }, messages })).toHaveLength(3);
  });

  test('doesn’t notify the person who restored it after its time', () => {
    const events = [createEvent({ kind: 'restored', actor: 'U1', at: at(90) })];
    expect(list({ row, events }).map(([recipient]) => recipient)).toEqual(['U2', 'C1']);
  });

  test('doesn’t notify the person who handed it over and read the refusal in the answer', () => {
    const listAfter = (seconds: number) => {
      const events = [
        createEvent({ kind: 'hurried', actor: 'U1' }),
        createEvent({ kind: 'handed-over', actor: '' }),
        createEvent({ kind: 'returned', actor: '', at: at(seconds / 60) }),
      ];
      return list({ row: { ...row, reason: 'refused' }, events }).map(([recipient]) => recipient);
    };
    expect(listAfter(1)).toEqual(['U2', 'C1']);
    expect(listAfter(30)).toEqual(['U1', 'U2', 'C1']);
  });
});
