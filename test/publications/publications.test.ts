import {
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { buildEntryColumns } from '../../src/engine/lifecycle.ts';
import { LIFECYCLE } from '../../src/held-posts/held-post.ts';
import { insertHeldPost } from '../../src/held-posts/sql/held-posts.ts';
import { chooseNotifications } from '../../src/preferences/notifications.ts';
import { PUBLICATIONS } from '../../src/publications/publication.ts';
import { findPublication, MAX_CREATED_ROWS } from '../../src/publications/publications.ts';
import { data, json } from '../support/scripted-service.ts';
import { HOUR_MS, MINUTE_MS, startTestPublications } from '../support/start-publications.ts';

let fixture: Awaited<ReturnType<typeof startTestPublications>>;
beforeAll(async () => {
  fixture = await startTestPublications();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const WENT_OUT = 'Published on X. “Hello”';
const createLogLine = (message: string, minutes = 0) => ({
  Message: message,
  CreatedAt: new Date(fixture.publishAt.getTime() + minutes * MINUTE_MS).toISOString(),
});

describe('after the publishing time', () => {
  test('of more posts than one statement handles, each has a publication', async () => {
    await fixture.schedulePost('Hello');
    const { db } = fixture;
    const submission = await db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 2 * MAX_CREATED_ROWS }, (_, index) => ({
      ...submission,
      id: `copy-${index}`,
      origin: `copy-${index}`,
    }));
    await db.insertInto('submission').values(copies).execute();
    fixture.setTime(3 * MINUTE_MS);
    await fixture.createInstance().runOnce();
    const publications = await db.selectFrom('publication').select('id').execute();
    expect(publications).toHaveLength(copies.length + 1);
  });

  test('the author of a post that an approver’s role has sent is notified', async () => {
    await fixture.schedulePost('Hello');
    const { db } = fixture;
    const { id, workspace, project, created_at } = await db
      .selectFrom('submission')
      .selectAll()
      .executeTakeFirstOrThrow();
    await insertHeldPost(db, {
      ...{ id: 'held-1', workspace, project: project ?? '', endpoint: '', author: 'U7', channel: null },
      ...{ origin: 'form-1', item: 0, content: '', content_hash: '', maybe_sent: false, in_review: true },
      ...{ publish_at: fixture.publishAt, hand_over_at: null },
      ...{ ...buildEntryColumns(LIFECYCLE, 'delivered', created_at), version: 1, created_at },
    });
    await db.updateTable('submission').set({ origin: 'held-1' }).where('id', '=', id).execute();
    fixture.setTime(3 * MINUTE_MS);
    await fixture.createInstance().runOnce();
    const authors = await db.selectFrom('publication').select('author').execute();
    expect(authors).toEqual([{ author: 'U7' }]);
  });

  test('an author who may not read of the post any more reads nothing of it', async () => {
    await fixture.schedulePost('Hello', 'PUBLISHED');
    fixture.permission.current = 'no';
    const [text, ...others] = await fixture.runUntil(3 * MINUTE_MS);
    expect(text).toMatch(
      /I can’t show you what became of it, because you no longer have a role in its project/,
    );
    expect(others).toEqual([]);
  });

  test('a post without a known id is found by its content', async () => {
    fixture.service.on('POST /posts', data(null));
    await fixture.schedulePost('Hello');
    fixture.setListedPosts(
      { Id: 'post_8', Status: 'SCHEDULED', Content: 'Another post' },
      { Id: 'post_7', Status: 'PUBLISHED', Content: 'Hello' },
    );
    expect(await fixture.runUntil(3 * MINUTE_MS)).toEqual([WENT_OUT]);
  });

  test('the author reads that the post failed if the service’s log says so', async () => {
    await fixture.schedulePost('Hello', 'SCHEDULED');
    fixture.service.on('GET /logs', data([createLogLine('post_7 failed: the token of X expired', 1)]));
    expect(await fixture.runUntil(3 * MINUTE_MS)).toEqual(['Failed on X. “Hello”']);
  });

  test('a part of the service’s log doesn’t prove that a post failed', async () => {
    await fixture.schedulePost('Hello', 'SCHEDULED');
    const line = createLogLine('post_7 failed: the token of X expired', 1);
    fixture.service.on('GET /logs', data({ Items: [line], HasMore: true }));
    expect(await fixture.runUntil(3 * MINUTE_MS)).toEqual([]);
    expect(await fixture.runUntil(6 * HOUR_MS)).toEqual(['Not confirmed on X. “Hello”']);
  });

  test('a post that is still scheduled after 15 minutes is late', async () => {
    await fixture.schedulePost('Hello', 'SCHEDULED');
    expect(await fixture.runUntil(14 * MINUTE_MS)).toEqual([]);
    expect(await fixture.runUntil(6 * HOUR_MS)).toEqual(['Overdue on X. “Hello”']);
  });

  test('a post stays late after Upnext has stopped looking', async () => {
    const findState = async () => {
      const submission = await fixture.db.selectFrom('submission').selectAll().executeTakeFirstOrThrow();
      return findPublication(fixture.db, submission);
    };
    await fixture.schedulePost('Hello', 'SCHEDULED');
    expect(await findState()).toBeUndefined();
    await fixture.runUntil(14 * MINUTE_MS);
    expect(await findState()).toBeUndefined();
    await fixture.runUntil(HOUR_MS);
    expect(await findState()).toBe('late');
    await fixture.runUntil(6 * HOUR_MS);
    expect(await findState()).toBe('late');
    await fixture.db.updateTable('publication').set({ state: 'dropped', reason: null }).execute();
    expect(await findState()).toBe('unclear');
    await fixture.db.deleteFrom('publication').execute();
    expect(await findState()).toBe('unclear');
  });

  test('a late post that goes out after all is reported again, and its messages are updated both times', async () => {
    const shown: unknown[] = [];
    const instance = fixture.createInstance(
      {},
      {
        showOutcome: async (_, submission) => void shown.push(await findPublication(fixture.db, submission)),
      },
    );
    await fixture.schedulePost('Hello', 'SCHEDULED');
    await fixture.runUntil(HOUR_MS, instance);
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' });
    expect(await fixture.runUntil(2 * HOUR_MS, instance)).toEqual(['Overdue on X. “Hello”', WENT_OUT]);
    expect(shown).toEqual(['late', 'published']);
  });

  test('a post that goes out while no instance runs isn’t called late afterwards', async () => {
    await fixture.schedulePost('Hello', 'SCHEDULED');
    const isLate = async () =>
      (await fixture.db.selectFrom('publication').select('state').executeTakeFirst())?.state === 'late';
    // Its author is told some seconds after that.
    for (let minute = 1; !(await isLate()); minute += 1) await fixture.runUntil(minute * MINUTE_MS);
    expect(fixture.listTexts()).toEqual([]);
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' });
    fixture.setTime(2 * HOUR_MS);
    expect(await fixture.runUntil(3 * HOUR_MS)).toEqual([WENT_OUT]);
  });

  test('a post that the service publishes a little later isn’t late', async () => {
    await fixture.schedulePost('Hello', 'SCHEDULED');
    await fixture.runUntil(10 * MINUTE_MS);
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' });
    expect(await fixture.runUntil(HOUR_MS)).toEqual([WENT_OUT]);
  });
});

describe('while the outcome is unknown', () => {
  test.each([
    ['the service fails', () => fixture.service.on('GET /posts', json(500, {}))],
    ['the service refuses the token', () => fixture.service.on('GET /posts', json(401, {}))],
    ['the post isn’t in the list', () => fixture.setListedPosts({ Id: 'post_8', Status: 'PUBLISHED' })],
    ['the post has an unknown status', () => fixture.setListedPosts({ Id: 'post_7', Status: 'QUEUED' })],
    ['the post is a draft again', () => fixture.setListedPosts({ Id: 'post_7', Status: 'DRAFT' })],
  ])('the author is notified after four hours that the outcome is unknown: %s', async (_, prepare) => {
    await fixture.schedulePost('Hello');
    prepare();
    expect(await fixture.runUntil(3 * HOUR_MS)).toEqual([]);
    expect(await fixture.runUntil(6 * HOUR_MS)).toEqual(['Not confirmed on X. “Hello”']);
  });

  test('the author reads that the post went out as soon as the service answers again', async () => {
    await fixture.schedulePost('Hello');
    fixture.service.on('GET /posts', json(503, {}));
    await fixture.runUntil(HOUR_MS);
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' });
    expect(await fixture.runUntil(2 * HOUR_MS)).toEqual([WENT_OUT]);
  });

  test('the outcome stays unknown if equal posts have different statuses', async () => {
    fixture.service.on('POST /posts', data(null));
    await fixture.schedulePost('Hello');
    fixture.setListedPosts(
      { Id: 'post_7', Status: 'PUBLISHED', Content: 'Hello' },
      { Id: 'post_8', Status: 'FAILED', Content: 'Hello' },
    );
    expect(await fixture.runUntil(HOUR_MS)).toEqual([]);
  });
});

describe('the messages to an author', () => {
  test('posts of the same time share a message', async () => {
    for (const id of ['post_7', 'post_8', 'post_9']) {
      fixture.service.on('POST /posts', data({ Id: id }));
      await fixture.schedulePost(`Hello from ${id}`);
    }
    fixture.setListedPosts(...['post_7', 'post_8', 'post_9'].map((Id) => ({ Id, Status: 'PUBLISHED' })));
    fixture.service.calls.length = 0;
    expect(await fixture.runUntil(HOUR_MS)).toEqual(['3 of your posts: Published.']);
    expect(fixture.service.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/projects/p1/posts',
    ]);
  });

  test.each([
    { chosen: ['problems'], expected: ['Failed on X. “Second”'] },
    { chosen: ['published'], expected: ['Published on X. “First”'] },
    { chosen: [], expected: [] },
  ])('only the chosen notifications arrive: $chosen', async ({ chosen, expected }) => {
    for (const [id, text] of [['post_7', 'First'] as const, ['post_8', 'Second'] as const]) {
      fixture.service.on('POST /posts', data({ Id: id }));
      await fixture.schedulePost(text);
    }
    const [row] = await fixture.db.selectFrom('submission').selectAll().execute();
    const person = { workspace: row?.workspace ?? '', user: row?.author ?? '' };
    await chooseNotifications(fixture.db, person, chosen);
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' }, { Id: 'post_8', Status: 'FAILED' });
    expect(await fixture.runUntil(HOUR_MS)).toEqual(expected);
  });

  test('if the text of a post was deleted in the meantime, the message doesn’t contain the text', async () => {
    await fixture.schedulePost('Hello');
    await fixture.db.updateTable('submission').set({ content: null }).execute();
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' });
    expect(await fixture.runUntil(HOUR_MS)).toEqual(['Published.']);
  });

  test('the author isn’t notified of a post from more than a week ago', async () => {
    await fixture.schedulePost('Hello', 'PUBLISHED');
    fixture.setTime(8 * 24 * HOUR_MS);
    expect(await fixture.runUntil(9 * 24 * HOUR_MS)).toEqual([]);
    expect(await fixture.db.selectFrom('publication').selectAll().execute()).toEqual([]);
  });
});

