import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, test, vi } from 'vitest';
import { changeAll } from '../../../src/held-posts/bulk.ts';
import { cancelHeldPost } from '../../../src/held-posts/change.ts';
import { commentOnHeldPost } from '../../../src/held-posts/decisions.ts';
import type { HeldPosts } from '../../../src/held-posts/held-posts.ts';
import type { HeldPostPace } from '../../../src/held-posts/pace.ts';
import { saveHeldPostMessages } from '../../../src/held-posts/sql/messages.ts';
import { expectParts } from '../../support/form-steps.ts';
import { invalid } from '../../support/scripted-service.ts';
import { setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** People read one message about many posts of an author that need somebody for the same reason. */

const fixture = await setUpTestHeldPosts();
const broken = new WebAPIRequestError(new Error('connection lost'));

/** Holds so many posts of U1, with a Slack that stores messages. */
async function holdMany(count: number, pace: Partial<HeldPostPace> = {}) {
  const slack = createStoredSlack();
  const instance = fixture.createInstance(pace, slack.client);
  await holdMore(count);
  return { slack, instance };
}

const holdMore = (count: number, options: Parameters<typeof fixture.hold>[1] = {}) =>
  fixture.hold(
    Array.from({ length: count }, (_, index) => `Post ${index}`),
    options,
  );

/** Lets the time of all posts pass without access to Slack, which is looked for again after an hour. */
const letTimePass = () => fixture.runAt(-1);
const RETRY_AT = -62;

const listPending = async () => (await fixture.listRows()).flatMap(({ notify_at }) => notify_at ?? []);
const press = (id: string, actor: string) => ({ id, workspace: 'T1', actor });

describe('many posts of an author', () => {
  test('whose time has passed are one message', async () => {
    const { slack, instance } = await holdMany(30);
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    await fixture.runAt(RETRY_AT - 60, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
    const [message] = slack.messages;
    expect(message?.text).toContain('30 of your posts for Harbour Coffee: Overdue');
    const shown = JSON.stringify(message?.blocks);
    expectParts(shown, 'Post 0', 'Post 9', '…and 20 more');
    expect(shown).not.toContain('Post 10');
    expect(await listPending()).toEqual([]);
  });

  test('that the service refuses within seconds are one message, with its reason', async () => {
    fixture.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'too dull' }));
    const { slack, instance } = await holdMany(8, { groupMs: 5_000 });
    await fixture.runAt(59, instance);
    expect(slack.messages).toEqual([]);
    await fixture.runAt(58, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
    expect(slack.messages[0]?.text).toContain('8 of your posts for Harbour Coffee: Not accepted');
    expect(JSON.stringify(slack.messages[0]?.blocks)).toContain('too dull');
  });

  test('up to three are a message each, which changes with its post', async () => {
    const { slack, instance } = await holdMany(3);
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'DU1', 'DU1']);
    for (const { id } of await fixture.listRows()) await cancelHeldPost(instance.context, press(id, 'U1'));
    await fixture.runAt(RETRY_AT - 1, instance);
    expect(slack.updates.toSorted()).toEqual(['1.1', '2.1', '3.1']);
  });

  test('with different reasons, or of different projects or authors, don’t share one', async () => {
    const { slack, instance } = await holdMany(3);
    await holdMore(3, { project: 'p2' });
    await holdMore(3, { author: 'U3' });
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.messages).toHaveLength(9);
  });

  test('are told without those that were told before', async () => {
    const { slack, instance } = await holdMany(2);
    await fixture.runAt(-1, instance);
    await holdMore(4);
    await fixture.runAt(-2, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'DU1', 'DU1']);
    expect(slack.messages[2]?.text).toContain('4 of your posts');
    const [row] = await fixture.listRows();
    await commentOnHeldPost(instance.context, press(row?.id ?? '', 'U2'), 'Ouch');
    await fixture.runAt(-3, instance);
    expect(slack.messages.slice(3).map(({ text }) => text)).toEqual([expect.stringContaining('Ouch')]);
  });
});

