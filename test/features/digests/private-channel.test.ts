import { beforeEach, expect, test } from 'vitest';
import { type Conversation, findMembershipFault } from '../../../src/forms/conversation.ts';
import type { Call } from '../../../src/handlers/call.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, askForForm } from '../../support/steps.ts';

const { ben, database, running, startBot } = setUpBot();

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
