import { randomUUID } from 'node:crypto';
import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import { changeAll } from '../../src/held-posts/bulk.ts';
import { editHeldPost } from '../../src/held-posts/change.ts';
import type { HeldPostRow } from '../../src/held-posts/held-post.ts';
import { createSeries, editSeries, findSeries } from '../../src/held-posts/series/change-series.ts';
import type { SeriesContent } from '../../src/held-posts/series/rule.ts';
import { findHeldPost } from '../../src/held-posts/sql/held-posts.ts';
import { refreshShownMessage } from '../../src/submissions/shown.ts';
import { understandRecurrence } from '../../src/when/recurrence.ts';
import { NOW } from '../support/bot.ts';
import { submitLine } from '../support/filled-form.ts';
import { buildPost, holdPost, listHeldPosts, reviewedBy } from '../support/hold-posts.ts';
import { insertPost } from '../support/post-submissions.ts';
import { listProjects } from '../support/scripted-service.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { ask, pressAndSee } from '../support/steps.ts';

/**
 * Walks time: messages of each kind are sent, then something changes about those who read them, and then somebody changes
 * what the messages are about. The new text, a canary, may be sent only to those who may read it by then.
 */

const { database, running, setPolicy, startBot } = setUpBot();
const [ANA, MIRA] = ['U01ANAFERR', 'U03MIRAVOS'];
const WORKSPACE = 'T01HARBOUR';
const TUESDAY = '2026-11-24T09:00:00Z';
const CHANNEL = '#launch';
const WAIT = { timeout: WAIT_MS, interval: 50 };
/** Posts of p1 aren't reviewed, those of p2 are reviewed in the channel, and those of p3 in direct messages. */
const REVIEWED_IN_CHANNEL = { id: 'p2', name: 'Night Market Books' };
const REVIEWED_IN_PERSON = { id: 'p3', name: 'Roastery' };

const as = (name: string) => running.workspace.as(name);
const heldPosts = () => running.bot.heldPosts;

/** Replaces the text of a post by a canary, as Ana. */
async function editAsAna(
  { id, workspace }: Pick<HeldPostRow, 'id' | 'workspace'>,
  text: string,
  project?: object,
) {
  const row = await findHeldPost(database.db, { id, workspace });
  if (!row) throw new Error('the post is gone');
  await editHeldPost(heldPosts(), { ...row, actor: ANA }, buildPost({ text, at: TUESDAY, ...project }));
}

function buildSeries(text: string): SeriesContent {
  const zone = 'Europe/Lisbon';
  const reading = understandRecurrence({ text: 'every Monday 9:00', zone, now: NOW, locale: 'en-GB' });
  if (reading.kind !== 'understood') throw new Error(`the rule is ${reading.kind}`);
  return { recurrence: { zone, ...reading.recurrence }, contents: [buildPost({ text })], gapDays: 0 };
}

