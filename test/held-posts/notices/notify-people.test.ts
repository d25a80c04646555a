import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { cancelHeldPost, editHeldPost } from '../../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../../src/held-posts/decisions.ts';
import { readEventText } from '../../../src/held-posts/held-post-context.ts';
import { renderDeed } from '../../../src/held-posts/notices/notice-text.ts';
import {
  findProblemChannel,
  listNotices,
  type NoticeInput,
} from '../../../src/held-posts/notices/notices.ts';
import { approveHeldPost } from '../../../src/held-posts/review/decide.ts';
import { type HeldPostEventRow, listEvents } from '../../../src/held-posts/sql/events.ts';
import type { ProjectPolicy } from '../../../src/preferences/project-policy.ts';
import { createPostAt } from '../../support/post-submissions.ts';
import { MINUTE_MS, POLICY, press, setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** People hear of a changed post once, whatever fails in between. */

const fixture = await setUpTestHeldPosts();

/** Stores a post in the channel C1 whose time then passes, with a Slack that stores messages. */
async function holdOne() {
  const slack = createStoredSlack();
  const row = await fixture.holdOne('Hello', { channel: 'C1' });
  return { slack, press: press(row, 'U2'), instance: fixture.createInstance({}, slack.client) };
}

const broken = new WebAPIRequestError(new Error('connection lost'));

describe('a post whose time has passed', () => {
  test('asks its author in the channel, if they read it, and alone if the channel can’t get the message', async () => {
    const { slack, instance } = await holdOne();
    slack.people.members = ['U1', 'U3'];
    await fixture.runAt(-1, instance);
    expect(slack.listRecipients()).toEqual(['C1']);
    expect(slack.messages[0]?.text).toContain('For <@U1>:');
    await fixture.reset();
    const other = await holdOne();
    other.slack.people.members = ['U1'];
    other.slack.faults.post.set('C1', new WebAPIPlatformError({ ok: false, error: 'restricted_action' }));
    for (const minutes of [-1, -5]) await fixture.runAt(minutes, other.instance);
    expect(other.slack.listRecipients()).toEqual(['DU1']);
  });

  test('asks nobody in a channel that people of another organisation read', async () => {
    const { slack, instance } = await holdOne();
    slack.faults.isShared = true;
    await fixture.runAt(-1, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
  });

  test('asks the others if Slack doesn’t accept one of the messages', async () => {
    const { slack, instance } = await holdOne();
    slack.faults.post.set('U1', new WebAPIPlatformError({ ok: false, error: 'user_not_found' }));
    await fixture.runAt(-1, instance);
    expect(slack.listRecipients()).toEqual(['C1']);
  });

  test('is told to a manager, once, if its author has left and nobody else reads of it', async () => {
    const slack = createStoredSlack();
    const instance = fixture.createInstance({}, slack.client);
    await fixture.hold(['Hello']);
    fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
    slack.left.add('U1');
    for (const minutes of [-1, -5, -60]) await fixture.runAt(minutes, instance);
    expect(slack.listRecipients()).toEqual(['DU8']);
    expect(slack.messages[0]?.text).toContain('I couldn’t reach <@U1>');
  });

  test.each([[['U1', 'U0APP']], [['U0APP']]])(
    'is told to a manager if its author has left, and its channel has only %j',
    async (members) => {
      const { slack, instance } = await holdOne();
      fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
      slack.people.members = members;
      slack.left.add('U1');
      for (const minutes of [-1, -5]) await fixture.runAt(minutes, instance);
      expect(slack.listRecipients()).toEqual(['DU8']);
    },
  );

  test('is told to a manager, once, if its author and its approver have left', async () => {
    const slack = createStoredSlack();
    const instance = fixture.createInstance({}, slack.client);
    await fixture.hold(['Hello']);
    await fixture.db.updateTable('held_post').set({ approver: 'U2' }).execute();
    fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
    for (const person of ['U1', 'U2']) slack.left.add(person);
    for (const minutes of [-1, -5, -60]) await fixture.runAt(minutes, instance);
    expect(slack.listRecipients()).toEqual(['DU8']);
  });

  test('is told to no manager if only its author has left, and its approver reads of it', async () => {
    const slack = createStoredSlack();
    const instance = fixture.createInstance({}, slack.client);
    await fixture.hold(['Hello']);
    await fixture.db.updateTable('held_post').set({ approver: 'U2' }).execute();
    fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
    slack.left.add('U1');
    for (const minutes of [-1, -5, -60]) await fixture.runAt(minutes, instance);
    expect(slack.listRecipients()).toEqual(['DU2']);
  });

  test('asks everybody else after Slack failed in between, and nobody twice', async () => {
    const { slack, instance } = await holdOne();
    slack.faults.post.set('C1', broken);
    await fixture.runAt(-1, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
    slack.faults.post.clear();
    await fixture.runAt(-5, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'C1']);
  });

  test('asks its channel as soon as Slack says who reads it, without whoever was asked already', async () => {
    const { slack, instance } = await holdOne();
    slack.people.members = ['U1'];
    slack.faults.info = broken;
    await fixture.runAt(-1, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
    slack.faults.info = undefined;
    await fixture.runAt(-5, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'C1']);
    expect(slack.messages[1]?.text).not.toContain('<@U1>');
  });

  test('asks once if an instance ends after its message', async () => {
    const { slack } = await holdOne();
    let crashes = 0;
    const instance = fixture.createInstance(
      {
        onCrashPoint: (point) => {
          crashes += point === 'after-message' ? 1 : 0;
          if (point === 'after-message' && crashes === 1) throw broken;
        },
      },
      slack.client,
    );
    await fixture.runAt(-1, instance);
    await fixture.runAt(-5, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'C1']);
  });
});

describe('a post that somebody else changed', () => {
  test('is shown to its author, and its earlier messages change', async () => {
    const { slack, press, instance } = await holdOne();
    await commentOnHeldPost(instance.context, press, 'Is nine right?');
    await fixture.runAt(120, instance);
    expect([slack.listRecipients(), slack.messages[0]?.text]).toEqual([
      ['DU1'],
      expect.stringContaining('<@U2> commented: “Is nine right?”'),
    ]);
    fixture.setMinutesBefore(119);
    await cancelHeldPost(instance.context, press);
    await fixture.runAt(118, instance);
    expect([slack.listRecipients(), slack.updates]).toEqual([['DU1', 'DU1'], ['1.1']]);
    expect(slack.messages[1]?.text).not.toContain('Is nine right?');
  });

  test('is shown to its author after Slack has failed, however long ago the post was written', async () => {
    const { slack, press, instance } = await holdOne();
    await fixture.db.updateTable('held_post').set({ notify_at: null }).execute();
    fixture.setMinutesBefore(-2 * 24 * 60);
    await commentOnHeldPost(instance.context, press, 'Is nine right?');
    await fixture.db.updateTable('held_post').set({ next_at: null }).execute();
    slack.faults.post.set('U1', broken);
    await fixture.runAt(-2 * 24 * 60, instance);
    slack.faults.post.clear();
    await fixture.runAt(-2 * 24 * 60 - 2, instance);
    expect(slack.messages.map(({ text }) => text)).toEqual([expect.stringContaining('Is nine right?')]);
  });

  test('is shown with a comment that came while the one before was being sent', async () => {
    const { slack, press } = await holdOne();
    let sent = 0;
    const instance = fixture.createInstance(
      {
        onCrashPoint: async (point) => {
          sent += point === 'after-message' ? 1 : 0;
          if (point !== 'after-message' || sent !== 1) return;
          fixture.setMinutesBefore(118);
          await commentOnHeldPost(instance.context, press, 'Or ten?');
        },
      },
      slack.client,
    );
    await commentOnHeldPost(instance.context, press, 'Is nine right?');
    await fixture.runAt(120, instance);
    const texts = slack.messages.map(({ text }) => text);
    expect([texts.length, texts[0], texts[1]]).toEqual([
      2,
      expect.stringContaining('Is nine right?'),
      expect.stringContaining('Or ten?'),
    ]);
  });

  test('is shown to its author after the clock was set back', async () => {
    const { slack, press, instance } = await holdOne();
    fixture.setMinutesBefore(120);
    await commentOnHeldPost(instance.context, press, 'Is nine right?');
    await fixture.runAt(120, instance);
    fixture.setMinutesBefore(180);
    await commentOnHeldPost(instance.context, press, 'Or ten?');
    await fixture.runAt(180, instance);
    expect(slack.messages[1]?.text).toContain('Or ten?');
    expect(slack.messages[1]?.text).not.toContain('Is nine right?');
    const texts = (await listEvents(fixture.db, press)).map((event) =>
      readEventText(instance.context, event),
    );
    expect(texts.slice(1)).toEqual(['Is nine right?', 'Or ten?']);
  });

  test('isn’t shown again because its message was deleted', async () => {
    const { slack, press, instance } = await holdOne();
    await commentOnHeldPost(instance.context, press, 'Is nine right?');
    await fixture.runAt(120, instance);
    slack.faults.update = new WebAPIPlatformError({ ok: false, error: 'message_not_found' });
    await cancelHeldPost(instance.context, { ...press, actor: 'U1' });
    await fixture.runAt(119, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
  });
});

test('a post that nobody may schedule any more is found half a day before its time', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  await fixture.hold([], { contents: [createPostAt('Later', 24 * 60)] });
  fixture.people.holders.set('manager', { people: ['U7'], isComplete: true });
  fixture.permissions.set('U1', 'no');
  await fixture.runAt(60, instance);
  expect([await fixture.listStates(), slack.listRecipients()]).toEqual([
    ['needs-person: not-allowed'],
    ['DU1', 'DU7'],
  ]);
});

test('managers are asked about a post that nobody may schedule as soon as they are known', async () => {
  const { slack, instance } = await holdOne();
  fixture.people.holders.set('manager', { people: [], isComplete: false });
  fixture.permissions.set('U1', 'no');
  await fixture.runAt(60, instance);
  expect(slack.listRecipients()).toEqual(['DU1', 'C1']);
  fixture.people.holders.set('manager', { people: ['U7'], isComplete: true });
  await fixture.runAt(55, instance);
  expect(slack.listRecipients()).toEqual(['DU1', 'C1', 'DU7']);
});

test('a comment is stored only with its notification', async () => {
  const row = await fixture.holdOne();
  await sql`create function refuse_change() returns trigger language plpgsql
    as $$ begin raise exception 'refused'; end $$`.execute(fixture.db);
  try {
    await sql`create trigger refuse_change before update on post
      for each row execute function refuse_change()`.execute(fixture.db);
    await expect(commentOnHeldPost(fixture.context, press(row, 'U2'), 'Is nine right?')).rejects.toThrow(
      'refused',
    );
  } finally {
    await sql`drop function refuse_change cascade`.execute(fixture.db);
  }
  const events = await listEvents(fixture.db, row);
  expect(events.map(({ kind }) => kind)).toEqual(['created']);
});

test('a lookup that always fails is repeated less and less often', async () => {
  const slack = createStoredSlack();
  slack.faults.info = broken;
  const instance = fixture.createInstance({}, slack.client);
  await fixture.hold(['Hello'], { channel: 'C1' });
  await fixture.runAt(-1, instance);
  const waits: number[] = [];
  for (;;) {
    const [row] = await fixture.listRows();
    if (!row?.notify_at) break;
    waits.push(Math.round((row.notify_at.getTime() - fixture.context.clock.now().getTime()) / MINUTE_MS));
    await fixture.runAt((fixture.publishAt.getTime() - row.notify_at.getTime()) / MINUTE_MS, instance);
  }
  expect(waits.length).toBeLessThan(150);
  expect(Math.min(...waits)).toBe(1);
  expect(Math.max(...waits)).toBeLessThanOrEqual(240);
});

test('a reply to reviewers is sent once if an instance ends after it', async () => {
  const slack = createStoredSlack();
  const steps = [{ approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' }] as const;
  const policy = { ...POLICY, review: 'required', reviewSteps: steps, channel: 'C9' } as const;
  await fixture.setPolicy({ ...POLICY, review: 'required', reviewSteps: steps, channel: 'C9' });
  fixture.people.groups.set('S1', ['U2']);
  const row = await fixture.holdOne('Hello', { policy });
  let sent = 0;
  const instance = fixture.createInstance(
    {
      onCrashPoint: (point) => {
        sent += point === 'after-message' ? 1 : 0;
        if (point === 'after-message' && sent === 2) throw broken;
      },
    },
    slack.client,
  );
  await fixture.runAt(600, instance);
  await editHeldPost(instance.context, press(row), createPostAt('Other', 0));
  await fixture.runAt(599, instance);
  await fixture.runAt(590, instance);
  await fixture.runAt(580, instance);
  expect(slack.messages.map(({ thread_ts }) => thread_ts)).toEqual([undefined, '1.1']);
});

const STEP = { approvers: [{ kind: 'group', id: 'S1' }], needs: 'any' } as const;

/** Holds a post of U1, which U2 approves if its project has reviews. */
async function holdCommented(changes: Partial<ProjectPolicy>) {
  const policy = { ...POLICY, ...changes };
  await fixture.setPolicy(policy);
  fixture.people.groups.set('S1', ['U2']);
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  const { id } = await fixture.holdOne('Hello', { policy });
  const key = { id, workspace: 'T1' };
  await fixture.runAt(600, instance);
  if (policy.review === 'required') {
    await approveHeldPost(instance.context, press(await fixture.readRow(key), 'U2'));
    await fixture.runAt(599, instance);
  }
  const sentBefore = slack.messages.length;
  const comment = async (actor: string, text: string) => {
    await commentOnHeldPost(instance.context, { ...key, actor }, text);
    await fixture.runAt(598, instance);
    return slack.messages
      .slice(sentBefore)
      .map(({ channel, text: sent, thread_ts }) => [channel, sent.includes(text), thread_ts]);
  };
  return { slack, instance, key, comment };
}

test('without a review, whoever edited the post reads comments in direct messages', async () => {
  const { instance, key, comment, slack } = await holdCommented({});
  await editHeldPost(instance.context, { ...key, actor: 'U3', version: 1 }, createPostAt('Other', 0));
  await fixture.runAt(599, instance);
  slack.messages.length = 0;
  expect(await comment('U1', 'Is nine right?')).toEqual([['DU3', true, undefined]]);
  expect(slack.messages[0]?.text).toContain('New on a post you worked on');
});

test('reviewers who were asked in direct messages read each comment once, in the thread of their request', async () => {
  const { comment, slack } = await holdCommented({ review: 'required', reviewSteps: [STEP] });
  const told = [
    ['DU1', true, undefined],
    ['DU2', true, '1.1'],
  ];
  expect(await comment('U4', 'Is nine right?')).toEqual(told);
  expect((await comment('U4', 'Or ten?')).slice(2)).toEqual(told);
  for (const { text } of slack.messages.slice(-2)) expect(text).not.toContain('Is nine right?');
  // Whoever may no longer see the post reads nothing more.
  fixture.permissions.set('U2', 'no');
  expect((await comment('U4', 'Or eleven?')).slice(4)).toEqual([['DU1', true, undefined]]);
});

test('in a channel, one reply in the thread of the request mentions whoever took part', async () => {
  const { comment, slack } = await holdCommented({ review: 'required', reviewSteps: [STEP], channel: 'C9' });
  expect(await comment('U4', 'Is nine right?')).toEqual([
    ['DU1', true, undefined],
    ['C9', true, '1.1'],
  ]);
  expect(slack.messages.at(-1)?.text).toBe('For <@U2>:\n<@U4> commented: “Is nine right?”');
});

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
    const told = { recipient: 'U1', told: first?.told ?? [], purpose: 'card', channel: 'DU1', ts: '1.1' };
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
