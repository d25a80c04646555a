import { describe, expect, test } from 'vitest';
import { PLATFORM_RULES } from '../../../src/posts/platform-rules/rules.ts';
import { openFilledForm, showMoreOptions } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

describe('the rules of the platforms, while the author types', () => {
  test('the form shows the length, errors and warnings for each platform', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running, { text: 'Grand opening' });
    await form.choose('Platforms', ['X', 'Threads', 'Reddit']);
    expect(form.text()).not.toContain('of 280');
    await form.fill('Text', 'a'.repeat(224));
    await ana.sees('X: 224 of 280');
    expect(form.text()).not.toContain('of 500');
    await ana.sees('Reddit needs a title and a subreddit, which Slack can’t send.');
    await form.fill('Text', 'a'.repeat(300));
    await ana.sees('⛔ X: 20 characters too long. Shorten the text or remove X.');
    expect(form.text()).not.toContain('of 280');
    expect((await form.submit()).errors).toEqual({
      Text: 'X: 20 characters too long. Shorten the text or remove X.',
    });
    expect(running.service.created()).toEqual([]);
    expect(form.text()).toContain('[Schedule]');
    await form.choose('When you submit', 'Save as draft');
    await ana.sees('⚠️ X: 20 characters too long. Shorten the text or remove X.');
    expect(form.text()).toContain('[Save draft]');
    expect((await form.submit()).closed).toBe(true);
  });

  test('missing media blocks a post, and unsuitable media causes a warning', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running);
    await form.choose('Platforms', ['YouTube']);
    await ana.sees('⛔ YouTube needs one video.');
    expect((await form.submit()).errors.Media).toContain('YouTube needs one video.');
    await form.fill('Media', 'https://example.com/a.png');
    await ana.sees('⚠️ YouTube takes exactly one video. This looks like a picture.');
    expect((await form.submit()).closed).toBe(true);
  });

  test('a template can supply the text and media, and its id can be typed', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running, { text: '' });
    await form.choose('Platforms', ['Instagram']);
    await form.fill('Text', ' ');
    expect(Object.keys((await form.submit()).errors).sort()).toEqual(['Media', 'Text']);
    await showMoreOptions(ana, form);
    await form.choose('Template', 'opening-hours');
    await ana.sees('⚠️ Instagram needs media. The template or prompt must add it.');
    expect((await form.submit()).closed).toBe(true);
    expect(running.service.created()).toMatchObject([
      { TemplateId: 'opening-hours', Platforms: ['INSTAGRAM'] },
    ]);
    expect(running.service.created()[0]).not.toHaveProperty('Content');
  });
});

describe('emoji', () => {
  test('several emoji codes, even with a skin tone, are sent as characters', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running, {
      text: 'Open :tada: at 10:30:45 :wave::skin-tone-3:',
    });
    await ana.sees('go out as emoji');
    await form.submit();
    await ana.sees('Open 🎉 at 10:30:45 👋🏼');
    expect(running.service.created()[0]?.Content).toBe('Open 🎉 at 10:30:45 👋🏼');
  });

  test('custom emoji are named and block the post, but text that only looks like an emoji code is sent', async () => {
    await startBot();
    running.workspace.admin.addEmoji('harbour', 'https://example.com/harbour.png');
    const { ana, form } = await openFilledForm(running, { text: 'Open :harbour: and :nonsense:' });
    await ana.sees('Only this workspace has this emoji: :harbour:.');
    expect((await form.submit()).errors.Text).toContain(':harbour:');
    await form.fill('Text', 'Open :nonsense:');
    expect((await form.submit()).closed).toBe(true);
    expect(running.service.created()[0]?.Content).toBe('Open :nonsense:');
  });

  test('custom emoji of a message that becomes a post are named once', async () => {
    await startBot();
    running.workspace.admin.addEmoji('harbour', 'https://example.com/harbour.png');
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type('We *open* :harbour:');
    await ana.shortcut('Schedule this message', 'We ');
    const form = await ana.modal('Schedule a post');
    await form.choose('Platforms', ['X']);
    await ana.sees('Only this workspace has this emoji: :harbour:.');
    expect(form.text().match(/Only this workspace has/g)).toHaveLength(1);
  });

  test('if Upnext may not list custom emoji, text that looks like an emoji code blocks the post', async () => {
    await startBot({ declinedScopes: ['emoji:read'] });
    const { form } = await openFilledForm(running, { text: 'Open :harbour:' });
    expect((await form.submit()).errors.Text).toContain('Only this workspace has this emoji: :harbour:.');
  });
});

const LINKEDIN_LENGTH = PLATFORM_RULES.LINKEDIN.fold?.length ?? 0;
const OPENING = 'We open a new coffee bar at the harbour. '.repeat(4).trim();
const TEXT = `${OPENING} Read more at https://example.com/harbour`;

test('[Preview] in the form shows each feed on top of the form, which keeps its values', async () => {
  await startBot();
  const { ana, form } = await openFilledForm(running, { text: TEXT });
  await form.choose('Platforms', ['X', 'LinkedIn', 'Instagram']);
  await form.press('Preview');
  const preview = (await ana.modal('Preview')).text();
  expect(preview).toContain('Each link counts as 23');
  expect(preview).toContain('Phones show about 125 characters · links aren’t clickable');
  expect(preview.split(OPENING)).toHaveLength(2);
  expect(preview).toMatch(/LinkedIn · \d+ of 3,000/);
  const ends = [...preview.matchAll(/“…(.*)…see more”/g)].map(([, end = '']) => end);
  expect(ends).toHaveLength(2);
  for (const end of ends) {
    const shownText = TEXT.slice(0, TEXT.indexOf(end) + end.length);
    expect(shownText.length).toBeLessThanOrEqual(LINKEDIN_LENGTH);
    // Cut after a whole word.
    expect(TEXT.charAt(shownText.length)).toBe(' ');
  }
  expect(preview).toMatch(/⚠️ Instagram needs/);
  await (await ana.modal('Preview')).close();
  expect(form.value('Text')).toBe(TEXT);
});

test('a form without a text or platform offers no preview', async () => {
  await startBot();
  const { form } = await openFilledForm(running, { text: '' });
  expect(form.text()).not.toContain('[Preview]');
});