/** A kind of message: who reads it, how it is sent, and what puts the canary into it. */
interface Kind {
  name: string;
  readers: 'channel' | 'Mira';
  /** Sends the message. Resolves with the function that changes what it is about. `isShared`: outsiders read the channel. */
  send(about: { canary: string; isShared: boolean }): Promise<() => Promise<unknown>>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'a shared card',
    readers: 'channel',
    async send({ canary, isShared }) {
      const ana = as('Ana').in(CHANNEL);
      await submitLine(ana, '/schedule-post 1 Dec 9am on x: We open at nine');
      await ana.choose('More options', 'Share');
      if (isShared) await pressAndSee(ana, 'Share anyway', 'Shared with');
      else await ana.sees('Shared with');
      const [row] = await listHeldPosts(database);
      if (!row) throw new Error('no post is held');
      return () => editAsAna(row, canary);
    },
  },
  {
    name: 'a review request in a channel',
    readers: 'channel',
    async send({ canary }) {
      const policy = { ...reviewedBy(MIRA), channel: as('Ana').in(CHANNEL).channel.id };
      await setPolicy(policy, 'p2');
      const project = REVIEWED_IN_CHANNEL;
      const row = await holdPost(running, { text: 'Books at ten', at: TUESDAY, project, policy });
      await as('Ana').in(CHANNEL).sees('Books at ten');
      return () => editAsAna(row, canary, { project });
    },
  },
  {
    name: 'a review request by direct message',
    readers: 'Mira',
    async send({ canary }) {
      await setPolicy(reviewedBy(MIRA), 'p3');
      const project = REVIEWED_IN_PERSON;
      const row = await holdPost(running, {
        text: 'Beans at two',
        at: TUESDAY,
        project,
        policy: reviewedBy(MIRA),
      });
      await (await as('Mira').inDirectMessage()).sees('Beans at two');
      return () => editAsAna(row, canary, { project });
    },
  },
  {
    name: 'a card and notices to the author',
    readers: 'Mira',
    async send({ canary }) {
      const row = await holdPost(running, { text: 'Cake at four', at: TUESDAY, author: MIRA });
      await editAsAna(row, 'Cake at five');
      await (await as('Mira').inDirectMessage()).sees('Cake at five');
      return () => editAsAna(row, canary);
    },
  },
  {
    name: 'a notice of many posts',
    readers: 'Mira',
    async send({ canary }) {
      const text = canary;
      const held = [1, 2, 3, 4].map(() => holdPost(running, { text, at: TUESDAY, author: MIRA }));
      const posts = (await Promise.all(held)).map(({ content_hash: hash, ...post }) => ({ ...post, hash }));
      const press = { workspace: WORKSPACE, actor: ANA, posts };
      return () => changeAll(heldPosts(), press, { kind: 'cancel' });
    },
  },
  {
    name: 'a notice of a series',
    readers: 'Mira',
    async send({ canary }) {
      const { row } = await createSeries(heldPosts(), {
        ...{ workspace: WORKSPACE, author: MIRA, project: 'p1', origin: randomUUID(), channel: undefined },
        content: buildSeries('Soup of the day'),
      });
      return async () => {
        const current = await findSeries(database.db, row);
        if (current) await editSeries(heldPosts(), { ...current, actor: ANA }, buildSeries(canary));
      };
    },
  },
  {
    name: 'the receipt of a submission that somebody else has changed',
    readers: 'Mira',
    async send({ canary }) {
      const mira = await as('Mira').inDirectMessage();
      const { id: channel } = mira.channel;
      await mira.type('hello');
      await vi.waitUntil(() => mira.visible().length > 1, WAIT);
      const ts = mira.visible().findLast(({ user }) => user !== MIRA)?.ts ?? '';
      const context = running.bot.submissions.context;
      const message = { message_channel: channel, message_ts: ts, project: 'p1', origin: 'form' };
      await insertPost(
        database.db,
        { id: 'receipt', author: MIRA, createdAt: NOW },
        { state: 'discarded', reason: 'replaced', ...message },
      );
      return async () => {
        const content = context.encryption.encrypt(
          JSON.stringify(buildPost({ text: canary, at: TUESDAY })),
          WORKSPACE,
        );
        await insertPost(
          database.db,
          { id: 'changed', author: ANA, createdAt: NOW },
          { state: 'needs-person', origin: 'receipt', content, project: 'p1' },
        );
        const [row] = await database.db
          .selectFrom('submission')
          .selectAll()
          .where('id', '=', 'receipt')
          .execute();
        if (row) await refreshShownMessage(context, row);
      };
    },
  },
  {
    name: 'Home',
    readers: 'Mira',
    async send({ canary }) {
      const row = await holdPost(running, { text: 'Jam at six', at: TUESDAY, author: MIRA });
      await as('Mira').home('Jam at six');
      return () => editAsAna(row, canary);
    },
  },
];

/** A change about those who read the messages, and whose messages don't show the posts any more. */
interface Change {
  name: string;
  hidesFrom: 'nobody' | Kind['readers'];
  /** Before the messages are sent. */
  prepare?(): void;
  change(): Promise<void> | void;
}

const share = (team: string) => running.workspace.admin.share(CHANNEL, team);
/** What is known of a person is cached for a minute. */
const passOneMinute = () => {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
};

const CHANGES: readonly Change[] = [
  {
    name: 'the role is lost',
    hidesFrom: 'Mira',
    async change() {
      const ana = as('Ana').in('#general');
      await ask(ana, '/upnext roles', '@Mira Vos: Publisher');
      await ana.press('Take back', { dialog: 'confirm' });
      await vi.waitUntil(() => !ana.read().includes('@Mira Vos: Publisher'), WAIT);
    },
  },
  {
    name: 'the reader becomes a guest',
    hidesFrom: 'Mira',
    change() {
      running.workspace.admin.changePerson('Mira', { role: 'guest' });
      passOneMinute();
    },
  },
  {
    name: 'the reader is deactivated',
    hidesFrom: 'Mira',
    change() {
      running.workspace.admin.deactivate('Mira');
      passOneMinute();
    },
  },
  { name: 'the channel is shared', hidesFrom: 'channel', change: () => share('T02ROASTER') },
  {
    name: 'a second organisation joins',
    hidesFrom: 'channel',
    prepare: () => share('T02ROASTER'),
    change: () => share('T03BAKERY'),
  },
  {
    name: 'the organisation for which an owner has confirmed it stays',
    hidesFrom: 'nobody',
    prepare: () => share('T02ROASTER'),
    change: () => undefined,
  },
  {
    name: 'the channel is made public, and the reader leaves it',
    hidesFrom: 'nobody',
    change() {
      Object.assign(as('Ana').in(CHANNEL).channel, { kind: 'public' });
      running.workspace.admin.remove(CHANNEL, 'Mira');
    },
  },
];

