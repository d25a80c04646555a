import { beforeEach, describe, expect, it } from 'vitest';
import { openBolt, recordEvents } from './support/fixtures.ts';
import { withEvents } from './support/workspace.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

const channel = 'C02HARBOUR';
const URL = 'https://shop.links.example/cup?size=2&color=red';

let fixture: BoltFixture;
let received: Record<string, unknown>[];
beforeEach(async () => {
  fixture = await openBolt({ manifest: withEvents('link_shared', 'message.channels') });
  received = recordEvents(fixture.app);
});

/** Ana shares the link. Returns the event that the app receives. */
async function shareLink(text = `Look: ${URL}`, place = '#harbour-coffee') {
  await fixture.workspace.as('Ana').in(place).type(text);
  await expect.poll(() => received.map(({ type }) => type)).toContain('link_shared');
  const event = received.findLast(({ type }) => type === 'link_shared') ?? {};
  return { event, ts: String(event.message_ts), unfurl_id: String(event.unfurl_id) };
}

describe('link_shared', () => {
  it('the app gets events about links to its domains only', async () => {
    const { event, ts } = await shareLink(`Look: ${URL} and https://example.com/`);
    expect(event).toEqual({
      type: 'link_shared',
      channel,
      is_bot_user_member: true,
      user: 'U01ANAFERR',
      message_ts: ts,
      unfurl_id: expect.stringMatching(`^${channel}\\.${ts}\\.[0-9a-f]{64}$`),
      source: 'conversations_history',
      links: [{ url: URL, domain: 'links.example' }],
      event_ts: expect.any(String),
    });
  });

  it('the app gets events about links in channels where it isn’t a member', async () => {
    const { event } = await shareLink(`Look: ${URL}`, '#random');
    expect(event).toMatchObject({ channel: 'C04RANDOM0', is_bot_user_member: false });
  });
});

describe('chat.unfurl', () => {
  it('chat.unfurl adds a preview below the message', async () => {
    const { ts } = await shareLink();
    const { client } = fixture.app;
    await client.chat.unfurl({ channel, ts, unfurls: { [URL]: { title: 'A red cup', text: 'Two sizes' } } });
    const ben = fixture.workspace.as('Ben').in('#harbour-coffee');
    await ben.sees('A red cup');
    const attachments = [
      { id: 1, title: 'A red cup', from_url: URL, is_app_unfurl: true, app_id: 'A01UPNEXTA' },
    ];
    await expect
      .poll(() => received.at(-1))
      .toMatchObject({ subtype: 'message_changed', message: { ts, attachments } });
    expect(received.at(-1)).not.toHaveProperty('message.edited');
  });

  it('chat.unfurl finds the message by its unfurl_id too, and invites the author to sign in', async () => {
    const { unfurl_id } = await shareLink();
    const text = { type: 'mrkdwn' as const, text: 'From blocks' };
    const unfurls = { [URL]: { blocks: [{ type: 'section' as const, text }] } };
    const { client } = fixture.app;
    await client.chat.unfurl({ unfurl_id, source: 'conversations_history', unfurls });
    const ana = fixture.workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('From blocks');
    const user_auth_url = 'https://links.example/sign-in';
    await client.apiCall('chat.unfurl', { unfurl_id, source: 'conversations_history', user_auth_url });
    await ana.sees('Sign in to Tester');
    expect(fixture.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain('Sign in');
  });
});