describe('each message is sent exactly once', () => {
  test('two instances send one message', async () => {
    await fixture.schedulePost('Hello', 'PUBLISHED');
    const [first, second] = [fixture.createInstance(), fixture.createInstance()];
    for (const minutes of [3, 4, 5]) {
      fixture.setTime(minutes * MINUTE_MS);
      await Promise.all([first.runOnce(), second.runOnce()]);
    }
    expect(fixture.listTexts()).toEqual([WENT_OUT]);
  });

  test.each(['before-message', 'after-message'] as const)(
    'an author gets one message if the instance is killed at the point %s',
    async (crashPoint) => {
      await fixture.schedulePost('Hello', 'PUBLISHED');
      const { promise: death, resolve: die } = Promise.withResolvers<void>();
      const killedInstance = fixture.createInstance(
        {},
        {
          async onCrashPoint(point) {
            if (point !== crashPoint) return;
            die();
            await new Promise(() => undefined);
          },
        },
      );
      fixture.setTime(3 * MINUTE_MS);
      // The first scan finds the outcome, and the second one sends the message.
      await killedInstance.runOnce();
      fixture.setTime(4 * MINUTE_MS);
      void killedInstance.runOnce();
      await death;
      expect(fixture.listTexts()).toEqual(crashPoint === 'before-message' ? [] : [WENT_OUT]);
      expect(await fixture.runUntil(HOUR_MS)).toEqual([WENT_OUT]);
    },
  );
});

