import { describe, expect, it } from 'vitest';
import { listWords } from '../src/words.ts';
import { openBolt, recordEvents } from './support/fixtures.ts';
import { catchError, withEvents } from './support/workspace.ts';

const channel = 'C02HARBOUR';
const manifest = withEvents('reaction_added', 'reaction_removed');
const fixture = await openBolt({ manifest, ignoreSelf: false });
const received = recordEvents(fixture.app);

describe('reactions', () => {
  const send = async (text: string) => {
    const { ts = '' } = await fixture.app.client.chat.postMessage({ channel, text });
    return ts;
  };

  it('a reaction of the app is shown under the message, and the app gets its event', async () => {
    const { reactions } = fixture.app.client;
    const timestamp = await send('Ready?');
    await reactions.add({ channel, timestamp, name: 'eyes' });
    await fixture.workspace.as('Ben').in('#harbour-coffee').sees(':eyes: 1');
    await expect
      .poll(() => received.at(-1))
      .toEqual({
        type: 'reaction_added',
        user: 'U09UPNEXTB',
        reaction: 'eyes',
        item: { type: 'message', channel, ts: timestamp },
        item_user: 'U09UPNEXTB',
        event_ts: expect.stringMatching(/^\d+\.\d{6}$/),
      });
    await reactions.remove({ channel, timestamp, name: 'eyes' });
    await expect.poll(() => received.at(-1)).toMatchObject({ type: 'reaction_removed', reaction: 'eyes' });
    expect(fixture.workspace.as('Ben').in('#harbour-coffee').read()).not.toContain(':eyes:');
    const elsewhere = reactions.add({ channel: 'C04RANDOM0', timestamp, name: 'eyes' });
    expect(await catchError(elsewhere)).toBe('not_in_channel');
  });

  it('a person reacts, and the reaction stands in the message and in the lists', async () => {
    const { client } = fixture.app;
    const timestamp = await send('Lunch?');
    await fixture.workspace.as('Ana').in('#harbour-coffee').react('Lunch?', 'tada');
    await fixture.workspace.as('Ben').in('#harbour-coffee').react('Lunch?', 'tada');
    await client.reactions.add({ channel, timestamp, name: 'thumbsup::skin-tone-3' });
    const reactions = [
      { name: 'tada', users: ['U01ANAFERR', 'U02BENOKAF'], count: 2 },
      { name: 'thumbsup::skin-tone-3', users: ['U09UPNEXTB'], count: 1 },
    ];
    expect(await client.reactions.get({ channel, timestamp })).toMatchObject({
      type: 'message',
      channel,
      message: { text: 'Lunch?', reactions, permalink: expect.stringContaining(`/archives/${channel}/p`) },
    });
    const { messages } = await client.conversations.history({ channel, limit: 1 });
    expect(messages?.[0]).toMatchObject({ reactions });
    const listed = await client.reactions.list({ user: 'U01ANAFERR' });
    expect(listed.items).toMatchObject([{ type: 'message', channel, message: { ts: timestamp, reactions } }]);
    await fixture.workspace.as('Ana').in('#harbour-coffee').react('Lunch?', 'tada');
    await expect
      .poll(() => received.at(-1))
      .toMatchObject({ type: 'reaction_removed', user: 'U01ANAFERR', item_user: 'U09UPNEXTB' });
  });

  it('a reaction is a standard emoji, with a skin tone only if it has one, or an emoji of the workspace', async () => {
    const { reactions } = fixture.app.client;
    const timestamp = await send('Any');
    const names = listWords('thumbsup hankey wave::skin-tone-6 handshake::skin-tone-2-4 flag-pt harbour');
    fixture.workspace.admin.addEmoji('harbour', `${fixture.workspace.url}/page/icon.svg`);
    for (const name of names) await reactions.add({ channel, timestamp, name });
    for (const name of ['no_such_emoji', 'fire::skin-tone-2', 'wave::skin-tone-2-3', 'wave::skin-tone-7', ''])
      expect(await catchError(reactions.add({ channel, timestamp, name })), name).toBe('invalid_name');
  });
});

describe('pins', () => {
  const { client } = fixture.app;

  it('pins.add pins a message, pins.list shows it, and pins.remove takes the pin off', async () => {
    const { ts: timestamp = '' } = await client.chat.postMessage({ channel, text: 'House rules' });
    await client.pins.add({ channel, timestamp });
    const pinned_info = { channel, pinned_by: 'U09UPNEXTB', pinned_ts: expect.any(Number) };
    const permalink = expect.stringContaining(`/archives/${channel}/p`);
    expect((await client.pins.list({ channel })).items).toEqual([
      {
        type: 'message',
        created: expect.any(Number),
        created_by: 'U09UPNEXTB',
        channel,
        message: expect.objectContaining({ ts: timestamp, pinned_to: [channel], pinned_info, permalink }),
      },
    ]);
    expect(await client.conversations.history({ channel, limit: 1 })).toMatchObject({ pin_count: 1 });
    await client.pins.remove({ channel, timestamp });
    expect((await client.pins.list({ channel })).items).toEqual([]);
  });
});
