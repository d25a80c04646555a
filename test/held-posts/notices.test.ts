import { describe, expect, test } from 'vitest';
import { findProblemChannel, listNotices, type NoticeInput } from '../../src/held-posts/notices.ts';
import type { HeldPostEventRow } from '../../src/held-posts/sql/events.ts';
import { renderDeed } from '../../src/held-posts/text/notice-text.ts';

/** Who is notified of a changed post. */

const NOON = new Date('2026-11-20T12:00:00Z');
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const createEvent = (event: Partial<HeldPostEventRow>): HeldPostEventRow => ({
  ...{ id: 'e', workspace: 'T1', held_post: 'h', version: 1, kind: 'edited', actor: 'U2' },
  ...{ content: null, content_hash: null, step: null, by_series: false, at: NOON },
  ...event,
});
const createMessage = (message: Partial<NoticeInput['messages'][number]>) => ({
  ...{ recipient: null, told: [], purpose: 'author' as const, channel: 'DU1', ts: '1.1' },
  ...message,
});
const ROW: NoticeInput['row'] = {
  ...{
    state: 'held',
    reason: null,
    author: 'U1',
    approver: null,
    channel: 'C1',
    publish_at: at(60),
  },
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

describe('the author', () => {
  test('reads each event once', () => {
    const events = [
      createEvent({ id: 'e1', at: at(3) }),
      createEvent({ id: 'e2', kind: 'moved', at: at(1) }),
    ];
    const messages = [createMessage({ recipient: 'U1', told: ['e1'] })];
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
      ['U2', 'comment', 'commented'],
    ]);
  });
});

describe('a post that needs a decision', () => {
  const row = { ...ROW, state: 'needs-person', reason: 'overdue', approver: 'U2' } as const;

  test('asks the channel of the project’s policy instead, and never a direct message', () => {
    expect(findProblemChannel(row, 'C9')).toBe('C9');
    expect(findProblemChannel(row, undefined)).toBe('C1');
    expect(findProblemChannel({ ...row, channel: 'D1' }, undefined)).toBeUndefined();
    expect(list({ row, problemChannel: undefined }).map(([recipient]) => recipient)).toEqual(['U1', 'U2']);
  });

  test('mentions people who read its channel there, and gives each of them no message of their own', () => {
    const notices = (input: Partial<NoticeInput>) =>
      listNotices({ ...INPUT, row, ...input }).map(({ recipient, mentioned = [] }) => [
        recipient,
        ...mentioned,
      ]);
    const problemChannel = { id: 'C1', readers: new Set(['U1', 'U5']) };
    expect(notices({ problemChannel })).toEqual([['U2'], ['C1', 'U1']]);
    const [first] = listNotices({ ...INPUT, row });
    const messages = [createMessage({ recipient: 'U1', told: first?.told ?? [] })];
    expect(notices({ problemChannel, messages })).toEqual([['U2'], ['C1']]);
  });

  test('asks each of them only once for a state', () => {
    const [first] = listNotices({ ...INPUT, row });
    const messages = [createMessage({ recipient: 'U1', told: first?.told ?? [] })];
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

describe('a comment', () => {
  const earlier = [
    createEvent({ id: 'e1', kind: 'edited', actor: 'U2' }),
    createEvent({ id: 'e2', kind: 'approved', actor: 'U3' }),
    createEvent({ id: 'e3', kind: 'cancelled', actor: 'U5' }),
  ];
  const told = [createMessage({ recipient: 'U1', told: ['e1', 'e2', 'e3'] })];
  const comment = createEvent({ id: 'e4', kind: 'commented', actor: 'U3' });
  const events = [...earlier, comment];

  test('is told to each of them once', () => {
    const messages = [...told, createMessage({ recipient: 'U2', told: ['e4'] })];
    expect(list({ events, messages })).toEqual([['U1', 'author', 'commented']]);
  });

  test('is one reply to a request in a channel, which mentions those who took part', () => {
    const request = createMessage({ purpose: 'review', channel: 'C9', ts: '7.1' });
    const later = createEvent({ id: 'e5', kind: 'commented', actor: 'U1' });
    const input = { ...INPUT, events: [...events, later], messages: [...told, request] };
    expect(listNotices(input).slice(1)).toEqual([
      {
        ...{ recipient: 'C9', isChannel: true, purpose: 'comment', told: ['e4', 'e5'] },
        events: [comment, later],
        reply: { ts: '7.1' },
        mentioned: ['U2', 'U3'],
      },
    ]);
    const repeated = createMessage({
      purpose: 'reminder',
      channel: 'C9',
      recipient: 'C9',
      told: ['e4', 'e5'],
    });
    expect(listNotices({ ...input, messages: [...input.messages, repeated] })).toHaveLength(1);
  });
});
