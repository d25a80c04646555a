import {
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { data } from '../support/scripted-service.ts';
import { HOUR_MS, MINUTE_MS, startTestPublications } from '../support/start-publications.ts';

let fixture: Awaited<ReturnType<typeof startTestPublications>>;
beforeAll(async () => {
  fixture = await startTestPublications();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

/** Slack's answer to a message for a person whose account was deactivated. */
const createPlatformError = (error: string) => new WebAPIPlatformError({ ok: false, error });

test('while Slack is down for an hour, the notification of a late post is not lost', async () => {
  await fixture.schedulePost('Hello', 'SCHEDULED');
  const downUntil = fixture.publishAt.getTime() + HOUR_MS;
  const instance = fixture.createInstance(
    { checkWaits: [MINUTE_MS, 5 * MINUTE_MS] },
    {
      onCrashPoint() {
        if (fixture.now().getTime() < downUntil) throw new WebAPIRequestError(new Error('down'));
      },
    },
  );
  expect(await fixture.runUntil(6 * HOUR_MS, instance)).toEqual(['Overdue on X. “Hello”']);
});

test('after a crash, posts that share a message are reported although Slack allows one search a minute', async () => {
  const ids = ['post_7', 'post_8', 'post_9'];
  for (const id of ids) {
    fixture.service.on('POST /posts', data({ Id: id }));
    await fixture.schedulePost(`Hello from ${id}`);
  }
  fixture.setListedPosts(...ids.map((Id) => ({ Id, Status: 'PUBLISHED' })));
  const { promise: death, resolve: die } = Promise.withResolvers<void>();
  const killedInstance = fixture.createInstance(
    {},
    {
      async onCrashPoint(point) {
        if (point !== 'before-message') return;
        die();
        await new Promise(() => undefined);
      },
    },
  );
  fixture.setTime(3 * MINUTE_MS);
  await killedInstance.runOnce();
  fixture.setTime(4 * MINUTE_MS);
  void killedInstance.runOnce();
  await death;
  const texts: string[] = [];
  let lastSearchAt = 0;
  let searchCount = 0;
  const client = {
    chat: {
      postMessage: async ({ text }: { text: string }) => {
        texts.push(text);
        return { channel: 'D1', ts: '1.0' };
      },
    },
    conversations: {
      open: async () => ({ channel: { id: 'D1' } }),
      history: async () => {
        searchCount += 1;
        if (fixture.now().getTime() - lastSearchAt < MINUTE_MS) throw new WebAPIRateLimitedError(60);
        lastSearchAt = fixture.now().getTime();
        return { messages: [] };
      },
    },
  } as unknown as WebClient;
  const instance = fixture.createInstance({}, { findSlackClient: async () => client });
  await fixture.runUntil(3 * HOUR_MS, instance);
  expect([texts, searchCount]).toEqual([['3 of your posts: Published.'], 1]);
});

/** Creates a Slack in which the author's account was deactivated. `sent` has the recipients and texts of messages. */
function createSlackWithoutAuthor(author: string, error: string) {
  const sent: string[] = [];
  let attemptCount = 0;
  const client = {
    chat: {
      postMessage: async ({ channel, text }: { channel: string; text: string }) => {
        attemptCount += 1;
        if (channel === author) throw createPlatformError(error);
        sent.push(`${channel}: ${text}`);
        return { channel: 'D9', ts: '1.0' };
      },
    },
    conversations: {
      open: async () => {
        throw createPlatformError('user_disabled');
      },
    },
  } as unknown as WebClient;
  return { client, sent, countAttempts: () => attemptCount };
}

test.each(['user_disabled', 'channel_not_found'])(
  'if the author of a failed post has left (%s), a manager of the project is told once',
  async (error) => {
    await fixture.schedulePost('Hello', 'FAILED');
    const { author = '' } =
      (await fixture.db.selectFrom('submission').select('author').executeTakeFirst()) ?? {};
    const slack = createSlackWithoutAuthor(author, error);
    const instance = fixture.createInstance({}, { findSlackClient: async () => slack.client });
    await fixture.runUntil(6 * HOUR_MS, instance);
    expect(slack.sent).toEqual([
      `U9: I couldn’t reach <@${author}>, so I’m telling you. This was for them: Failed on X. “Hello”`,
    ]);
    expect(slack.countAttempts()).toBe(2);
  },
);

test('while the managers of a project can’t be found out, a failure whose author has left is told later', async () => {
  await fixture.schedulePost('Hello', 'FAILED');
  const { author = '' } =
    (await fixture.db.selectFrom('submission').select('author').executeTakeFirst()) ?? {};
  const slack = createSlackWithoutAuthor(author, 'channel_not_found');
  const knownFrom = fixture.publishAt.getTime() + HOUR_MS;
  const instance = fixture.createInstance(
    {},
    {
      findSlackClient: async () => slack.client,
      findManagers: async () => (fixture.now().getTime() < knownFrom ? undefined : ['U9']),
    },
  );
  await fixture.runUntil(6 * HOUR_MS, instance);
  expect(slack.sent).toEqual([expect.stringContaining('U9: I couldn’t reach')]);
});

test('the author of a failed post reads the service’s reason, also if the service returned no id for the post', async () => {
  const post = { Id: 'post_7', Content: 'Hello', Status: 'FAILED' };
  fixture.service.on('GET /logs', data([{ Message: 'post_7 failed: the token of X has expired' }]));
  for (const response of [{ Id: 'post_7' }, {}]) {
    await fixture.reset();
    fixture.service.on('GET /logs', data([{ Message: 'post_7 failed: the token of X has expired' }]));
    fixture.service.on('POST /posts', data(response));
    await fixture.schedulePost('Hello');
    fixture.setListedPosts(post);
    await fixture.runUntil(HOUR_MS);
    expect(JSON.stringify(fixture.messages[0]?.blocks)).toContain(
      'The service’s reason: “the token of X has expired”',
    );
  }
});

test('nobody else is told that the post of somebody who has left went out', async () => {
  await fixture.schedulePost('Hello', 'PUBLISHED');
  const { author = '' } =
    (await fixture.db.selectFrom('submission').select('author').executeTakeFirst()) ?? {};
  const slack = createSlackWithoutAuthor(author, 'channel_not_found');
  const instance = fixture.createInstance({}, { findSlackClient: async () => slack.client });
  await fixture.runUntil(6 * HOUR_MS, instance);
  expect([slack.sent, slack.countAttempts()]).toEqual([[], 1]);
});

test('a notification ends if Slack refuses the token for good', async () => {
  await fixture.schedulePost('Hello', 'PUBLISHED');
  let attemptCount = 0;
  const client = {
    chat: {
      postMessage: async () => {
        attemptCount += 1;
        throw createPlatformError('token_revoked');
      },
    },
  } as unknown as WebClient;
  const instance = fixture.createInstance({}, { findSlackClient: async () => client });
  await fixture.runUntil(6 * HOUR_MS, instance);
  expect(attemptCount).toBe(1);
});
