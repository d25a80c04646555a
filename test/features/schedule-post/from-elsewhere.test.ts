import { describe, expect, test } from 'vitest';
import { renderPostCard } from '../../../src/posts/post-card.ts';
import { NOW } from '../../support/bot.ts';
import { expectParts, expectValues, fillIn, NOTE_BELOW, submitWith } from '../../support/form-steps.ts';
import { data } from '../../support/scripted-service.ts';
import { failSlack, setUpBot } from '../../support/set-up-bot.ts';
import { ask, pressForForm } from '../../support/steps.ts';

const { ana, running, startBot } = setUpBot({});

describe('a shortcut', () => {
  /** Sends a message of another app, so not through the client whose messages are checked. */
  function postAsOtherApp(message: Record<string, string>) {
    const { apiUrl, botToken } = running.workspace;
    return fetch(new URL('chat.postMessage', apiUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}` },
      body: new URLSearchParams({ channel: '#general', ...message }),
    });
  }

  test('the global shortcut opens an empty form, and that of a message one with its text as people see it', async () => {
    const ana = running.workspace.as('Ana').in('#general');
    await ana.shortcut('Schedule a post');
    const empty = await ana.modal('Schedule a post');
    expect(empty.value('Text')).toBe('');
    await empty.close();
    await ana.type('Grand opening with @Ben in #random, see https://example.com or harbour.com 🎉');
    await ana.shortcut('Schedule this message', 'Grand opening');
    const form = await ana.modal('Schedule a post');
    const text = 'Grand opening with @Ben Okafor in #random, see https://example.com or harbour.com 🎉';
    expect(form.value('Text')).toBe(text);
    expect(form.text()).toContain('become plain names');
    expect(form.text()).not.toContain('becomes http');
    expect((await submitWith(form, { Platforms: ['X'], When: '1 Dec 9am' })).closed).toBe(true);
    expect(running.service.created()[0]?.Content).toBe(text);
  });

  test('a user group that a message mentions has its handle in the form', async () => {
    const group = running.workspace.admin.addGroup('@baristas', ['Ben']);
    await postAsOtherApp({ text: `Grand opening with <!subteam^${group}>` });
    const ana = running.workspace.as('Ana').in('#general');
    await ana.shortcut('Schedule this message', 'Grand opening');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toBe('Grand opening with @baristas');
    expect(form.text()).toContain('Mentions become plain names: @baristas.');
  });

  test('the card of a post fills in the text of the post', async () => {
    const card = renderPostCard({
      ...{ title: 'Scheduled', project: 'Harbour Coffee', viewers: 'everyone', now: NOW },
      post: { content: 'Grand opening\n& cake', platforms: ['X'], status: 'SCHEDULED' },
    });
    await postAsOtherApp({ text: card.text, blocks: JSON.stringify(card.blocks) });
    const ana = running.workspace.as('Ana').in('#general');
    await ana.shortcut('Schedule this message', 'Grand opening');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toBe('Grand opening\n& cake');
    expect(form.text()).toContain('I took only the main text of this post.');
  });

  test('another word stands for a name that Slack does not return, and the form says so', async () => {
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('Grand opening in #random');
    failSlack(running, { method: 'conversations.info', fault: 'error', error: 'fatal_error' });
    await ana.shortcut('Schedule this message', 'Grand opening');
    const form = await ana.modal('Schedule a post');
    expect(form.value('Text')).toBe('Grand opening in #channel');
    expect(form.text()).toContain('Where I couldn’t read a name, the text says #channel.');
  });
});

const createPost = (status: string, changes: object = {}) => ({
  Id: 'd1',
  Content: 'Doors open',
  Media: 'https://example.com/a.png',
  ScheduleDate: '2026-12-01T09:00:00+00:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X', 'MYSPACE'],
  Status: status,
  TemplateId: 't1',
  ...changes,
});

describe('a copy of a post', () => {
  async function listPost(status: string, changes: object = {}) {
    await startBot();
    running.service.on('GET /posts', data([createPost(status, changes)]));
    await ask(ana, '/upnext posts all', 'Doors open');
    return ana;
  }

  async function duplicatePost(ana: Awaited<ReturnType<typeof listPost>>) {
    await (await pressForForm(ana, 'Open', 'Post')).press('Duplicate');
  }

  test('a copy of a scheduled post has everything except the time, and its form says that the original stays', async () => {
    const ana = await listPost('SCHEDULED');
    await duplicatePost(ana);
    const form = await ana.modal('Schedule a post');
    expect(['Text', 'Platforms', 'When', 'Media', 'Template'].map((label) => form.value(label))).toEqual([
      'Doors open',
      'X',
      '',
      'https://example.com/a.png',
      't1',
    ]);
    expect(form.value('Time zone')).toContain('Berlin');
    expectParts(form.text(), 'The original stays', 'I left out a platform I don’t know.');
  });

  const createLongText = (length: number) =>
    `${'Doors open. '.repeat(40)}${'Doors open, שלום 🧑‍🔧 '.repeat(2_000)}`.slice(0, length).trim();

  test('a copy of 40,000 characters isn’t sent before its rest was left out, and the rest can be copied', async () => {
    const fullText = createLongText(40_000);
    const ana = await listPost('SCHEDULED', { Content: fullText });
    await duplicatePost(ana);
    const form = await ana.modal('Schedule a post');
    await fillIn(form, { Platforms: ['Reddit'], When: '2 Dec 9am' });
    const texts = ['Text', 'Text, part 2', 'Text, part 3'].map((label) => form.value(label));
    const text = texts.join('');
    expect(fullText.startsWith(text)).toBe(true);
    const rest = fullText.slice(text.length);
    const problem = `The form takes 9,000 characters, and ${rest.length.toLocaleString('en-US')} more don’t fit.`;
    expect((await form.submit()).errors).toEqual({ 'Text, part 3': NOTE_BELOW });
    expect(form.text()).toContain(problem);
    await form.press('Show the rest');
    const view = await ana.modal('Rest of the text');
    expect(view.text().replace(/\s/g, '')).toContain(rest.replace(/\s/g, ''));
    await view.close();
    await form.press('Leave it out');
    await expect.poll(() => form.text()).not.toContain(problem);
    expect((await form.submit()).errors).toEqual({});
    await ana.sees('Scheduled ·');
    expect(running.service.created()[0]?.Content).toBe(text);
  });

  test('another time zone that is chosen for a copy of a draft counts', async () => {
    const ana = await listPost('DRAFT');
    await duplicatePost(ana);
    const form = await ana.modal('Schedule a post');
    await form.choose('Time zone', (await form.search('Time zone', 'Lisbon'))[0] ?? '');
    await ana.sees('Tue 1 Dec, 10:00 (Lisbon)');
    await form.submit();
    await ana.sees('Scheduled ·');
    expect(running.service.created()).toMatchObject([{ ScheduleDate: '2026-12-01T10:00:00+00:00' }]);
  });

  test('a copy of a draft has the draft’s time if that time is in the future', async () => {
    const ana = await listPost('DRAFT');
    await duplicatePost(ana);
    const form = await ana.modal('Schedule a post');
    expectValues(form, { When: 'Tue 1 Dec, 10:00' });
    expect(form.value('Time zone')).toContain('Berlin');
    expect(form.text()).toContain('The draft stays.');
    expect((await form.submit()).errors).toEqual({});
    await ana.sees('Scheduled ·');
    expect(running.service.created()).toMatchObject([{ Content: 'Doors open', Status: 'SCHEDULED' }]);
    await ask(ana, '/upnext drafts', 'scheduled as');
  });
});
