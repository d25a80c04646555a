import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { command, composer, openStage, type Stage } from './page-driver.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

test('typing "/" offers the commands, arrows choose, Enter takes, Escape puts the list away', async () => {
  const page = await stage.open();
  await page.keyboard.type('/');
  const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  expect(await options.count()).toBe(7);
  await page.keyboard.type('s');
  expect(await options.allInnerTexts()).toEqual([
    expect.stringMatching(/^\/schedule-post \[text\]\s+Schedule a post/),
    expect.stringContaining('/slow'),
  ]);
  await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('option', { selected: true }).innerText()).toContain('/slow');
  await page.keyboard.press('Escape');
  expect(await options.count()).toBe(0);
  expect(await composer(page).inputValue()).toBe('/s');
  await page.keyboard.type('c');
  await page.keyboard.press('Enter');
  expect(await composer(page).inputValue()).toBe('/schedule-post ');
  expect(await page.getByText('/schedule-post [text]').isVisible()).toBe(true);
});

test('Enter sends a message, Shift+Enter breaks its line, and the arrow brings it back', async () => {
  const page = await stage.open();
  await page.keyboard.type('*Hello*');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('<b>you</b>');
  await page.keyboard.press('Enter');
  const message = page.getByRole('log').getByRole('listitem').filter({ hasText: 'Hello' });
  await message.waitFor();
  expect(await message.locator('strong').innerText()).toBe('Hello');
  expect(await message.innerText()).toContain('<b>you</b>');
  expect(await composer(page).inputValue()).toBe('');
  await page.keyboard.press('ArrowUp');
  expect(await composer(page).inputValue()).toBe('*Hello*\n<b>you</b>');
});

test('a command’s answer is only visible to the one who typed it', async () => {
  const [ana, ben] = await Promise.all([stage.open('ana'), stage.open('ben')]);
  await command(ana, '/upnext ');
  const answer = ana.getByRole('listitem').filter({ hasText: 'Nothing is scheduled' });
  await answer.waitFor();
  expect(await answer.innerText()).toContain('Only visible to you');
  await command(ana, 'Look here, Ben');
  await ben.getByText('Look here, Ben').waitFor();
  expect(await ben.getByText('Nothing is scheduled').count()).toBe(0);
});

test('a card is drawn with dates in the reader’s zone, and its buttons and menus reach the app', async () => {
  const [ana, ben] = await Promise.all([stage.open('ana'), stage.open('ben')]);
  await command(ana, '/card ');
  const card = (page: typeof ana) =>
    page.getByRole('listitem').filter({ hasText: 'Up next in Harbour Coffee' }).last();
  await card(ana).getByText('Tuesday 1st December at 9:00').waitFor();
  await card(ben)
    .getByText(/Tuesday, December 1st at 4:00.AM/)
    .waitFor();

  await card(ben).getByRole('button', { name: 'Share with channel' }).click();
  await card(ben).getByRole('combobox', { name: 'All platforms' }).click();
  await ben.getByRole('option', { name: 'X' }).click();
  await card(ben).getByRole('button', { name: 'More options' }).press('Enter');
  await ben.keyboard.press('Enter');
  await expect
    .poll(() => stage.examples.actions.map(({ action_id }) => action_id))
    .toEqual(['share', 'platform', 'more']);
  expect(stage.examples.actions.at(-2)).toMatchObject({ selected_option: { value: 'x' } });
  expect(stage.examples.actions.at(-1)).toMatchObject({ selected_option: { value: 'copy' } });
});

test('blocks of every kind are drawn, and nothing in them becomes HTML', async () => {
  const page = await stage.open();
  await command(page, '/blocks ');
  const message = page.getByRole('listitem').filter({ hasText: 'Every block' }).last();
  await message.getByRole('link', { name: 'Play Video' }).waitFor();
  expect(await message.locator('.not-drawn').count()).toBe(0);
  for (const words of ['<b>not html</b>', '<script>alert(1)</script>', '@Ben Okafor', '#general', '@here']) {
    expect(await message.innerText()).toContain(words);
  }
  expect(await message.locator('script, b').count()).toBe(0);
  expect(await message.getByRole('link', { name: 'a link' }).first().getAttribute('href')).toBe(
    'https://example.com/a?b=1&c=2',
  );
  expect(await message.locator('a strong').allInnerTexts()).toEqual(['link']);
  expect(await message.getByRole('img', { name: 'A large cup' }).count()).toBe(1);
  expect(await message.getByRole('heading', { name: 'Every block 🎉' }).count()).toBe(1);
});