describe('the other people', () => {
  test('of a channel read one message too', async () => {
    const { slack, instance } = await holdMany(0);
    await holdMore(5, { channel: 'C1' });
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'C1']);
    expect(slack.messages[1]?.text).toContain('5 posts by name of U1 for Harbour Coffee: Overdue');
  });

  test('who read the channel are mentioned there, and read it alone if the channel can’t get it', async () => {
    const { slack, instance } = await holdMany(0);
    await holdMore(5, { channel: 'C1' });
    slack.people.members = ['U1'];
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.listRecipients()).toEqual(['C1']);
    expect(slack.messages[0]?.text).toContain('For <@U1>:');
    await fixture.reset();
    const other = await holdMany(0);
    await holdMore(5, { channel: 'C1' });
    other.slack.people.members = ['U1'];
    other.slack.faults.post.set('C1', new WebAPIPlatformError({ ok: false, error: 'restricted_action' }));
    await letTimePass();
    await fixture.runAt(RETRY_AT, other.instance);
    expect(other.slack.listRecipients()).toEqual(['DU1']);
  });

  test('manage the project, and one of them reads it once if the author has left', async () => {
    const { slack, instance } = await holdMany(5);
    fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
    slack.left.add('U1');
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.listRecipients()).toEqual(['DU8']);
    expect(slack.messages[0]?.text).toContain('I couldn’t reach <@U1>');
    expect(await listPending()).toEqual([]);
  });

  test('manage the project, and one of them reads it once if author and approver have left', async () => {
    const { slack, instance } = await holdMany(5);
    await fixture.db.updateTable('held_post').set({ approver: 'U2' }).execute();
    fixture.people.holders.set('manager', { people: ['U8', 'U9'], isComplete: true });
    for (const person of ['U1', 'U2']) slack.left.add(person);
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.listRecipients()).toEqual(['DU8']);
    expect(await listPending()).toEqual([]);
  });

  test('are told to no manager as well if the author has left and the approver reads of them', async () => {
    const { slack, instance } = await holdMany(5);
    await fixture.db.updateTable('held_post').set({ approver: 'U2' }).execute();
    fixture.people.holders.set('manager', { people: ['U8'], isComplete: true });
    slack.left.add('U1');
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.listRecipients()).toEqual(['DU2']);
  });

  test('are told to a manager once if nobody may schedule them, because the author has left', async () => {
    const { slack, instance } = await holdMany(5);
    fixture.people.holders.set('manager', { people: ['U7'], isComplete: true });
    fixture.permissions.set('U1', 'no');
    slack.left.add('U1');
    await fixture.runAt(60);
    await fixture.runAt(-2, instance);
    expect(slack.listRecipients()).toEqual(['DU7']);
  });

  test('may take posts over that nobody may schedule', async () => {
    const { slack, instance } = await holdMany(5);
    fixture.people.holders.set('manager', { people: ['U7'], isComplete: true });
    fixture.permissions.set('U1', 'no');
    await fixture.runAt(60);
    await fixture.runAt(-2, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'DU7']);
    // The author has no role any more, so the posts aren't shown to them.
    const [toAuthor, toManager] = slack.messages.map(({ text }) => text);
    expect(toAuthor).toMatch(
      /^5 posts that you worked on need a decision\. I can’t show them to you, because/,
    );
    expect(toManager).toContain('Nobody may schedule');
  });
});

