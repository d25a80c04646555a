import { describe, expect, it } from 'vitest';
import { openWorkspace } from './support/fixtures.ts';
import { catchError } from './support/workspace.ts';

const channel = 'C02HARBOUR';
const BOT = 'U09UPNEXTB';
const { client } = await openWorkspace();

describe('pins', () => {
  it('pins.add pins a message, pins.list shows it, and pins.remove takes the pin off', async () => {
    const { ts: timestamp = '' } = await client.chat.postMessage({ channel, text: 'House rules' });
    await client.pins.add({ channel, timestamp });
    const pinned_info = { channel, pinned_by: BOT, pinned_ts: expect.any(Number) };
    const permalink = expect.stringContaining(`/archives/${channel}/p`);
    expect((await client.pins.list({ channel })).items).toEqual([
      {
        type: 'message',
        created: expect.any(Number),
        created_by: BOT,
        channel,
        message: expect.objectContaining({ ts: timestamp, pinned_to: [channel], pinned_info, permalink }),
      },
    ]);
    expect(await client.conversations.history({ channel, limit: 1 })).toMatchObject({ pin_count: 1 });
    expect(await catchError(client.pins.add({ channel, timestamp }))).toBe('already_pinned');
    await client.pins.remove({ channel, timestamp });
    expect((await client.pins.list({ channel })).items).toEqual([]);
    expect(await catchError(client.pins.remove({ channel, timestamp }))).toBe('no_pin');
  });
});
