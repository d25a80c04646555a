import { describe, expect, it } from 'vitest';
import { expectError, openWorkspace } from './support/fixtures.ts';
import { catchRefusal } from './support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const divider = { type: 'divider' as const };

const { workspace, client } = await openWorkspace();
const { admin } = workspace;
admin.addChannel('#notices', { members: ['Ana', 'Ben', 'tester'] });
admin.restrict('#notices');

describe('Slack’s refusals', () => {
  const sendMessage = (channel: string, fields: object = {}) =>
    client.apiCall('chat.postMessage', { channel, text: 'x', ...fields });

  it('restricted_action: only owners and admins may write in the channel', async () => {
    await expectError(sendMessage('#notices'), 'restricted_action');
    await expect(workspace.as('Ben').in('#notices').type('hello')).rejects.toThrow('restricted_action');
    await workspace.as('Ana').in('#notices').type('hello');
    await workspace.as('Ben').in('#notices').sees('hello');
  });

  it('no_text: the message has neither text nor blocks; blocks alone are enough', async () => {
    await expectError(sendMessage(HARBOUR, { text: '' }), 'no_text');
    await expectError(sendMessage(HARBOUR, { text: '', blocks: [] }), 'no_text');
    await sendMessage(HARBOUR, { text: '', blocks: [divider] });
  });

  it('a text is truncated after 40,000 characters', async () => {
    const sendAndMeasure = async (text: string) => {
      const { message } = await client.chat.postMessage({ channel: HARBOUR, text });
      return message?.text?.length;
    };
    expect(await sendAndMeasure('x'.repeat(40_000))).toBe(40_000);
    expect(await sendAndMeasure('x'.repeat(40_001))).toBe(40_000);
    const warningsOf = async (text: string) =>
      (await sendMessage(HARBOUR, { text })).response_metadata?.warnings;
    expect(await warningsOf('x'.repeat(40_000))).toBeUndefined();
    expect(await warningsOf('x'.repeat(40_001))).toEqual(['message_truncated']);
  });

  it('msg_too_long: a changed text has more than 4,000 characters', async () => {
    const { ts = '' } = await client.chat.postMessage({ channel: HARBOUR, text: 'x' });
    await client.chat.update({ channel: HARBOUR, ts, text: 'x'.repeat(4000) });
    const longer = client.chat.update({ channel: HARBOUR, ts, text: 'x'.repeat(4001) });
    await expectError(longer, 'msg_too_long');
  });

  it('invalid_blocks: a message has more than 50 blocks', async () => {
    const makeBlocks = (count: number) => Array.from({ length: count }, () => divider);
    await sendMessage(HARBOUR, { blocks: makeBlocks(50) });
    expect(await catchRefusal(sendMessage(HARBOUR, { blocks: makeBlocks(51) }))).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] no more than 50 items allowed [json-pointer:/blocks]'],
    });
  });

  it.each([
    'http://localhost:8080/a.png',
    'http://127.0.0.1:8080/a.png',
    'https://192.168.1.20/a.png',
    'http://[::1]/a.png',
    'https://nas.local/a.png',
    'data:image/png;base64,AAAA',
    'a.png',
  ])('downloading image failed: Slack cannot reach %s', async (image_url) => {
    const makeImage = (url: string) => ({
      blocks: [{ type: 'image', alt_text: 'A cup', image_url: url }],
    });
    expect(await catchRefusal(sendMessage(HARBOUR, makeImage(image_url)))).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] downloading image failed [json-pointer:/blocks/0/image_url]'],
    });
    await sendMessage(HARBOUR, makeImage('https://pictures.example/a.png'));
    await sendMessage(HARBOUR, makeImage('http://93.184.216.34/a.png'));
  });

  it('a command in a thread is not run, and the person gets an error', async () => {
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.type('What about tea?');
    await ana.reply('What about tea?', '/say something');
    await ana.sees('/say is not supported in threads. Sorry!');
    await ana.reply('What about tea?', 'say /something');
    const { messages } = await client.conversations.replies({
      channel: HARBOUR,
      ts: (await client.conversations.history({ channel: HARBOUR, limit: 1 })).messages?.[0]?.ts ?? '',
    });
    expect(messages?.map(({ text }) => text)).toEqual(['What about tea?', 'say /something']);
  });
});