describe('nobody reads of a post twice, or not at all,', () => {
  test.each(['before-message', 'after-message'] as const)(
    'if the instance ends at %s',
    async (crashPoint) => {
      let crashes = 0;
      const { slack, instance } = await holdMany(5, {
        onCrashPoint: (point) => {
          if (point !== crashPoint || crashes > 0) return;
          crashes += 1;
          throw broken;
        },
      });
      await letTimePass();
      await fixture.runAt(RETRY_AT, instance);
      for (const minutes of [5, 65]) await fixture.runAt(RETRY_AT - minutes, instance);
      expect([crashes, slack.listRecipients()]).toEqual([1, ['DU1']]);
      expect(await listPending()).toEqual([]);
    },
  );

  test('if the instance ends after the message, and a post leaves the group and another joins it', async () => {
    let crashes = 0;
    const { slack, instance } = await holdMany(5, {
      onCrashPoint: (point) => {
        if (point !== 'after-message' || crashes > 0) return;
        crashes += 1;
        throw broken;
      },
    });
    await letTimePass();
    await fixture.runAt(RETRY_AT, instance);
    const [gone] = await fixture.listRows();
    await cancelHeldPost(instance.context, press(gone?.id ?? '', 'U1'));
    await holdMore(1, { author: 'U1' });
    for (const minutes of [5, 65]) await fixture.runAt(RETRY_AT - minutes, instance);
    expect(slack.listRecipients()).toEqual(['DU1', 'DU1']);
    // The new post has a message of its own, which changes with it.
    const last = (await fixture.listRows()).at(-1);
    await cancelHeldPost(instance.context, press(last?.id ?? '', 'U1'));
    await fixture.runAt(RETRY_AT - 66, instance);
    expect(slack.updates).toEqual(['2.1']);
    expect(await listPending()).toEqual([]);
  });

  test('with two instances', async () => {
    const { slack, instance } = await holdMany(20);
    const other = fixture.createInstance({}, slack.client);
    await letTimePass();
    fixture.setMinutesBefore(RETRY_AT);
    await Promise.all([instance.runOnce(), other.runOnce()]);
    expect(slack.listRecipients()).toEqual(['DU1']);
    await fixture.runAt(RETRY_AT - 5, other);
    expect(slack.listRecipients()).toEqual(['DU1']);
    expect(await listPending()).toEqual([]);
  });

  test('if a post is cancelled while the message is being written', async () => {
    const { slack, instance } = await holdMany(5);
    await letTimePass();
    cancelOneAtLookup(instance);
    await fixture.runAt(RETRY_AT, instance);
    expect(slack.messages).toEqual([]);
    await fixture.runAt(RETRY_AT - 5, instance);
    expect(slack.listRecipients()).toEqual(['DU1']);
    expect(slack.messages[0]?.text).toContain('4 of your posts');
    expect(await listPending()).toEqual([]);
  });

  test('or an old card of a post that is cancelled while the message is being written', async () => {
    const { slack, instance } = await holdMany(5);
    const shown: string[] = [];
    slack.client.chat.update = (async ({ text }: { text: string }) => {
      shown.push(text);
      return { ok: true };
    }) as typeof slack.client.chat.update;
    const [row] = await fixture.listRows();
    if (!row) throw new Error('posts are missing');
    await saveHeldPostMessages(fixture.db, {
      ...{
        held_post: row.id,
        workspace: 'T1',
        channel: 'C1',
        ts: '1.1',
        purpose: 'shared',
        sent_at: fixture.publishAt,
      },
    });
    await letTimePass();
    cancelOneAtLookup(instance);
    await fixture.runAt(RETRY_AT, instance);
    expect(new Set(shown)).toEqual(new Set([expect.stringContaining('Cancelled')]));
  });

  test('if Slack refuses the message about all of them', async () => {
    const { slack, instance } = await holdMany(5);
    await letTimePass();
    const { postMessage } = slack.client.chat;
    let refusals = 0;
    slack.client.chat.postMessage = (async (message: { text: string }) => {
      if (!message.text.includes('5 of your posts')) return postMessage(message as never);
      refusals += 1;
      throw new WebAPIPlatformError({ ok: false, error: 'msg_too_long' });
    }) as typeof postMessage;
    await fixture.runAt(RETRY_AT, instance);
    expect([refusals, slack.listRecipients()]).toEqual([1, Array.from({ length: 5 }, () => 'DU1')]);
  });
});

