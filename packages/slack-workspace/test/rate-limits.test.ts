import { describe, expect, it } from 'vitest';
import { expectError, openWorkspace } from './support/fixtures.ts';

const HARBOUR = 'C02HARBOUR';
const GENERAL = 'C01GENERAL';
const NOON = Date.UTC(2026, 10, 20, 12);

describe('rate limits, if they are enabled', () => {
  it('a channel accepts one message a second, and a refusal says when the next is accepted', async () => {
    const { workspace, client } = await openWorkspace({ limits: true, now: () => NOON });
    const sendMessage = (channel: string) =>
      fetch(`${workspace.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${workspace.botToken}` },
        body: new URLSearchParams({ channel, text: 'x' }),
      });
    expect((await sendMessage(HARBOUR)).status).toBe(200);
    const refused = await sendMessage(HARBOUR);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      { ok: false, error: 'ratelimited' },
    ]);
    // The name of the channel counts like its id.
    expect((await sendMessage('#harbour-coffee')).status).toBe(429);
    expect((await sendMessage(GENERAL)).status).toBe(200);
    const { channel = '' } = await client.conversations
      .open({ users: 'U01ANAFERR' })
      .then(({ channel }) => ({ channel: channel?.id }));
    expect([(await sendMessage(channel)).status, (await sendMessage('U01ANAFERR')).status]).toEqual([
      200, 429,
    ]);
    workspace.clock.advance(1000);
    expect((await sendMessage(HARBOUR)).status).toBe(200);
    // The SDK also recognises the rate limit.
    await expect(client.chat.postMessage({ channel: HARBOUR, text: 'x' })).rejects.toMatchObject({
      retryAfter: 1,
    });
  });

  it('a workspace accepts 300 messages a minute in all its channels together', async () => {
    const { workspace, client } = await openWorkspace({ limits: true, now: () => NOON });
    const ids = Array.from({ length: 301 }, (_, index) =>
      workspace.admin.addChannel(`#channel-${index}`, { members: ['Ana', 'tester'] }),
    );
    const sendMessage = (channel = '') => client.chat.postMessage({ channel, text: 'x' });
    for (const id of ids.slice(0, 300)) await sendMessage(id);
    await expect(sendMessage(ids[300])).rejects.toMatchObject({ retryAfter: 60 });
    workspace.clock.advance(60_000);
    await sendMessage(ids[300]);
  });

  it('users.list can be called 20 times a minute', async () => {
    const { workspace, client } = await openWorkspace({ limits: true, now: () => NOON });
    const call = () => client.users.list({});
    for (let count = 0; count < 20; count += 1) await call();
    await expect(call()).rejects.toMatchObject({ retryAfter: 60 });
    await client.auth.test();
    workspace.clock.advance(59_000);
    await expect(call()).rejects.toMatchObject({ retryAfter: 1 });
    workspace.clock.advance(1_000);
    await call();
  });

  it('an app outside the Marketplace can read 15 messages once a minute', async () => {
    const { workspace, client } = await openWorkspace({ limits: 'unlisted', now: () => NOON });
    for (let count = 0; count < 20; count += 1) await workspace.as('Ben').in('#harbour-coffee').type('hi');
    const { messages, has_more: hasMore } = await client.conversations.history({
      channel: HARBOUR,
      limit: 999,
    });
    expect([messages?.length, hasMore]).toEqual([15, true]);
    await expect(client.conversations.history({ channel: HARBOUR })).rejects.toMatchObject({
      retryAfter: 60,
    });
  });

  it('rate limits are disabled by default', async () => {
    const { client } = await openWorkspace({ now: () => NOON });
    for (let count = 0; count < 120; count += 1)
      await client.chat.postMessage({ channel: HARBOUR, text: 'x' });
    await expectError(client.chat.postMessage({ channel: HARBOUR, text: '' }), 'no_text');
  });
});
