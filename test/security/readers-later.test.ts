import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { saveGrant } from '../../src/access/access.ts';
import type { ProjectPolicy } from '../../src/preferences/project-policy.ts';
import type { GuestRule } from '../../src/preferences/tables.ts';
import { NOW } from '../support/bot.ts';
import { submitWith } from '../support/form-steps.ts';
import { data, listedPost, listProjects, startScriptedService } from '../support/scripted-service.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { ask, askForForm } from '../support/steps.ts';
import { createScriptedLookup, startTlsFront } from '../support/tls-front.ts';
import { CHANNEL, MESSAGE_KINDS, type MessageKind } from './message-kinds.ts';

/**
 * Walks time: messages of each kind are sent, then something changes about those who read them, and then somebody changes
 * what the messages are about. The new text, a canary, may be sent only to those who may read it by then.
 */

const { database, running, setPolicy, startBot } = setUpBot();
const [ANA, MIRA] = ['U01ANAFERR', 'U03MIRAVOS'];
const WORKSPACE = 'T01HARBOUR';
const WAIT = { timeout: WAIT_MS, interval: 50 };
/** Whether the policies of all projects keep guests out. */
let guests: GuestRule = 'allowed';
const savePolicy = (policy: Partial<ProjectPolicy>, project?: string) =>
  setPolicy({ ...policy, guests }, project);

const world = { database, running, savePolicy };
const as = (name: string) => running.workspace.as(name);

/** A change about those who read the messages, and whose messages don't show the posts any more. */
interface Change {
  name: string;
  hidesFrom: 'nobody' | MessageKind['readers'];
  /** The kinds of messages whose change isn't possible any more. */
  skips?: readonly MessageKind['name'][];
  /** Defaults to 'allowed'. */
  guests?: GuestRule;
  /** Before the messages are sent. */
  prepare?(): void;
  change(): Promise<void> | void;
}

const grantMira = (project: string) =>
  saveGrant(database.db, {
    ...{ workspace: WORKSPACE, subjectKind: 'person', subject: MIRA, project },
    ...{ role: 'publisher', reason: 'given', grantedBy: ANA, grantedAt: NOW },
  });

const RIVAL_TEXT = 'Text of the rival';
/** Another service, whose projects have the same ids. */
const rival = await startScriptedService();
rival.on('GET /projects', listProjects('Rival Bakery', 'Rival Books', 'Rival Beans'));
rival.on('GET /posts', data([listedPost(RIVAL_TEXT, '2026-11-24T09:00:00Z')]));
rival.on('GET /upnext-post', data(listedPost(RIVAL_TEXT, '2026-11-24T09:00:00Z')));
const front = await startTlsFront(rival.url);
const { lookup } = createScriptedLookup(['127.0.0.1']);
afterAll(async () => {
  await front.close();
  await rival.stop();
});

/** Connects the other service, as Ana. */
async function connectRival(): Promise<void> {
  const ana = as('Ana').in('#general');
  const form = await askForForm(ana, '/upnext connect', 'Connect a service', 'Connect a service');
  const submitted = await submitWith(form, { 'Address of the service': front.url, Token: 'a-rival-token' });
  expect(submitted.view?.text()).toContain('This is another service than before');
}

