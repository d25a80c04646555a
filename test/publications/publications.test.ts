import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseNotifications } from '../../src/preferences/notifications.ts';
import { PUBLICATIONS } from '../../src/publications/domain.ts';
import { HOUR_MS, MINUTE_MS, startPublicationMachine } from '../support/publication-machine.ts';
import { data, json } from '../support/scripted-service.ts';

let machine: Awaited<ReturnType<typeof startPublicationMachine>>;
beforeAll(async () => {
  machine = await startPublicationMachine();
});
beforeEach(() => machine.reset());
afterAll(() => machine.close());

const WENT_OUT = 'Your post went out on X. “Hello”';
const logLine = (message: string, minutes = 0) => ({
  Message: message,
  CreatedAt: new Date(machine.publishAt.getTime() + minutes * MINUTE_MS).toISOString(),
});

describe('after the publishing time', () => {
  test('the author reads once that the post went out, two minutes later', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(MINUTE_MS);
    expect(machine.texts()).toEqual([]);
    await machine.runUntil(3 * MINUTE_MS);
    expect(machine.texts()).toEqual([WENT_OUT]);
    await machine.runUntil(6 * HOUR_MS);
    expect(machine.texts()).toEqual([WENT_OUT]);
    const message = JSON.stringify(machine.messages);
    expect(message).toContain('Harbour Coffee');
    expect(message).toContain('Open posts');
    expect(message).toContain('Change with `/upnext notifications`');
    expect(message).not.toContain('Duplicate');
  });

  test('a post without a known id is found by its content', async () => {
    machine.service.on('POST /posts', data(null));
    await machine.schedule('Hello');
    machine.list(
      { Id: 'post_8', Status: 'SCHEDULED', Content: 'Another post' },
      { Id: 'post_7', Status: 'PUBLISHED', Content: 'Hello' },
    );
    await machine.runUntil(3 * MINUTE_MS);
    expect(machine.texts()).toEqual([WENT_OUT]);
  });

  test('the author reads that the post failed if the service lists it as failed, and can duplicate it', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'FAILED' });
    await machine.runUntil(6 * HOUR_MS);
    expect(machine.texts()).toEqual(['Your post failed on X. “Hello”']);
    expect(JSON.stringify(machine.messages)).toContain('Duplicate');
  });

  test('the author reads that the post failed if the service’s log says so', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'SCHEDULED' });
    machine.service.on('GET /logs', data([logLine('post_7 failed: the token of X expired', 1)]));
    await machine.runUntil(3 * MINUTE_MS);
    expect(machine.texts()).toEqual(['Your post failed on X. “Hello”']);
  });

  test('a post that is still scheduled after 30 minutes is late', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'SCHEDULED' });
    await machine.runUntil(29 * MINUTE_MS);
    expect(machine.texts()).toEqual([]);
    await machine.runUntil(6 * HOUR_MS);
    expect(machine.texts()).toEqual(['Your post is late on X. “Hello”']);
  });

  test('a late post that goes out after all is reported again', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'SCHEDULED' });
    await machine.runUntil(HOUR_MS);
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(2 * HOUR_MS);
    expect(machine.texts()).toEqual(['Your post is late on X. “Hello”', WENT_OUT]);
  });

  test('a post that the service publishes a little later isn’t late', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'SCHEDULED' });
    await machine.runUntil(10 * MINUTE_MS);
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual([WENT_OUT]);
  });
});

describe('while Upnext can’t find out', () => {
  test.each([
    ['the service fails', () => machine.service.on('GET /posts', json(500, {}))],
    ['the service refuses the token', () => machine.service.on('GET /posts', json(401, {}))],
    ['the post isn’t in the list', () => machine.list({ Id: 'post_8', Status: 'PUBLISHED' })],
    ['the post has an unknown status', () => machine.list({ Id: 'post_7', Status: 'QUEUED' })],
    ['the post is a draft again', () => machine.list({ Id: 'post_7', Status: 'DRAFT' })],
  ])(
    'the author reads neither yes nor no, and after four hours that it is unclear: %s',
    async (_, prepare) => {
      await machine.schedule('Hello');
      prepare();
      await machine.runUntil(3 * HOUR_MS);
      expect(machine.texts()).toEqual([]);
      await machine.runUntil(6 * HOUR_MS);
      expect(machine.texts()).toEqual(['I couldn’t find out whether your post went out on X. “Hello”']);
    },
  );

  test('the author reads that the post went out as soon as the service answers again', async () => {
    await machine.schedule('Hello');
    machine.service.on('GET /posts', json(503, {}));
    await machine.runUntil(HOUR_MS);
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(2 * HOUR_MS);
    expect(machine.texts()).toEqual([WENT_OUT]);
  });

  test('equal posts with different statuses settle nothing', async () => {
    machine.service.on('POST /posts', data(null));
    await machine.schedule('Hello');
    machine.list(
      { Id: 'post_7', Status: 'PUBLISHED', Content: 'Hello' },
      { Id: 'post_8', Status: 'FAILED', Content: 'Hello' },
    );
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual([]);
  });
});

