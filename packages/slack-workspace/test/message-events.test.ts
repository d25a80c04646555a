import { describe, expect, it } from 'vitest';
import { createButtonRow } from './support/blocks.ts';
import { openBolt } from './support/fixtures.ts';
import { withEvents } from './support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const EVENTS = ['message.channels', 'member_joined_channel', 'member_left_channel', 'file_shared'];

interface ReceivedEvent {
  type: string;
  subtype?: string | undefined;
  [key: string]: unknown;
}

const { app, workspace } = await openBolt({ manifest: withEvents(...EVENTS), ignoreSelf: false });
const received: ReceivedEvent[] = [];
app.use(async ({ body, next }) => {
  if (body.type === 'event_callback' && 'event' in body)
    received.push({ ...body.event, shared: body.is_ext_shared_channel });
  await next();
});

describe('an app with event subscriptions', () => {
  const waitForEvent = async (matches: (event: ReceivedEvent) => boolean) => {
    await expect.poll(() => received.some(matches)).toBe(true);
    return received.findLast(matches);
  };

  it('the app receives new, changed and deleted messages, including its own', async () => {
    const { ts = '' } = await app.client.chat.postMessage({ channel: HARBOUR, text: 'one' });
    expect(await waitForEvent((event) => event.text === 'one')).toMatchObject({ bot_id: 'B01UPNEXTB', ts });
    await app.client.chat.update({ channel: HARBOUR, ts, text: 'two' });
    expect(await waitForEvent((event) => event.subtype === 'message_changed')).toMatchObject({
      hidden: true,
      channel: HARBOUR,
      channel_type: 'channel',
      message: { text: 'two', ts },
      previous_message: { text: 'one', ts },
    });
    await app.client.chat.delete({ channel: HARBOUR, ts });
    expect(await waitForEvent((event) => event.subtype === 'message_deleted')).toMatchObject({
      hidden: true,
      deleted_ts: ts,
      previous_message: { text: 'two' },
    });
  });

  it('the app receives replies with their thread', async () => {
    const ana = workspace.as('Ana').in('#harbour-coffee');
    await ana.type('Who comes?');
    const first = await waitForEvent((event) => event.text === 'Who comes?');
    await ana.reply('Who comes?', 'I do');
    expect(await waitForEvent((event) => event.text === 'I do')).toMatchObject({
      thread_ts: first?.ts,
      parent_user_id: 'U01ANAFERR',
    });
  });

  it('a button press by a person from another workspace names that workspace', async () => {
    const pressed: unknown[] = [];
    app.action('press', async ({ ack, body }) => {
      await ack();
      pressed.push([body.user, body.team]);
    });
    const blocks = [createButtonRow('press', 'Press')];
    await app.client.chat.postMessage({ channel: 'C05ROASTER', text: 'x', blocks });
    await workspace.as('Priya').in('#roastery-north').press('Press');
    expect(pressed).toMatchObject([[{ team_id: 'T02ROASTER' }, { id: 'T01HARBOUR' }]]);
  });

  it('the app receives messages of people from other workspaces, but only in its channels', async () => {
    await workspace.as('Ana').in('#random').type('not for the app');
    await workspace.as('Priya').in('#roastery-north').type('from elsewhere');
    expect(await waitForEvent((event) => event.text === 'from elsewhere')).toMatchObject({
      shared: true,
      user_team: 'T02ROASTER',
    });
    expect(received.filter((event) => event.text === 'not for the app')).toEqual([]);
  });
});
