import { describe, expect, it } from 'vitest';
import { refusal, startTestWorkspace } from '../../support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const GENERAL = 'C01GENERAL';
const NOON = Date.UTC(2026, 10, 20, 12);

describe('limits, where they are asked for', () => {
  it('let one message a second into each channel, and say when the next may come', async () => {
    const { workspace, client } = await startTestWorkspace({ limits: true, now: () => NOON });
    const post = (channel: string) =>
      fetch(`${workspace.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${workspace.botToken}` },
        body: new URLSearchParams({ channel, text: 'x' }),
      });
    expect((await post(HARBOUR)).status).toBe(200);
    const refused = await post(HARBOUR);
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
      429,
      '1',
      { ok: false, error: 'ratelimited' },
    ]);
    // By its name it is the same channel.
    expect((await post('#harbour-coffee')).status).toBe(429);
    expect((await post(GENERAL)).status).toBe(200);
    const { channel = '' } = await client.conversations
      .open({ users: 'U01ANAFERR' })
      .then(({ channel }) => ({ channel: channel?.id }));
    expect([(await post(channel)).status, (await post('U01ANAFERR')).status]).toEqual([200, 429]);
    workspace.clock.advance(1000);
    expect((await post(HARBOUR)).status).toBe(200);
    // The SDK reads it as a limit too.
    await expect(client.chat.postMessage({ channel: HARBOUR, text: 'x' })).rejects.toMatchObject({
      retryAfter: 1,
    });
    await workspace.close();
  });

  it('let 300 messages a minute into a workspace, in however many channels', async () => {
    const { workspace, client } = await startTestWorkspace({ limits: true, now: () => NOON });
    const ids = Array.from({ length: 301 }, (_, index) =>
      workspace.admin.addChannel(`#channel-${index}`, { members: ['Ana', 'tester'] }),
    );
    const post = (channel = '') => client.chat.postMessage({ channel, text: 'x' });
    for (const id of ids.slice(0, 300)) await post(id);
    await expect(post(ids[300])).rejects.toMatchObject({ retryAfter: 60 });
    workspace.clock.advance(60_000);
    await post(ids[300]);
    await workspace.close();
  });

  it.each([
    ['users.list', 20],
    ['conversations.info', 50],
    ['users.info', 100],
  ])('let %s through %i times a minute', async (method, times) => {
    const { workspace, client } = await startTestWorkspace({ limits: true, now: () => NOON });
    const call = () => client.apiCall(method, { user: 'U01ANAFERR', channel: HARBOUR });
    for (let count = 0; count < times; count += 1) await call();
    await expect(call()).rejects.toMatchObject({ retryAfter: 60 });
    await client.auth.test();
    workspace.clock.advance(59_000);
    await expect(call()).rejects.toMatchObject({ retryAfter: 1 });
    workspace.clock.advance(1_000);
    await call();
    await workspace.close();
  });

  it('of an app that is sold outside the Marketplace: 15 messages once a minute', async () => {
    const { workspace, client } = await startTestWorkspace({ limits: 'unlisted', now: () => NOON });
    for (let count = 0; count < 20; count += 1) await workspace.as('Ben').in('#harbour-coffee').type('hi');
    const { messages, has_more: more } = await client.conversations.history({ channel: HARBOUR, limit: 999 });
    expect([messages?.length, more]).toEqual([15, true]);
    await expect(client.conversations.history({ channel: HARBOUR })).rejects.toMatchObject({
      retryAfter: 60,
    });
    await workspace.close();
  });

  it('are not there otherwise', async () => {
    const { workspace, client } = await startTestWorkspace({ now: () => NOON });
    for (let count = 0; count < 120; count += 1)
      await client.chat.postMessage({ channel: HARBOUR, text: 'x' });
    expect((await refusal(client.chat.postMessage({ channel: HARBOUR, text: '' }))).error).toBe('no_text');
    await workspace.close();
  });
});
