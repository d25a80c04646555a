import { expect, test } from 'vitest';
import { findComposer, typeCommand } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

test('"/" lists the commands; arrow keys select one, Enter inserts it, and Escape closes the list', async () => {
  const page = await fixture.open();
  await page.keyboard.type('/');
  const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
  await expect.poll(() => options.count()).toBe(7);
  await page.keyboard.type('s');
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^\/schedule-post \[text\]\s+Schedule a post/),
      expect.stringContaining('/slow'),
    ]);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: '/slow', selected: true }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => options.count()).toBe(0);
  await expect.poll(() => findComposer(page).inputValue()).toBe('/s');
  await page.keyboard.type('c');
  await page.keyboard.press('Enter');
  await expect.poll(() => findComposer(page).inputValue()).toBe('/schedule-post ');
  await page.getByText('/schedule-post [text]').waitFor();
});

test('Enter sends a message, Shift+Enter starts a new line, and the up arrow returns the last message', async () => {
  const page = await fixture.open();
  await page.keyboard.type('*Hello*');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('<b>you</b>');
  await page.keyboard.press('Enter');
  const message = page.getByRole('log').getByRole('listitem').filter({ hasText: 'Hello' });
  await message.waitFor();
  expect(await message.locator('strong').innerText()).toBe('Hello');
  expect(await message.innerText()).toContain('<b>you</b>');
  await expect.poll(() => findComposer(page).inputValue()).toBe('');
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => findComposer(page).inputValue()).toBe('*Hello*\n<b>you</b>');
});

test('the response to a command is visible only to the person who typed it', async () => {
  const [ana, ben] = await Promise.all([fixture.open('ana'), fixture.open('ben')]);
  await typeCommand(ana, '/upnext ');
  const responseRow = ana.getByRole('listitem').filter({ hasText: 'Nothing is scheduled' });
  await responseRow.waitFor();
  expect(await responseRow.innerText()).toContain('Only visible to you');
  await typeCommand(ana, 'Look here, Ben');
  await ben.getByText('Look here, Ben').waitFor();
  expect(await ben.getByText('Nothing is scheduled').count()).toBe(0);
});

test('a message has dates in the reader’s time zone, and its buttons and menus reach the app', async () => {
  const [ana, ben] = await Promise.all([fixture.open('ana'), fixture.open('ben')]);
  await typeCommand(ana, '/card ');
  const findCard = (page: typeof ana) =>
    page.getByRole('listitem').filter({ hasText: 'Up next in Harbour Coffee' }).last();
  await findCard(ana).getByText('Wednesday, 1st December 2032 at 9:00').waitFor();
  await findCard(ben)
    .getByText(/Wednesday, December 1st, 2032 at 4:00.AM/)
    .waitFor();

  await findCard(ben).getByRole('button', { name: 'Share with channel' }).click();
  await findCard(ben).getByRole('combobox', { name: 'All platforms' }).click();
  await ben.getByRole('option', { name: 'X' }).click();
  await findCard(ben).getByRole('button', { name: 'More options' }).press('Enter');
  await ben.keyboard.press('Enter');
  await expect
    .poll(() => fixture.examples.actions.map(({ action_id }) => action_id))
    .toEqual(['share', 'platform', 'more']);
  expect(fixture.examples.actions.at(-2)).toMatchObject({ selected_option: { value: 'x' } });
  expect(fixture.examples.actions.at(-1)).toMatchObject({ selected_option: { value: 'copy' } });
});

test('a command without a response shows Slack’s error, also in the inspector', async () => {
  const page = await fixture.open();
  await page.getByRole('button', { name: 'Inspector' }).click();
  await typeCommand(page, '/slow ');
  await page.getByText('/slow failed with the error "operation_timeout"').waitFor();
  const requestRow = page.getByRole('complementary', { name: 'Inspector' }).getByRole('listitem').first();
  await expect.poll(() => requestRow.innerText()).toMatch(/\/slow[\s\S]+slash_commands[\s\S]+too late/);
  await requestRow.locator('summary').click();
  await expect.poll(() => requestRow.innerText()).toContain('"command": "/slow"');
});

