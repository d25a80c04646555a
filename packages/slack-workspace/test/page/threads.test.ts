import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findComposer, focusByTab, readFocus } from './page-driver.ts';
import { openPages } from './page-fixture.ts';

const fixture = await openPages();

/** Evaluates an expression in the page, in which `list` is the list of messages. */
const evaluateInList = (page: Page, expression: string) =>
  page.evaluate<number>(
    `(() => { const list = document.querySelector('.messages'); return ${expression}; })()`,
  );

test('a reply can be sent in a thread with the mouse, and others see the number of replies', async () => {
  const [ana, ben] = await Promise.all([fixture.open('ana'), fixture.open('ben')]);
  const findMessage = (page: typeof ana) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: 'spring menu' });
  await findMessage(ana).hover();
  await findMessage(ana).getByRole('button', { name: 'Reply in a thread' }).click();
  const thread = ana.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('textbox', { name: 'Reply in the thread' }).fill('Which shelf?');
  await thread.getByRole('button', { name: 'Send' }).click();
  await thread.getByRole('log').getByText('Which shelf?').waitFor();
  expect(await ana.getByRole('main').getByText('Which shelf?').count()).toBe(0);

  await findMessage(ben)
    .getByRole('button', { name: /1 reply/ })
    .click();
  await ben.getByRole('complementary', { name: 'Thread' }).getByText('Which shelf?').waitFor();
  await ben.keyboard.type('The upper one');
  await ben.keyboard.press('Enter');
  await thread.getByText('The upper one').waitFor();
  await findMessage(ana)
    .getByRole('button', { name: /2 replies/ })
    .waitFor();
});

test('a thread can be opened, answered and closed with the keyboard, and the focus returns', async () => {
  const page = await fixture.open();
  await focusByTab(page, 'Reply in a thread', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => readFocus(page)).toBe('Reply in the thread');
  await page.keyboard.type('Hello @mir');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Thread' }).getByText('@Mira Vos').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'hidden' });
  await expect.poll(() => readFocus(page)).toBe('Reply in a thread');
});

test('a command in a thread shows Slack’s error, and its text stays in the field', async () => {
  const page = await fixture.open();
  await focusByTab(page, 'Reply in a thread', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => readFocus(page)).toBe('Reply in the thread');
  const reply = page.getByLabel('Reply in the thread');
  await page.keyboard.type('/upnext');
  await expect.poll(() => reply.inputValue()).toBe('/upnext');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.keyboard.type(' help');
  await page.keyboard.press('Enter');
  await page.getByText('/upnext is not supported in threads. Sorry!').waitFor();
  expect(await reply.inputValue()).toBe('/upnext help');
});

test('scrolling up loads older messages, and the visible messages don’t move', async () => {
  const { client } = fixture.examples;
  for (let count = 1; count <= 330; count += 1) {
    await client.chat.postMessage({ channel: 'C01GENERAL', text: `Message number ${count}.` });
  }
  const page = await fixture.open();
  await page.getByText('Message number 330.').waitFor();
  expect(await page.getByText('Message number 100.').count()).toBe(0);
  // After two frames all visible messages have their final height.
  await evaluateInList(
    page,
    `new Promise((drawn) => {
      list.scrollTo(0, 500);
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    })`,
  );
  const firstVisible = `[...list.querySelectorAll('.message')].find((row) => row.getBoundingClientRect().top > 200)`;
  const ts = await evaluateInList(page, `${firstVisible}.dataset.ts`);
  const measureTop = () =>
    evaluateInList(page, `list.querySelector('[data-ts="${ts}"]').getBoundingClientRect().top`);
  const topBefore = await measureTop();
  await page.getByText('Message number 100.').waitFor({ state: 'attached' });
  expect(Math.abs((await measureTop()) - topBefore)).toBeLessThan(30);
  // Loaded messages move the top of the list away, so scrolling is repeated.
  const beginning = page.getByText('This is the very beginning of #general.');
  await expect
    .poll(async () => {
      await evaluateInList(page, 'list.scrollTo(0, 0)');
      return beginning.isVisible();
    })
    .toBe(true);
  await page.getByText('The spring menu is on the shelf').waitFor({ state: 'attached' });
  expect(
    await page
      .getByRole('log')
      .getByText(/^Message number /)
      .count(),
  ).toBe(330);
});

test('a permalink opens the page at its message', async () => {
  const { client, workspace } = fixture.examples;
  const channel = 'C02HARBOUR';
  const { ts: message_ts = '' } = await client.chat.postMessage({ channel, text: 'The linked message' });
  for (let count = 1; count <= 30; count += 1)
    await client.chat.postMessage({ channel, text: `Later ${count}` });
  const { permalink = '' } = await client.chat.getPermalink({ channel, message_ts });
  const page = await fixture.open();
  await page.goto(permalink);
  await page.getByRole('heading', { name: '#harbour-coffee' }).waitFor();
  const row = page.locator('.is-linked');
  expect(await row.innerText()).toContain('The linked message');
  const rowBox = await row.boundingBox();
  expect(rowBox?.y).toBeGreaterThan(60);
  expect(rowBox?.y).toBeLessThan(700);
  expect(page.url()).toContain(workspace.url);
  expect(page.url()).not.toContain('message=');
});

test('an archived channel can be read, and has no composer', async () => {
  const page = await fixture.open();
  await page.getByRole('navigation').getByRole('button', { name: 'summer-pop-up' }).click();
  await page.getByText('#summer-pop-up is archived').waitFor();
  expect(await findComposer(page).count()).toBe(0);
});
