import type { WebClient } from '@slack/web-api';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../src/workspace.ts';
import { openWorkspace } from './support/fixtures.ts';
import { catchError } from './support/workspace.ts';

const channel = 'C02HARBOUR';
const MINUTE_MS = 60_000;
let workspace: Workspace;
let client: WebClient;
beforeEach(async () => {
  ({ workspace, client } = await openWorkspace());
});

const inSeconds = (seconds: number) => Math.floor(workspace.clock.now() / 1000) + seconds;
const schedule = (text: string, seconds: number, more: object = {}) =>
  client.chat.scheduleMessage({ channel, text, post_at: inSeconds(seconds), ...more });

describe('scheduled messages', () => {
  it('chat.scheduleMessage sends the message at its time', async () => {
    const response = await schedule('Good evening', 600);
    expect(response).toMatchObject({
      channel,
      scheduled_message_id: expect.stringMatching(/^Q/),
      message: { type: 'delayed_message', text: 'Good evening', bot_id: 'B01UPNEXTB', user: 'U09UPNEXTB' },
    });
    expect(response.message).not.toHaveProperty('ts');
    const ana = workspace.as('Ana').in('#harbour-coffee');
    expect(ana.read()).not.toContain('Good evening');
    workspace.clock.advance(10 * MINUTE_MS);
    await ana.sees('Good evening');
    expect((await client.chat.scheduledMessages.list({})).scheduled_messages).toEqual([]);
  });

  it('chat.scheduledMessages.list names the messages of a channel, the next one first', async () => {
    await schedule('Second', 1_200);
    await schedule('First', 600);
    const { scheduled_messages: listed } = await client.chat.scheduledMessages.list({ channel });
    expect(listed?.map(({ text }) => text)).toEqual(['First', 'Second']);
    expect(listed?.[0]).toEqual({
      id: expect.stringMatching(/^Q/),
      channel_id: channel,
      post_at: expect.any(Number),
      date_created: expect.any(Number),
      text: 'First',
    });
    const later = await client.chat.scheduledMessages.list({ oldest: String(inSeconds(900)) });
    expect(later.scheduled_messages).toMatchObject([{ text: 'Second' }]);
  });

  it('chat.deleteScheduledMessage stops a message until a minute before its time', async () => {
    const { scheduled_message_id: first = '' } = await schedule('Never sent', 600);
    const { scheduled_message_id: second = '' } = await schedule('Sent', 650);
    await client.chat.deleteScheduledMessage({ channel, scheduled_message_id: first });
    workspace.clock.advance(10 * MINUTE_MS);
    const tooLate = client.chat.deleteScheduledMessage({ channel, scheduled_message_id: second });
    expect(await catchError(tooLate)).toBe('invalid_scheduled_message_id');
    workspace.clock.advance(MINUTE_MS);
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('Sent');
    expect(ana.read()).not.toContain('Never sent');
  });

  it('thirty messages can be scheduled within five minutes', async () => {
    for (let count = 0; count < 30; count += 1) await schedule('x', 600 + count);
    expect(await catchError(schedule('x', 700))).toBe('restricted_too_many');
    await schedule('x', 950);
  });

  it('a scheduled message with metadata is never sent', async () => {
    await schedule('Lost', 600, { metadata: { event_type: 'lost', event_payload: {} } });
    await schedule('Found', 601);
    workspace.clock.advance(11 * MINUTE_MS);
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.sees('Found');
    expect(ana.read()).not.toContain('Lost');
  });
});
