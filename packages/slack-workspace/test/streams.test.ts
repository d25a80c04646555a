import { beforeEach, describe, expect, it } from 'vitest';
import { ASSISTANT_MANIFEST } from './support/assistant.ts';
import { expectError, openBolt } from './support/fixtures.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

const channel = 'C01GENERAL';
let fixture: BoltFixture;
let recipient: { recipient_user_id: string; recipient_team_id: string };
let thread_ts: string;
beforeEach(async () => {
  fixture = await openBolt({ manifest: ASSISTANT_MANIFEST });
  recipient = { recipient_user_id: 'U01ANAFERR', recipient_team_id: fixture.workspace.team.id };
  thread_ts = (await fixture.app.client.chat.postMessage({ channel, text: 'Question' })).ts ?? '';
});

const client = () => fixture.app.client;
const read = (name: string) => fixture.workspace.as(name).in('#general').read();

describe('a streamed message', () => {
  it('the recipient sees it grow, and others see its first content until it is complete', async () => {
    const place = { channel, thread_ts };
    const { ts = '' } = await client().chat.startStream({ ...place, ...recipient, markdown_text: 'One, ' });
    await client().chat.appendStream({ channel, ts, markdown_text: 'two' });
    expect(read('Ana')).toContain('One, two');
    expect(read('Ben')).toContain('One, ');
    expect(read('Ben')).not.toContain('two');
    const { message } = await client().chat.stopStream({ channel, ts, markdown_text: ', three' });
    expect(read('Ben')).toContain('One, two, three');
    expect(message).toMatchObject({ ts, thread_ts, text: 'One, two, three', streaming_state: 'completed' });
  });

  it('the SDK’s streamer writes into a chat', async () => {
    const chat = fixture.workspace.as('Ana').startChat();
    const streamer = client().chatStream({ channel: chat.channel, thread_ts: chat.ts });
    await streamer.append({ markdown_text: 'Hello ' });
    await streamer.append({ chunks: [{ type: 'markdown_text', text: 'there' }] });
    await chat.sees('Hello there');
    const side = (text: string) => ({ text: { type: 'plain_text' as const, text }, value: text });
    const element = {
      type: 'feedback_buttons' as const,
      positive_button: side('Good'),
      negative_button: side('Bad'),
    };
    await streamer.stop({ blocks: [{ type: 'context_actions', elements: [element] }] });
    await chat.sees('Hello there\n[Good] [Bad]');
  });

  const task = { type: 'task_update' as const, id: '1', title: 'Reading', status: 'in_progress' as const };

  it('tasks stand between the texts, and change in their place', async () => {
    const start = { channel, thread_ts, ...recipient, markdown_text: 'First. ' };
    const { ts = '' } = await client().chat.startStream(start);
    await client().chat.appendStream({ channel, ts, chunks: [{ ...task, details: 'Posts' }] });
    await client().chat.appendStream({ channel, ts, markdown_text: 'Then.' });
    const sources = [{ type: 'url' as const, url: 'https://example.com', text: 'Source' }];
    const done = { ...task, status: 'complete' as const, details: ' of May', output: '12', sources };
    await client().chat.stopStream({ channel, ts, chunks: [done, { type: 'plan_update', title: 'Unused' }] });
    expect(read('Ben')).toContain('First. \nReading (complete)\nPosts of May\n12\nSource\nThen.');
  });

  it('a plan has the tasks, under the title of the first until it gets its own', async () => {
    const start = { channel, thread_ts, ...recipient, task_display_mode: 'plan', chunks: [task] };
    const { ts = '' } = await client().chat.startStream(start);
    expect(read('Ben')).toContain('Reading\nReading (in_progress)');
    const second = { ...task, id: '2', title: 'Writing' };
    const chunks = [second, { type: 'plan_update' as const, title: 'The digest' }];
    await client().chat.stopStream({ channel, ts, chunks, markdown_text: 'Done' });
    expect(read('Ben')).toContain('The digest\nReading (in_progress)\nWriting (in_progress)');
  });

  it('a stream removes the status of its thread', async () => {
    await client().assistant.threads.setStatus({ channel_id: channel, thread_ts, status: 'is thinking…' });
    expect(read('Ana')).toContain('tester is thinking…');
    await client().chat.startStream({ channel, thread_ts, ...recipient, markdown_text: 'So:' });
    expect(read('Ana')).not.toContain('thinking');
  });
});

describe('refusals of chat.startStream', () => {
  it.each([
    ['invalid_thread_ts', { thread_ts: 'yesterday' }],
    ['invalid_arguments', { task_display_mode: 'list' }],
    ['invalid_chunks', { chunks: 'oops' }],
    ['invalid_chunks', { chunks: [{ type: 'task_update', id: '1', title: 'x' }] }],
    ['invalid_chunks', { chunks: [{ type: 'image' }] }],
  ])('%s: %j', async (error, change) => {
    const call = client().apiCall('chat.startStream', { channel, thread_ts, ...recipient, ...change });
    await expectError(call, error);
  });
});
