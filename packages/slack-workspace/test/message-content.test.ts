import type { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { createButtonRow } from './support/blocks.ts';
import { expectError, openBolt, openWorkspace } from './support/fixtures.ts';
import { TEST_MANIFEST, withScopes } from './support/workspace.ts';

const channel = 'C02HARBOUR';
let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await openWorkspace());
});

const bot = TEST_MANIFEST.oauth_config.scopes.bot;

/** Opens another workspace, with these scopes. */
async function openWith(scopes: readonly string[]): Promise<void> {
  ({ workspace, client } = await openWorkspace({ manifest: withScopes(...scopes) }));
}

describe('attachments', () => {
  it('a message can have attachments only, and gets them back numbered and with a fallback', async () => {
    const attachments = [
      {
        color: '#f2c744',
        title: 'Build 7',
        text: 'It *passed*',
        fields: [{ title: 'Branch', value: 'main' }],
      },
      { blocks: [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: 'From blocks' } }] },
    ];
    const { message } = await client.chat.postMessage({ channel, attachments });
    expect(message).toMatchObject({
      text: '',
      attachments: [
        { id: 1, color: 'f2c744', title: 'Build 7', fallback: 'It *passed*' },
        { id: 2, fallback: '[no preview available]', blocks: [{ block_id: expect.any(String) }] },
      ],
    });
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('Branch: main');
    await ana.sees('From blocks');
    const blocks = [{ type: 'nonsense' }];
    const refused = client.apiCall('chat.postMessage', { channel, attachments: [{ blocks }] });
    await expectError(refused, 'invalid_attachments');
  });

  it('chat.update keeps attachments unless it brings others', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel, attachments: [{ text: 'Kept' }] });
    const kept = await client.chat.update({ channel, ts, text: 'New text' });
    expect(kept.message).toMatchObject({ text: 'New text', attachments: [{ text: 'Kept' }] });
    const changed = await client.chat.update({ channel, ts, text: 'Newer', attachments: [] });
    expect(changed.message).not.toHaveProperty('attachments');
  });
});

it.each(['socket', 'http'] as const)(
  'over %s, a button in an attachment tells the app where it is',
  async (mode) => {
    const fixture = await openBolt({ mode });
    const containers: unknown[] = [];
    fixture.app.action('press', async ({ ack, body }) => {
      containers.push('container' in body && body.container);
      await ack();
    });
    const attachments = [{ text: 'First' }, { blocks: [createButtonRow('press', 'Press me')] }];
    const { ts } = await fixture.app.client.chat.postMessage({ channel, attachments });
    await fixture.workspace.as('Ana').in('#harbour-coffee').press('Press me');
    expect(containers).toEqual([
      {
        type: 'message_attachment',
        message_ts: ts,
        attachment_id: 2,
        channel_id: channel,
        is_ephemeral: false,
        is_app_unfurl: false,
      },
    ]);
  },
);

describe('the text of a message', () => {
  it('markdown_text is shown as Markdown', async () => {
    await client.chat.postMessage({ channel, markdown_text: '**Bold** news' });
    await workspace.as('Ana').in('#harbour-coffee').sees('**Bold** news');
  });
});

describe('the author of a message', () => {
  it('with chat:write.customize, a message has another name and picture and no user', async () => {
    const look = { username: 'Barista', icon_emoji: ':coffee:' };
    const sent = await client.chat.postMessage({ channel, text: 'Hello', ...look });
    expect(sent.message).toMatchObject({
      subtype: 'bot_message',
      username: 'Barista',
      icons: { emoji: ':coffee:' },
      bot_id: 'B01UPNEXTB',
    });
    expect(sent.message).not.toHaveProperty('user');
  });

  it('without chat:write.customize, name and picture are ignored', async () => {
    await openWith(bot.filter((scope) => scope !== 'chat:write.customize'));
    const sent = await client.chat.postMessage({ channel, text: 'Hello', username: 'Barista' });
    expect(sent.message).toMatchObject({ user: 'U09UPNEXTB' });
    expect(sent.message).not.toHaveProperty('username');
  });

  it('chat:write.public opens public channels that the app is not in, and no others', async () => {
    const elsewhere = { channel: 'C04RANDOM0', text: 'Hello from outside' };
    await expectError(client.chat.postMessage(elsewhere), 'not_in_channel');
    await openWith([...bot, 'chat:write.public']);
    await client.chat.postMessage(elsewhere);
    await workspace.as('Ana').in('#random').sees('Hello from outside');
    const id = workspace.admin.addChannel('#secret', { private: true, members: ['Ana'] });
    const secret = client.chat.postMessage({ channel: id, text: 'x' });
    await expectError(secret, 'channel_not_found');
  });
});

describe('Work Objects in metadata', () => {
  const entity = {
    entity_type: 'slack#/entities/task',
    url: 'https://tasks.example/1',
    external_ref: { id: '1' },
    entity_payload: { attributes: { title: { text: 'Read the posts' } } },
  };
  const post = (metadata: object) =>
    client.chat.postMessage({ channel: 'C01GENERAL', text: 'A task', metadata: metadata as never });

  it('a message has them, also without an event', async () => {
    expect((await post({ entities: [entity] })).message?.metadata).toEqual({ entities: [entity] });
    const event = { event_type: 'task', event_payload: { id: 1 } };
    const both = { ...event, entities: [entity] };
    expect((await post(both)).message?.metadata).toEqual(both);
  });

  it.each([[[]], [[{ ...entity, external_ref: {} }]], [['x']]])('%j is refused', async (entities) => {
    await expectError(post({ entities }), 'invalid_metadata_schema');
  });
});