test('shortcuts open from the composer and from a message', async () => {
  const page = await fixture.open();
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

test('a person can switch to another person, and the page’s address contains that person', async () => {
  const page = await fixture.open('ana');
  await page.getByRole('button', { name: /Acting as Ana Ferreira, owner, Lisbon/ }).click();
  await page.getByRole('menuitemradio', { name: /Ben Okafor/ }).click();
  await page.getByRole('button', { name: /Acting as Ben Okafor, member, New York/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: /Acting as Ben Okafor/ }).waitFor();
});

/** Opens the app's conversation, which alone has the hint. */
async function openAppMessages() {
  const page = await fixture.open();
  expect(await page.getByRole('region', { name: 'Getting started' }).count()).toBe(0);
  await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
  return page;
}

test('the hint inserts a command into the findComposer, and stays away once it is dismissed', async () => {
  const page = await openAppMessages();
  const hint = page.getByRole('region', { name: 'Getting started' });
  await hint.getByRole('button', { name: '/schedule-post' }).click();
  await expect.poll(() => findComposer(page).inputValue()).toBe('/schedule-post ');
  await hint.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await page.getByLabel('Message Upnext').waitFor();
  expect(await hint.count()).toBe(0);
});

test('the hint disappears after the first command', async () => {
  const page = await openAppMessages();
  const hint = page.getByRole('region', { name: 'Getting started' });
  await hint.waitFor();
  await typeCommand(page, '/schedule-post');
  await hint.waitFor({ state: 'hidden' });
  await page.getByRole('dialog').waitFor();
});

test('a reload forgets ephemeral messages, and remembers what is unread', async () => {
  const ana = await fixture.open('ana');
  await typeCommand(ana, '/upnext');
  const ephemeral = ana.getByText('Nothing is scheduled');
  await ephemeral.waitFor();
  for (const text of ['Good morning', 'Are you there, <@U01ANAFERR>?'])
    await fixture.examples.client.chat.postMessage({ channel: 'C02HARBOUR', text });
  const other = ana.getByRole('button', { name: /^harbour-coffee/ });
  await expect.poll(() => other.innerText()).toMatch(/new messages:\s+1/);
  await ana.reload();
  await expect.poll(() => other.innerText()).toMatch(/new messages:\s+1/);
  expect(await ephemeral.count()).toBe(0);
});

test('a direct message begins with the name of the other person', async () => {
  const page = await fixture.open();
  await page.getByRole('button', { name: 'Ben Okafor' }).click();
  await page.getByText('This is the very beginning of your conversation with Ben Okafor.').waitFor();
});

test('a reload opens the same channel, or Home if it was open', async () => {
  const page = await fixture.open();
  await page.getByRole('navigation').getByRole('button', { name: 'random' }).click();
  await page.getByRole('heading', { name: '#random' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: '#random' }).waitFor();
  await page.getByRole('navigation').getByRole('button', { name: 'Upnext' }).click();
  await page.getByRole('tab', { name: 'Home' }).click();
  await page.reload();
  await page.getByRole('region', { name: 'Upnext Home' }).waitFor();
});

test('on a narrow screen the channels are in a drawer', async () => {
  const page = await fixture.open('ana', { width: 390, height: 780 });
  const randomButton = page.getByRole('navigation').getByRole('button', { name: 'random' });
  expect(await randomButton.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Channels and people' }).click();
  await randomButton.click();
  await page.getByRole('heading', { name: '#random' }).waitFor();
  await randomButton.waitFor({ state: 'hidden' });
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('new messages don’t move the list of a reader who has scrolled up, but sending a message scrolls to the end', async () => {
  const [ana, ben] = await Promise.all([
    fixture.open('ana', { width: 1280, height: 420 }),
    fixture.open('ben'),
  ]);
  for (let line = 0; line < 3; line += 1) await typeCommand(ana, '/blocks ');
  await ana.getByRole('listitem').filter({ hasText: 'Every block' }).nth(2).waitFor();
  const list = ana.getByRole('region', { name: /^Messages in/ });
  const measureDistanceToEnd = () =>
    list.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight);
  await expect.poll(measureDistanceToEnd).toBeLessThan(2);
  // Until the page hears of the scrolling, the reader counts as reading the end.
  await list.evaluate(
    (node) =>
      new Promise((resolve) => {
        node.addEventListener('scroll', resolve, { once: true });
        node.scrollTo({ top: 0 });
      }),
  );
  await typeCommand(ben, 'Good morning');
  const newMessages = ana.getByRole('button', { name: 'New messages ↓' });
  await newMessages.waitFor();
  expect(await measureDistanceToEnd()).toBeGreaterThan(200);
  await typeCommand(ana, 'Good morning to you');
  await ana.getByText('Good morning to you').waitFor();
  await expect.poll(measureDistanceToEnd).toBeLessThan(2);
  await newMessages.waitFor({ state: 'hidden' });
});

test('a message shows its reactions, and a press adds or removes the reader’s own', async () => {
  const ben = await fixture.open('ben');
  const ana = await fixture.open('ana');
  const message = ana.locator('.message').filter({ hasText: 'Good morning!' });
  await message.hover();
  await message.getByRole('button', { name: 'Add a reaction' }).click();
  await message.getByRole('menuitem', { name: 'raised hands' }).click();
  const ownReaction = message.locator('.reactions').getByRole('button', { name: 'raised hands 1' });
  await expect.poll(() => ownReaction.getAttribute('aria-pressed')).toBe('true');
  expect(await ownReaction.getAttribute('title')).toBe('Ana Ferreira reacted with :raised_hands:');
  const bensView = ben.locator('.message').filter({ hasText: 'Good morning!' }).locator('.reactions');
  await bensView.getByRole('button', { name: 'raised hands 1', pressed: false }).click();
  await message.getByRole('button', { name: 'raised hands 2' }).click();
  await bensView.getByRole('button', { name: 'raised hands 1', pressed: true }).click();
  await bensView.waitFor({ state: 'detached' });
});

test('a group direct message is in the sidebar by the names of its people', async () => {
  const ana = await fixture.open();
  const { client } = fixture.examples;
  const { channel } = await client.conversations.open({ users: 'U01ANAFERR,U02BENOKAF' });
  const id = channel?.id ?? '';
  const attachments = [
    { color: '#2eb67d', title: 'Build 7', title_link: 'https://example.com/7', text: 'Passed' },
  ];
  await client.chat.postMessage({ channel: id, text: 'For two', attachments });
  await ana.getByRole('button', { name: 'Ben Okafor, Upnext' }).click();
  await ana.getByText('For two').waitFor();
  expect(await ana.getByRole('link', { name: 'Build 7' }).getAttribute('href')).toBe('https://example.com/7');
  expect(await findComposer(ana).getAttribute('placeholder')).toContain('Ben Okafor, Upnext');
});
