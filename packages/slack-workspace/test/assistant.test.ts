import { Assistant } from '@slack/bolt';
import { beforeEach, describe, expect, it } from 'vitest';
import { ASSISTANT_MANIFEST } from './support/assistant.ts';
import { openBolt, openWorkspace, recordEvents } from './support/fixtures.ts';
import { catchRefusal } from './support/workspace.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

type Payload = Record<string, unknown>;

let fixture: BoltFixture;
let received: Payload[];
beforeEach(async () => {
  fixture = await openBolt({ manifest: ASSISTANT_MANIFEST });
  received = recordEvents(fixture.app);
});

const findEvent = (type: string) => received.findLast((event) => event.type === type);
const ana = () => fixture.workspace.as('Ana').in('#general');

describe('a chat with an assistant', () => {
  it('Bolt’s assistant greets, suggests prompts, shows a status, and answers', async () => {
    const isRead = Promise.withResolvers<void>();
    const assistant = new Assistant({
      threadStarted: async ({ say, setSuggestedPrompts, saveThreadContext }) => {
        await say('How can I help?');
        await saveThreadContext();
        const prompt = { title: 'Summarise', message: 'Please summarise this channel' };
        await setSuggestedPrompts({ title: 'Try this:', prompts: [prompt] });
      },
      userMessage: async ({ message, say, setStatus, setTitle }) => {
        await setTitle('Summary');
        await setStatus('is reading…');
        await isRead.promise;
        await say(`You said: ${'text' in message ? message.text : ''}`);
      },
    });
    fixture.app.assistant(assistant);
    const chat = ana().startChat();
    await chat.sees('How can I help?\nTry this:\n[Summarise]');
    await chat.pick('Summarise');
    await chat.sees('tester is reading…');
    expect(chat.read()).not.toContain('Try this:');
    isRead.resolve();
    await chat.sees('Summary\nHow can I help?\nPlease summarise this channel\nYou said: Please summarise');
    expect(chat.read()).not.toContain('is reading');
  });

  it('the app is notified of a new chat, and of the channel where the person is', async () => {
    const { channel, ts } = ana().startChat();
    await expect.poll(() => findEvent('assistant_thread_started')).toBeDefined();
    expect(findEvent('assistant_thread_started')).toEqual({
      type: 'assistant_thread_started',
      assistant_thread: {
        user_id: 'U01ANAFERR',
        context: { channel_id: 'C01GENERAL', team_id: fixture.workspace.team.id, enterprise_id: null },
        channel_id: channel,
        thread_ts: ts,
      },
      event_ts: expect.any(String),
    });
    expect(findEvent('message')).toMatchObject({ subtype: 'assistant_app_thread', channel, ts });
  });

  it('a chat outside of channels has no context', async () => {
    (await ana().inDirectMessage()).startChat();
    await expect
      .poll(() => findEvent('assistant_thread_started'))
      .toMatchObject({ assistant_thread: { context: { force_search: false } } });
  });

  it('the app is notified when the person goes to another channel', async () => {
    const chat = ana().startChat();
    await chat.goTo('#harbour-coffee');
    await expect
      .poll(() => findEvent('assistant_thread_context_changed'))
      .toMatchObject({ assistant_thread: { context: { channel_id: 'C02HARBOUR' }, thread_ts: chat.ts } });
  });

  it('a message outside of a chat starts a new one, and every message is in a thread', async () => {
    await ana().directMessage('Hello?');
    await expect.poll(() => findEvent('message')?.text).toBe('Hello?');
    const started = findEvent('assistant_thread_started')?.assistant_thread as Payload;
    expect(findEvent('message')).toMatchObject({ thread_ts: started.thread_ts, channel_type: 'im' });
  });

  it('the title of a chat changes its first message', async () => {
    const { channel, ts } = ana().startChat();
    const titled = { channel_id: channel, thread_ts: ts, title: 'Posts' };
    await fixture.app.client.assistant.threads.setTitle(titled);
    const assistant_app_thread = { title: 'Posts', title_blocks: [], artifacts: [] };
    await expect
      .poll(() => findEvent('message'))
      .toMatchObject({ subtype: 'message_changed', message: { ts, assistant_app_thread } });
  });

  it('a status disappears after two minutes', async () => {
    const { app, workspace } = fixture;
    const chat = ana().startChat();
    const place = { channel_id: chat.channel, thread_ts: chat.ts };
    const shown = { status: 'is thinking…', loading_messages: ['Hmm…'] };
    await app.client.assistant.threads.setStatus({ ...place, ...shown });
    await chat.sees('tester is thinking…\nHmm…');
    workspace.clock.advance(2 * 60_000);
    await expect.poll(() => chat.read()).not.toContain('thinking');
  });
});

describe('refusals', () => {
  const prompts = [{ title: 'A', message: 'B' }] as const;

  it.each([
    ['invalid_arguments', { loading_messages: [] }],
    ['invalid_arguments', { loading_messages: Array.from({ length: 11 }, () => 'x') }],
    ['invalid_arguments', { loading_messages: ['x'.repeat(51)] }],
    ['invalid_arguments', { loading_messages: [''] }],
  ])('%s: assistant.threads.setStatus with %j', async (error, change) => {
    const { channel, ts } = ana().startChat();
    const call = { channel_id: channel, thread_ts: ts, status: 'x', ...change };
    expect(await catchRefusal(fixture.app.client.assistant.threads.setStatus(call))).toMatchObject({ error });
  });

  it.each([
    ['invalid_arguments', { prompts: Array.from({ length: 5 }, () => prompts[0]) }],
    ['invalid_arguments', { prompts: [{ title: 'A' }] }],
  ])('%s: assistant.threads.setSuggestedPrompts with %j', async (error, change) => {
    const { channel, ts } = ana().startChat();
    const call = { channel_id: channel, thread_ts: ts, ...change };
    const refusal = fixture.app.client.apiCall('assistant.threads.setSuggestedPrompts', call);
    expect(await catchRefusal(refusal)).toMatchObject({ error });
  });

  it('an app without an assistant has no chats', async () => {
    const { workspace } = await openWorkspace();
    expect(() => workspace.as('Ana').startChat()).toThrow('not_agent_app');
  });
});