describe('after a restore, an uninstallation or 30 days', () => {
  test('after a restored backup, authors aren’t notified of earlier posts', async () => {
    await fixture.schedulePost('Hello', 'PUBLISHED');
    fixture.setTime(3 * MINUTE_MS);
    expect(await PUBLICATIONS.restore(fixture.db, fixture.now())).toMatchObject([{ count: 1 }]);
    expect(await fixture.runUntil(HOUR_MS)).toEqual([]);
  });

  test('a notification that was pending in the backup isn’t sent after the restore', async () => {
    await fixture.schedulePost('Hello', 'PUBLISHED');
    fixture.setTime(3 * MINUTE_MS);
    await fixture.createInstance({ group: HOUR_MS }).runOnce();
    await PUBLICATIONS.restore(fixture.db, fixture.now());
    expect(await fixture.runUntil(3 * HOUR_MS)).toEqual([]);
  });

  test('after the app was uninstalled, authors aren’t notified', async () => {
    await fixture.schedulePost('Hello');
    const [row] = await fixture.db.selectFrom('submission').selectAll().execute();
    const uninstall = { workspace: row?.workspace ?? '', now: fixture.now() };
    await fixture.db.transaction().execute((transaction) => endDeliveries(transaction, uninstall));
    fixture.setListedPosts({ Id: 'post_7', Status: 'PUBLISHED' });
    expect(await fixture.runUntil(HOUR_MS)).toEqual([]);
  });

  test('a publication is deleted after 30 days', async () => {
    await fixture.schedulePost('Hello', 'PUBLISHED');
    await fixture.runUntil(HOUR_MS);
    const countRows = async () => (await fixture.db.selectFrom('publication').selectAll().execute()).length;
    expect(await countRows()).toBe(1);
    fixture.setTime(31 * 24 * HOUR_MS);
    await fixture.createInstance().runOnce();
    expect(await countRows()).toBe(0);
  });
});

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