test('a command that nobody answers is told as Slack tells it, and the inspector shows it too', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Inspector' }).click();
  await command(page, '/slow ');
  await page.getByText('/slow failed with the error "operation_timeout"').waitFor();
  const record = page.getByRole('complementary', { name: 'Inspector' }).getByRole('listitem').first();
  expect(await record.innerText()).toMatch(/\/slow[\s\S]+slash_commands[\s\S]+too late/);
  await record.getByText('Payload').click();
  expect(await record.innerText()).toContain('"command": "/slow"');
});

test('shortcuts open from the composer and from a message', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('menuitem', { name: /Schedule a post/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule a post' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page
    .getByRole('listitem')
    .filter({ hasText: 'spring menu' })
    .getByRole('button', { name: 'More actions' })
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /Schedule this/ }).press('Enter');
  await dialog.waitFor();
});

test('people are switched, and the address remembers who one is', async () => {
  const page = await stage.open('ana');
  await page.getByRole('button', { name: /Acting as Ana Ferreira, owner, Lisbon/ }).click();
  await page.getByRole('menuitemradio', { name: /Ben Okafor/ }).click();
  await page.getByRole('button', { name: /Acting as Ben Okafor, member, New York/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /Acting as Ben Okafor/ }).waitFor();
});

test('the hint puts a command into the composer, and once dismissed stays away', async () => {
  const page = await stage.open();
  const hint = page.getByRole('region', { name: 'Getting started' });
  await hint.getByRole('button', { name: '/schedule-post' }).click();
  await expect.poll(() => composer(page).inputValue()).toBe('/schedule-post ');
  await hint.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await composer(page).waitFor();
  expect(await hint.count()).toBe(0);
});

test('the hint goes away with the first command', async () => {
  const page = await stage.open();
  const hint = page.getByRole('region', { name: 'Getting started' });
  await hint.waitFor();
  await command(page, '/schedule-post');
  await hint.waitFor({ state: 'hidden' });
});

test('a reload opens the same channel, and Home if Home was open', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'random' }).click();
  await page.getByRole('heading', { name: '#random' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: '#random' }).waitFor();
  await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
  await page.getByRole('tab', { name: 'Home' }).click();
  await page.reload();
  await page.getByRole('region', { name: 'Upnext Home' }).waitFor();
});

test('the app has a Home tab', async () => {
  const page = await stage.open();
  await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
  await page.getByRole('tab', { name: 'Home' }).click();
  await page
    .getByRole('region', { name: 'Upnext Home' })
    .getByRole('heading', { name: 'Every block' })
    .waitFor();
});

test('on a narrow screen the channels are a drawer', async () => {
  const page = await stage.open('ana', { width: 390, height: 780 });
  const random = page.getByRole('button', { name: 'random' });
  expect(await random.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Channels and people' }).click();
  await random.click();
  await page.getByRole('heading', { name: '#random' }).waitFor();
  await random.waitFor({ state: 'hidden' });
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('no page complained in its console', () => {
  expect(stage.complaints).toEqual([]);
});

test('who reads further up stays there when others write, and is at the end after writing', async () => {
  const [ana, ben] = await Promise.all([stage.open('ana', { width: 1280, height: 420 }), stage.open('ben')]);
  for (let line = 0; line < 3; line += 1) await command(ana, '/blocks ');
  await ana.getByRole('listitem').filter({ hasText: 'Every block' }).nth(2).waitFor();
  const list = ana.getByRole('region', { name: /^Messages in/ });
  const fromEnd = () => list.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight);
  await expect.poll(fromEnd).toBeLessThan(2);
  await list.evaluate((node) => node.scrollTo({ top: 0 }));
  await command(ben, 'Good morning');
  await ana.getByRole('button', { name: 'New messages ↓' }).waitFor();
  expect(await fromEnd()).toBeGreaterThan(200);
  await command(ana, 'Good morning to you');
  await ana.getByText('Good morning to you').waitFor();
  await expect.poll(fromEnd).toBeLessThan(2);
  expect(await ana.getByRole('button', { name: 'New messages ↓' }).isVisible()).toBe(false);
});
