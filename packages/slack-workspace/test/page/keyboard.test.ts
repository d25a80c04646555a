import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SMALL_PNG } from '../support/small-png.ts';
import { findComposer, focusByTab, readFocus, typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

const createSelection = (value: string) => ({ selected_option: { value } });

/** Types part of a command, and completes it with Tab. */
async function openForm(typed: string): Promise<Page> {
  const page = await fixture.open();
  await page.keyboard.type(typed);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  return page;
}

test('a form with every element can be filled in and sent', async () => {
  const page = await openForm('/ex');
  const { keyboard } = page;
  // Registered early, because the browser needs time before tests can choose files.
  const fileChooser = page.waitForEvent('filechooser', { timeout: 100_000 });
  // Types the texts into the field. A text that begins with ⏎ is the name of a key to press.
  const fillField = async (label: string, ...keys: string[]) => {
    await focusByTab(page, label);
    for (const key of keys) await (key.startsWith('⏎') ? keyboard.press(key.slice(1)) : keyboard.type(key));
  };
  const ENTER = '⏎Enter';
  await fillField('Single line', '⏎ControlOrMeta+A', 'written anew');
  await fillField('Required', 'here');
  await fillField('Email', 'a@b.co');
  await fillField('Address', 'https://example.com');
  await fillField('Number', '7');
  await fillField('Drink', 'lem', ENTER);
  await fillField('Platforms', 'linked', ENTER, 'x', ENTER, '⏎Escape', '⏎Backspace');
  await fillField('Place', 'lim');
  await page.getByRole('option', { name: 'Limassol' }).waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await fillField('Person', 'mira', ENTER);
  await fillField('Channel', 'night', ENTER);
  await focusByTab(page, 'MilkFrom oats');
  await keyboard.press('Space');
  await focusByTab(page, 'Small');
  await keyboard.press('Space');
  await keyboard.press('ArrowDown');
  await fillField('Day', '12242026');
  await fillField('Time', '0930AM');
  await fillField('Moment', '12242026', '⏎Tab', '1000AM');
  await fillField('Notes', 'all of it', ENTER, 'twice');
  await focusByTab(page, 'Pictures');
  await keyboard.press('Enter');
  await (await fileChooser).setFiles({ name: 'cup.png', mimeType: 'image/png', buffer: SMALL_PNG });
  await page.getByRole('button', { name: 'Remove cup.png' }).waitFor();
  await focusByTab(page, 'Send');
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const notes = { elements: [{ elements: [{ type: 'text', text: 'all of it\ntwice' }] }] };
  expect(fixture.examples.submitted.at(-1)).toMatchObject({
    'single-line': { field: { value: 'written anew' } },
    required: { field: { value: 'here' } },
    email: { field: { value: 'a@b.co' } },
    address: { field: { value: 'https://example.com' } },
    number: { field: { value: '7' } },
    drink: { field: createSelection('Lemonade') },
    platforms: { field: { selected_options: [{ value: 'LinkedIn' }] } },
    place: { place: createSelection('Limassol') },
    person: { field: { selected_user: 'U03MIRAVOS' } },
    channel: { field: { selected_conversation: 'C03NIGHTMK' } },
    extras: { field: { selected_options: [{ value: 'Milk' }] } },
    size: { field: createSelection('Large') },
    day: { field: { selected_date: '2026-12-24' } },
    time: { field: { selected_time: '09:30' } },
    moment: { field: { selected_date_time: expect.any(Number) } },
    notes: { field: { rich_text_value: notes } },
    pictures: { field: { files: [{ name: 'cup.png', mimetype: 'image/png', size: SMALL_PNG.length }] } },
  });
});

test('a person can switch to another person', async () => {
  const page = await fixture.open('ana');
  await focusByTab(page, 'Acting as Ana Ferreira, owner, Lisbon. Switch person', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /Acting as Ben Okafor/ }).waitFor();
  await expect.poll(() => readFocus(page)).toBe('Message #general');
});

test('the inspector can be opened, read and closed', async () => {
  const page = await fixture.open();
  await page.keyboard.type('/card ');
  await page.keyboard.press('Enter');
  await page.getByText('Up next in Harbour Coffee').waitFor();
  await focusByTab(page, 'Inspector', 'Shift+Tab');
  await page.keyboard.press('Enter');
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await focusByTab(page, 'Filter by method, event or text');
  await page.keyboard.type('slash_commands');
  const entry = inspector.getByRole('listitem');
  await expect.poll(() => entry.count()).toBe(1);
  const summary = await entry.locator('summary').evaluate((element) => element.textContent?.trim());
  await focusByTab(page, summary ?? '');
  await page.keyboard.press('Enter');
  await entry.getByText('"command": "/card"').waitFor();
  await focusByTab(page, 'Close the inspector', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await inspector.waitFor({ state: 'hidden' });
  await expect.poll(() => readFocus(page)).toBe('Inspector');
});

describe('a mention', () => {
  test('a mention is completed while it is typed, and the mentioned person sees it', async () => {
    const [ana, ben] = await Promise.all([fixture.open('ana'), fixture.open('ben')]);
    await ana.keyboard.type('Ask @b');
    const people = ana.getByRole('listbox', { name: 'People' }).getByRole('option');
    await expect.poll(() => people.allInnerTexts()).toEqual([expect.stringMatching(/^Ben Okafor @ben/)]);
    await ana.keyboard.press('Enter');
    await expect.poll(() => findComposer(ana).inputValue()).toBe('Ask @ben ');
    await ana.keyboard.type('and @up');
    await ana.keyboard.press('Tab');
    await ana.keyboard.press('Enter');
    await ben.locator('.mention-me', { hasText: '@Ben Okafor' }).waitFor();
    await ben.locator('.mention', { hasText: '@Upnext' }).waitFor();
  });

  test('a mention can be inserted in the middle of a text', async () => {
    const page = await fixture.open();
    await page.keyboard.type('Ask about it');
    for (let step = 0; step < 9; step += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(' @mira');
    await page.keyboard.press('Enter');
    await page.keyboard.type('now ');
    await expect.poll(() => findComposer(page).inputValue()).toBe('Ask @mira now about it');
  });

  test('Escape closes the list of people, and Enter sends the text as typed', async () => {
    const page = await fixture.open();
    await page.keyboard.type('@b');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('@b', { exact: true }).waitFor();
  });
});

test('text typed just before a form is submitted is sent only with the form', async () => {
  const page = await fixture.open();
  await page.clock.install();
  await typeCommand(page, '/examples ');
  await page.getByRole('dialog').waitFor();
  // The pause in typing ends only when the clock advances.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByLabel('Sent at each letter').fill('a');
  await page.keyboard.press('Enter');
  await page.getByText('Please complete this required field.').first().waitFor();
  await page.clock.runFor(2_000);
  await page.getByRole('button', { name: 'Open another' }).click();
  await expect.poll(() => fixture.examples.actions.map(({ action_id }) => action_id)).toEqual(['push']);
});