/**
 * Creates a Slack without the author of a post. It accepts messages to a deactivated account (`deactivated`), and
 * otherwise refuses them with this error. `sent` has the recipients and texts of messages.
 */
function createSlackWithoutAuthor(author: string, error: string) {
  const sent: string[] = [];
  let attemptCount = 0;
  const client = {
    chat: {
      postMessage: async ({ channel, text }: { channel: string; text: string }) => {
        attemptCount += 1;
        if (channel === author && error !== 'deactivated') throw createPlatformError(error);
        sent.push(`${channel}: ${text}`);
        return { channel: 'D9', ts: '1.0' };
      },
    },
    conversations: {
      open: async () => {
        throw createPlatformError('missing_scope');
      },
    },
    users: {
      info: async ({ user }: { user: string }) => ({
        user: { deleted: user === author && error === 'deactivated' },
      }),
    },
  } as unknown as WebClient;
  return { client, sent, countAttempts: () => attemptCount };
}

test.each(['deactivated', 'channel_not_found'])(
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
    expect(slack.countAttempts()).toBe(error === 'deactivated' ? 1 : 2);
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

test('a part of the service’s log doesn’t decide why a post failed', async () => {
  const line = { Message: 'post_7 failed: the token of X has expired' };
  fixture.service.on('GET /logs', data({ Items: [line], HasMore: true }));
  await fixture.schedulePost('Hello', 'FAILED');
  await fixture.runUntil(HOUR_MS);
  expect(fixture.messages[0]?.text).toContain('Failed on X');
  expect(JSON.stringify(fixture.messages[0]?.blocks)).not.toContain('the token of X has expired');
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
