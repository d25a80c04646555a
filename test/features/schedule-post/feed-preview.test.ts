import { expect, test } from 'vitest';
import { PLATFORM_RULES } from '../../../src/posts/platform-rules/rules.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

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
