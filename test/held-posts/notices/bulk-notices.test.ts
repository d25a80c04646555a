import { WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { expect, test, vi } from 'vitest';
import { changeAll } from '../../../src/held-posts/bulk.ts';
import type { HeldPosts } from '../../../src/held-posts/held-posts.ts';
import type { HeldPostPace } from '../../../src/held-posts/pace.ts';
import { setUpTestHeldPosts } from '../../support/start-held-posts.ts';
import { createStoredSlack } from '../../support/stored-slack.ts';

/** Authors read once what one press did with several of their posts. */

const fixture = await setUpTestHeldPosts();

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
  await changeAll(context, { workspace: 'T1', actor: 'U2', posts }, { kind: 'cancel' }, () => true);
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