describe('what an author gets', () => {
  test('posts of the same time share a message', async () => {
    for (const id of ['post_7', 'post_8', 'post_9']) {
      machine.service.on('POST /posts', data({ Id: id }));
      await machine.schedule(`Hello from ${id}`);
    }
    machine.list(...['post_7', 'post_8', 'post_9'].map((Id) => ({ Id, Status: 'PUBLISHED' })));
    machine.service.calls.length = 0;
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual(['3 of your posts went out.']);
    expect(machine.service.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/v1/projects/p1/posts',
    ]);
  });

  test.each([
    { chosen: ['problems'], expected: ['Your post failed on X. “Second”'] },
    { chosen: ['published'], expected: ['Your post went out on X. “First”'] },
    { chosen: [], expected: [] },
  ])('only the chosen notifications arrive: $chosen', async ({ chosen, expected }) => {
    for (const [id, text] of [['post_7', 'First'] as const, ['post_8', 'Second'] as const]) {
      machine.service.on('POST /posts', data({ Id: id }));
      await machine.schedule(text);
    }
    const [row] = await machine.db.selectFrom('submission').selectAll().execute();
    const person = { workspace: row?.workspace ?? '', user: row?.author ?? '' };
    await chooseNotifications(machine.db, person, { chosen, chosenAt: machine.now() });
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' }, { Id: 'post_8', Status: 'FAILED' });
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual(expected);
  });

  test('a post whose text was deleted in the meantime is reported without it', async () => {
    await machine.schedule('Hello');
    await machine.db.updateTable('submission').set({ content: null }).execute();
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual(['Your post went out.']);
  });

  test('nobody is notified of a post from more than a week ago', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    machine.moveTo(8 * 24 * HOUR_MS);
    await machine.runUntil(9 * 24 * HOUR_MS);
    expect(machine.texts()).toEqual([]);
    expect(await machine.db.selectFrom('publication').selectAll().execute()).toEqual([]);
  });
});

describe('exactly once', () => {
  test('two instances send one message', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    const [first, second] = [machine.createInstance(), machine.createInstance()];
    for (const minutes of [3, 4, 5]) {
      machine.moveTo(minutes * MINUTE_MS);
      await Promise.all([first.runOnce(), second.runOnce()]);
    }
    expect(machine.texts()).toEqual([WENT_OUT]);
  });

  test.each(['before-message', 'after-message'] as const)(
    'an author gets one message although the instance is killed at this point: %s',
    async (crashPoint) => {
      await machine.schedule('Hello');
      machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
      const { promise: death, resolve: die } = Promise.withResolvers<void>();
      const killed = machine.createInstance({
        async onCrashPoint(point) {
          if (point !== crashPoint) return;
          die();
          await new Promise(() => undefined);
        },
      });
      machine.moveTo(3 * MINUTE_MS);
      // The first scan finds the outcome, and the second one sends the message.
      await killed.runOnce();
      machine.moveTo(4 * MINUTE_MS);
      void killed.runOnce();
      await death;
      expect(machine.texts()).toEqual(crashPoint === 'before-message' ? [] : [WENT_OUT]);
      await machine.runUntil(HOUR_MS);
      expect(machine.texts()).toEqual([WENT_OUT]);
    },
  );
});

describe('what is left', () => {
  test('after a backup is restored, nobody is notified of posts from before', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    machine.moveTo(3 * MINUTE_MS);
    expect(await PUBLICATIONS.restore(machine.db, machine.now())).toMatchObject([{ count: 1 }]);
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual([]);
  });

  test('a notification that was pending in the backup isn’t sent after the restore', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    machine.moveTo(3 * MINUTE_MS);
    await machine.createInstance({ groupMs: HOUR_MS }).runOnce();
    await PUBLICATIONS.restore(machine.db, machine.now());
    await machine.runUntil(3 * HOUR_MS);
    expect(machine.texts()).toEqual([]);
  });

  test('after the app was uninstalled, nobody is notified', async () => {
    await machine.schedule('Hello');
    const [row] = await machine.db.selectFrom('submission').selectAll().execute();
    const uninstall = { workspace: row?.workspace ?? '', now: machine.now() };
    await machine.db
      .transaction()
      .execute((transaction) => PUBLICATIONS.endAfterUninstall(transaction, uninstall));
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(HOUR_MS);
    expect(machine.texts()).toEqual([]);
  });

  test('a publication is deleted after 30 days', async () => {
    await machine.schedule('Hello');
    machine.list({ Id: 'post_7', Status: 'PUBLISHED' });
    await machine.runUntil(HOUR_MS);
    const countRows = async () => (await machine.db.selectFrom('publication').selectAll().execute()).length;
    expect(await countRows()).toBe(1);
    machine.moveTo(31 * 24 * HOUR_MS);
    await machine.createInstance().runOnce();
    expect(await countRows()).toBe(0);
  });
});
