import { beforeEach, describe, expect, test } from 'vitest';
import { type Conversation, findMembershipFault } from '../../../src/forms/conversation.ts';
import type { Call } from '../../../src/handlers/call.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm, pressForForm } from '../../support/steps.ts';
import { grantBen, startWithTwoProjects } from '../../support/two-projects.ts';

const { ben, database, running, startBot } = setUpBot();

beforeEach(async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: 'viewer' });
  // Ben is a manager of Harbour Coffee, and a viewer of everything else.
  await grantBen(database.db, 'manager', 'p1');
});

const as = (person: string) => running.workspace.as(person).in('#harbour-coffee');

const findStoredDigest = () =>
  database.db.selectFrom('digest').select(['projects', 'minute', 'state']).execute();

/** Moves the only digest from Harbour Coffee to Night Market Books. */
async function moveToOtherProject(): Promise<void> {
  await database.db.updateTable('digest').set({ projects: '["p2"]' }).execute();
}

async function createAndListAsBen() {
  await ask(as('Ben'), '/upnext digest weekdays 8:30 for Harbour Coffee', 'Saved.');
  await ask(as('Ben'), '/upnext digest list', '[Edit]');
}

const UNCHANGED = [{ projects: '["p2"]', minute: 510, state: 'on' }];

test('a digest of somebody’s only project is about it, also if its channel follows none', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await grantBen(database.db, 'manager', 'p1');
  await ask(as('Ben'), '/upnext digest weekdays 8:30', 'Saved.');
  expect(await findStoredDigest()).toMatchObject([{ projects: '["p1"]' }]);
});

test('a digest from the form of a person with one project is about it, also if its channel follows none', async () => {
  await startWithTwoProjects(startBot, { membersDefaultRole: null });
  await grantBen(database.db, 'manager', 'p1');
  const ben = running.workspace.as('Ben').in('#general');
  const form = await askForForm(ben, '/upnext digest', 'Digest');
  expect(form.text()).toContain('Project: Harbour Coffee');
  await form.submit();
  await expect.poll(findStoredDigest).toMatchObject([{ projects: '["p1"]' }]);
});

test('for people who don’t manage the channel’s project, the form begins with a digest of their own', async () => {
  await grantBen(database.db, 'viewer', 'p2');
  for (const [channel, where] of [
    ['#harbour-coffee', 'A channel'],
    ['#night-market-books', 'Only me, in a direct message'],
  ] as const) {
    const ben = running.workspace.as('Ben').in(channel);
    const form = await askForForm(ben, '/upnext digest', 'Digest');
    expect(form.value('For')).toBe(where);
    await form.close();
  }
});

test('a person who doesn’t manage a digest’s project can only preview the digest', async () => {
  await ask(as('Ana'), '/upnext digest weekdays 8:30 for Night Market Books', 'Saved.');
  await ask(as('Ben'), '/upnext digest list', 'Night Market Books');
  const list = as('Ben').messages().at(-1) ?? '';
  expect(list).toContain('[Preview for me]');
  for (const label of ['Edit', 'More options']) expect(list).not.toContain(`[${label}]`);
});

test.each(['Edit', 'Pause', 'Send now', 'Delete'])(
  '“%s” in an old list doesn’t change a digest that has moved to another project',
  async (label) => {
    await createAndListAsBen();
    await moveToOtherProject();
    await (label === 'Edit' ? as('Ben').press(label) : as('Ben').choose('More options', label));
    await as('Ben').sees('You need the ');
    expect(await findStoredDigest()).toEqual(UNCHANGED);
  },
);

test('an open form does not overwrite a digest that has moved to another project', async () => {
  await createAndListAsBen();
  const form = await pressForForm(as('Ben'), 'Edit', 'Digest');
  await form.fill('Time', '7:15');
  await moveToOtherProject();
  expect((await form.submit()).view?.text()).toContain('You need the');
  expect(await findStoredDigest()).toEqual(UNCHANGED);
});

describe('in a private channel', () => {
  beforeEach(async () => {
    await startBot();
    running.workspace.admin.addChannel('#launch', { private: true, members: ['Ana', 'Ben', 'upnext'] });
  });

  const NOT_A_MEMBER = 'You’re not in this private channel';
  const NOT_CHECKED =
    'I couldn’t check whether you’re in this channel.\nNothing was saved: try again, or choose a public channel.';

  const listDigestChannels = async () =>
    (await database.db.selectFrom('digest').select('channel').execute()).map(({ channel }) => channel);

  async function openFormFor(channel: string) {
    const form = await askForForm(ben, '/upnext digest new', 'Digest');
    await form.choose('Channel', channel);
    return form;
  }

  test('a person outside a private channel cannot set up a digest there', async () => {
    const form = await openFormFor('#launch');
    running.workspace.admin.remove('#launch', 'Ben');
    expect((await form.submit()).errors).toEqual({ Channel: expect.stringContaining(NOT_A_MEMBER) });
    expect(await listDigestChannels()).toEqual([]);
  });

  test.each(['conversations.members', 'conversations.info'])(
    'if %s fails, nothing is saved, and the same form can be saved later',
    async (method) => {
      const form = await openFormFor('#launch');
      running.workspace.faults.set({ webApi: [{ method, fault: 'error', error: 'fatal_error' }] });
      expect((await form.submit()).errors).toEqual({ Channel: NOT_CHECKED });
      expect(await listDigestChannels()).toEqual([]);
      running.workspace.faults.set({ webApi: [] });
      expect((await form.submit()).view?.text()).toContain('Saved.');
    },
  );

  test('a command saves nothing if the membership cannot be checked', async () => {
    failSlack(running, { method: 'conversations.members', fault: 'error', error: 'fetch_members_failed' });
    const benInLaunch = running.workspace.as('Ben').in('#launch');
    await ask(benInLaunch, '/upnext digest weekdays 8:30', NOT_CHECKED);
    expect(await listDigestChannels()).toEqual([]);
  });

  test('a person can set up a digest in a public channel without being a member', async () => {
    const form = await openFormFor('#night-market-books');
    running.workspace.admin.remove('#night-market-books', 'Ben');
    failSlack(running, { method: 'conversations.members', fault: 'error', error: 'fatal_error' });
    expect((await form.submit()).view?.text()).toContain('Saved.');
  });

  test('a person on a later page of the channel’s member list counts as a member', async () => {
    const pages = [['U1', 'U2'], ['U3', 'U4'], ['U5']];
    const createCall = (user: string) =>
      ({
        actor: { workspace: 'T1', user },
        context: { pace: { acknowledgementTimeoutMs: 10_000 } },
        client: {
          conversations: {
            async members({ cursor = '0' }: { cursor?: string }) {
              const pageIndex = Number(cursor);
              const nextCursor = pageIndex + 1 < pages.length ? String(pageIndex + 1) : '';
              return { ok: true, members: pages[pageIndex], response_metadata: { next_cursor: nextCursor } };
            },
          },
        },
      }) as unknown as Call;
    const conversation: Conversation = { channel: 'C1', state: 'fine', isPrivate: true, boundProjectIds: [] };
    expect(await findMembershipFault(createCall('U5'), conversation, 'write there')).toBeUndefined();
    expect(await findMembershipFault(createCall('U6'), conversation, 'write there')).toContain(NOT_A_MEMBER);
  });
});
