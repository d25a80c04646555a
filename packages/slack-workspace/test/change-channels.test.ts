import { describe, expect, it } from 'vitest';
import { openBolt, recordEvents } from './support/fixtures.ts';
import { catchError, withEvents } from './support/workspace.ts';

const EVENTS = ['channel_created', 'channel_rename', 'group_rename', 'message.channels', 'message.groups'];
const BOT = 'U09UPNEXTB';

const fixture = await openBolt({ manifest: withEvents(...EVENTS), ignoreSelf: false });
const received = recordEvents(fixture.app);

describe('an app that changes channels', () => {
  const create = async (name: string, is_private = false) => {
    const { channel } = await fixture.app.client.conversations.create({ name, is_private });
    return channel?.id ?? '';
  };
  const lastEvent = (type: string) => received.findLast((event) => (event.subtype ?? event.type) === type);

  it('conversations.create makes a channel with the app as its only member', async () => {
    const { client } = fixture.app;
    const { channel } = await client.conversations.create({ name: 'launch-2027' });
    expect(channel).toMatchObject({
      name: 'launch-2027',
      creator: BOT,
      is_channel: true,
      is_private: false,
      is_member: true,
      topic: { value: '', creator: '', last_set: 0 },
    });
    await expect.poll(() => lastEvent('channel_created')).toMatchObject({ channel: { id: channel?.id } });
    await fixture.workspace.as('Ana').in('#launch-2027').sees('has joined the channel');
    await create('launch-secret', true);
    expect(lastEvent('channel_created')).toMatchObject({ channel: { name: 'launch-2027' } });
  });

  it('conversations.invite and conversations.kick bring people in and take them out', async () => {
    const { conversations } = fixture.app.client;
    const channel = await create('crew');
    await conversations.invite({ channel, users: 'U01ANAFERR,U02BENOKAF' });
    await fixture.workspace.as('Ana').in('#crew').sees('Ben Okafor has joined the channel');
    await expect.poll(() => lastEvent('channel_join')).toMatchObject({ user: 'U02BENOKAF', inviter: BOT });
    expect((await conversations.kick({ channel, user: 'U02BENOKAF' })).ok).toBe(true);
    await fixture.workspace.as('Ana').in('#crew').sees('Ben Okafor has left the channel');
    const forced = await conversations.invite({ channel, users: 'U000000000,U02BENOKAF', force: true });
    expect(forced).toMatchObject({
      ok: true,
      errors: [{ user: 'U000000000', ok: false, error: 'user_not_found' }],
    });
    expect((await conversations.members({ channel })).members).toContain('U02BENOKAF');
  });

  it('conversations.setTopic and conversations.setPurpose describe a channel', async () => {
    const { conversations } = fixture.app.client;
    const channel = await create('described');
    const { channel: set } = await conversations.setTopic({ channel, topic: 'Coffee & <cake>' });
    expect(set).toMatchObject({ topic: { value: 'Coffee &amp; &lt;cake&gt;', creator: BOT } });
    await fixture.workspace.as('Ana').in('#described').sees('set the channel topic: Coffee & <cake>');
    await expect
      .poll(() => lastEvent('channel_topic'))
      .toMatchObject({ topic: 'Coffee &amp; &lt;cake&gt;', text: expect.stringContaining(`<@${BOT}> set`) });
    await conversations.setPurpose({ channel, purpose: 'All about coffee' });
    await expect.poll(() => lastEvent('channel_purpose')).toMatchObject({ purpose: 'All about coffee' });
    expect((await conversations.info({ channel })).channel).toMatchObject({
      purpose: { value: 'All about coffee', creator: BOT },
    });
  });

  it('conversations.rename works only in channels that the app created', async () => {
    const { conversations } = fixture.app.client;
    const channel = await create('before', true);
    await conversations.rename({ channel, name: 'after' });
    await expect
      .poll(() => lastEvent('group_rename'))
      .toMatchObject({ channel: { id: channel, name: 'after' } });
    await expect
      .poll(() => lastEvent('channel_name'))
      .toMatchObject({
        name: 'after',
        old_name: 'before',
        text: expect.stringContaining('"before" to "after"'),
      });
    expect((await conversations.info({ channel })).channel).toMatchObject({ previous_names: ['before'] });
  });

  it('conversations.archive closes a channel, and conversations.unarchive refuses bots', async () => {
    const { conversations } = fixture.app.client;
    const channel = await create('done');
    await conversations.archive({ channel });
    await fixture.workspace.as('Ana').in('#done').sees('archived the channel');
    await expect.poll(() => lastEvent('channel_archive')).toMatchObject({ channel, user: BOT });
    expect(await catchError(conversations.unarchive({ channel }))).toBe('not_in_channel');
  });

  it('conversations.leave takes the app out', async () => {
    const { conversations } = fixture.app.client;
    const channel = await create('short-visit');
    await conversations.leave({ channel });
    expect((await conversations.info({ channel })).channel).toMatchObject({ is_member: false });
    const again = await fetch(`${fixture.workspace.apiUrl}conversations.leave?channel=${channel}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.workspace.botToken}` },
    });
    expect(await again.json()).toEqual({ ok: false, not_in_channel: true });
  });
});