/** Tom is a guest of the workspace. */
const inviteGuest = () => running.workspace.admin.invite(CHANNEL, 'Tom');
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
  {
    name: 'the reader is deactivated and comes back',
    hidesFrom: 'nobody',
    async change() {
      running.workspace.admin.deactivate('Mira');
      passOneMinute();
      running.workspace.admin.reactivate('Mira');
    },
  },
  {
    name: 'the reader becomes a guest, and a member again',
    hidesFrom: 'nobody',
    change() {
      running.workspace.admin.changePerson('Mira', { role: 'guest' });
      passOneMinute();
      running.workspace.admin.changePerson('Mira', { role: 'member' });
    },
  },
  {
    name: 'the service doesn’t have the projects any more',
    hidesFrom: 'nobody',
    change: () => running.service.on('GET /projects', listProjects('Another')),
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
    name: 'guests come, and the policy keeps them out',
    hidesFrom: 'channel',
    guests: 'kept-out',
    change: inviteGuest,
  },
  {
    name: 'guests are there, and the policy begins to keep them out',
    hidesFrom: 'channel',
    async change() {
      inviteGuest();
      await database.db.updateTable('project_policy').set({ guests: 'kept-out' }).execute();
    },
  },
  {
    name: 'guests come and leave again, while the policy keeps them out',
    hidesFrom: 'nobody',
    guests: 'kept-out',
    change() {
      inviteGuest();
      running.workspace.admin.remove(CHANNEL, 'Tom');
    },
  },
  { name: 'guests come, and the policy allows them', hidesFrom: 'nobody', change: inviteGuest },
  {
    // Whoever read the earlier projects still does, because their posts wait. A paused series can't be edited.
    name: 'the service is replaced by one with the same ids',
    hidesFrom: 'nobody',
    skips: ['a notice of a series'],
    async change() {
      await database.db.deleteFrom('access_grant').where('subject', '=', MIRA).execute();
      for (const project of ['p1', 'p2', 'p3']) await grantMira(project);
      await connectRival();
      passOneMinute();
    },
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

describe.each(CHANGES)('$name:', (changed) => {
  const { hidesFrom, skips = [], guests: guestRule = 'allowed', prepare, change } = changed;
  const sent: Sent[] = [];
  /** The index of what is sent first after the change. */
  let firstAfter = 0;
  let watcher: ReturnType<typeof watchSent> | undefined;
  /** The ids of the places that the readers of a kind read. */
  const places = { channel: [''], Mira: [MIRA] };
  const canaryOf = (kind: MessageKind) => `Canary ${MESSAGE_KINDS.indexOf(kind)} of the new text`;
  const isSentIn = (kind: MessageKind) =>
    prepare ? kind.readers === 'Mira' || kind.name === 'a shared card' : true;
  /** What was sent to the readers of a kind that contains its canary. Home, which shows all posts, has a test of its own. */
  const findCanaries = (kind: MessageKind) =>
    sent
      .slice(firstAfter)
      .filter(
        ({ to, payload }) =>
          to !== 'views.publish' &&
          places[kind.readers].includes(String(payload.channel ?? payload.user_id)) &&
          JSON.stringify(payload).includes(canaryOf(kind)),
      );

  beforeAll(async () => {
    await startBot({
      ...{ isEmulated: true, membersDefaultRole: null, limits: false, scanIntervalMs: 200 },
      serviceAddressRules: { allowPrivate: true, lookup: (...query) => lookup(...query), ca: front.ca },
    });
    rival.calls.length = 0;
    running.service.on('GET /projects', listProjects('Harbour Coffee', 'Night Market Books', 'Roastery'));
    await grantMira('');
    guests = guestRule;
    await savePolicy({ leadMinutes: 60 });
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
    for (const kind of MESSAGE_KINDS.filter(isSentIn)) {
      changes.push(await kind.send(world, { canary: canaryOf(kind), isShared: prepare !== undefined }));
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

  test.each(MESSAGE_KINDS)('$name', async (kind) => {
    if (!isSentIn(kind) || skips.includes(kind.name)) return;
    if (hidesFrom === kind.readers) expect(findCanaries(kind)).toEqual([]);
    else await expect.poll(() => findCanaries(kind).length).toBeGreaterThan(0);
  });

  test('another service is sent nothing, and nothing of it is sent to the readers', () => {
    expect(rival.calls.filter(({ path }) => path.includes('/projects/'))).toEqual([]);
    expect(JSON.stringify(sent.filter(({ payload }) => payload.user_id !== ANA))).not.toContain(RIVAL_TEXT);
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