/** The number of changes of which people aren't told yet. */
async function countPending(): Promise<number> {
  const posts = database.db.selectFrom('held_post').select('id').where('notify_at', 'is not', null).execute();
  const series = database.db.selectFrom('series').select('id').where('notify_at', 'is not', null).execute();
  return (await Promise.all([posts, series])).flat().length;
}

describe.each(CHANGES)('$name:', ({ hidesFrom, prepare, change }) => {
  const sent: Sent[] = [];
  /** The index of what is sent first after the change. */
  let firstAfter = 0;
  let watcher: ReturnType<typeof watchSent> | undefined;
  /** The ids of the places that the readers of a kind read. */
  const places = { channel: [''], Mira: [MIRA] };
  const canaryOf = (kind: Kind) => `Canary ${KINDS.indexOf(kind)} of the new text`;
  const isSentIn = (kind: Kind) =>
    prepare ? kind.readers === 'Mira' || kind.name === 'a shared card' : true;
  /** What was sent to the readers of a kind that contains its canary. Home, which shows all posts, has a test of its own. */
  const findCanaries = (kind: Kind) =>
    sent
      .slice(firstAfter)
      .filter(
        ({ to, payload }) =>
          to !== 'views.publish' &&
          places[kind.readers].includes(String(payload.channel ?? payload.user_id)) &&
          JSON.stringify(payload).includes(canaryOf(kind)),
      );

  beforeAll(async () => {
    await startBot({ isEmulated: true, membersDefaultRole: null, limits: false, scanIntervalMs: 200 });
    running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books', 'Roastery'));
    const grant = { workspace: WORKSPACE, subjectKind: 'person', subject: MIRA, project: '' } as const;
    await saveGrant(database.db, {
      ...grant,
      role: 'publisher',
      reason: 'given',
      grantedBy: ANA,
      grantedAt: NOW,
    });
    await setPolicy({ leadMinutes: 60 });
    const channel = running.workspace.admin.addChannel(CHANNEL, {
      private: true,
      members: ['Ana', 'Ben', 'Mira', 'Upnext'],
    });
    places.channel = [channel];
    places.Mira = [MIRA, (await as('Mira').inDirectMessage()).channel.id];
    const binding = { workspace: WORKSPACE, channel, project: 'p1', bound_at: NOW };
    await database.db.insertInto('channel_project').values(binding).execute();
    prepare?.();
    const changes: (() => Promise<unknown>)[] = [];
    for (const kind of KINDS.filter(isSentIn)) {
      changes.push(await kind.send({ canary: canaryOf(kind), isShared: prepare !== undefined }));
    }
    await vi.waitUntil(async () => (await countPending()) === 0, WAIT);
    watcher = watchSent({ onSent: (each) => void sent.push(each) });
    await change();
    await vi.waitUntil(async () => (await countPending()) === 0, WAIT);
    firstAfter = sent.length;
    for (const put of changes) await put();
    await vi.waitUntil(async () => (await countPending()) === 0, WAIT);
  });
  afterAll(() => {
    watcher?.stop();
    vi.restoreAllMocks();
  });

  test.each(KINDS)('$name', async (kind) => {
    if (!isSentIn(kind)) return;
    if (hidesFrom === kind.readers) expect(findCanaries(kind)).toEqual([]);
    else await expect.poll(() => findCanaries(kind).length).toBeGreaterThan(0);
  });

  test('Home shows the posts only to those who may read them', async () => {
    if (hidesFrom !== 'Mira') return;
    const findHome = () =>
      JSON.stringify(sent.findLast(({ to, payload }) => to === 'views.publish' && payload.user_id === MIRA));
    await expect.poll(findHome).toBeDefined();
    // A refresh that began before the change may still end after it, and the next one empties Home.
    await expect.poll(findHome).not.toMatch(/Jam at six|Canary/);
  });

  test('everybody who may not read the posts reads so, and no post', async () => {
    if (hidesFrom === 'nobody') return;
    const [place = ''] = places[hidesFrom].toReversed();
    const messages = sent
      .slice(firstAfter)
      .filter(({ to, payload }) => /^chat\./.test(to) && payload.channel === place);
    const texts = messages.map(({ payload }) => String(payload.text));
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts)
      expect(text).toMatch(/I no longer show this here|I can’t show (?:it|them) to you/);
  });
});