/** Another instance cancels the first post while this one reads the history of posts. */
function cancelOneAtLookup({ context }: { context: HeldPosts }) {
  const { findSlackClient } = context;
  let isCancelled = false;
  context.findSlackClient = async (workspace) => {
    const [row] = await fixture.listRows();
    if (!isCancelled && row) {
      isCancelled = true;
      await cancelHeldPost(fixture.context, press(row.id, 'U1'));
    }
    return findSlackClient(workspace);
  };
}

/** Holds three posts of U1 and one of U3. */
async function holdFour(pace: Partial<HeldPostPace> = {}) {
  const slack = createStoredSlack();
  const instance = fixture.createInstance(pace, slack.client);
  await fixture.hold(['One', 'Two', 'Three']);
  await fixture.hold(['Four'], { author: 'U3' });
  await fixture.runAt(600, instance);
  return { slack, instance };
}

async function cancelAll({ context }: { context: HeldPosts }) {
  const posts = (await fixture.listRows()).map(({ id, version, content_hash }) => ({
    ...{ id, version, hash: content_hash },
  }));
  await changeAll(context, { workspace: 'T1', actor: 'U2', posts }, { kind: 'cancel' });
}

test.each(['before-message', 'after-message'] as const)(
  'no author reads anything twice, or nothing, if the instance ends at %s',
  async (crashPoint) => {
    let hasCrashed = false;
    const { slack, instance } = await holdFour({
      onCrashPoint: (point) => {
        if (point !== crashPoint || hasCrashed) return;
        hasCrashed = true;
        throw new WebAPIRequestError(new Error('connection lost'));
      },
    });
    await cancelAll(instance);
    await fixture.runAt(598, instance);
    await fixture.runAt(590, instance);
    await fixture.runAt(580, instance);
    const ownTexts = slack.messages.flatMap(({ channel, text }) => (channel === 'DU1' ? [text] : []));
    expect(ownTexts.length).toBe(crashPoint === 'before-message' ? 3 : 1);
    expect(slack.updates).not.toContain(crashPoint === 'before-message' ? '' : '1.1');
  },
);

test('a failure after the changes is no failure of the press, and each post tells its author later', async () => {
  const { slack, instance } = await holdFour();
  const lookup = vi.spyOn(instance.context, 'findSlackClient').mockRejectedValueOnce(new Error('no memory'));
  await cancelAll(instance);
  expect([slack.messages, lookup.mock.calls.length]).toEqual([[], 1]);
  await fixture.runAt(590, instance);
  expect(slack.listRecipients().toSorted()).toEqual(['DU1', 'DU1', 'DU1', 'DU3']);
});

test('if Slack refuses the message about several posts, each post tells its author later', async () => {
  const { slack, instance } = await holdFour();
  slack.faults.post.set('U1', new WebAPIPlatformError({ ok: false, error: 'msg_too_long' }));
  await cancelAll(instance);
  slack.faults.post.clear();
  await fixture.runAt(600, instance);
  expect(slack.listRecipients()).toEqual(['DU3']);
  await fixture.runAt(590, instance);
  expect(slack.listRecipients()).toEqual(['DU3', 'DU1', 'DU1', 'DU1']);
  for (const { text } of slack.messages) expect(text).toContain('<@U2> cancelled it.');
});

test('after ten posts, the rest is counted', async () => {
  const slack = createStoredSlack();
  const instance = fixture.createInstance({}, slack.client);
  await fixture.hold(Array.from({ length: 12 }, (_, index) => `Post ${index}`));
  await cancelAll(instance);
  await fixture.runAt(599, instance);
  expect(slack.messages.map(({ text }) => text)).toEqual([expect.stringContaining('…and 2 more')]);
});
