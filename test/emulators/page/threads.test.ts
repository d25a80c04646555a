import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { composer, focused, openStage, type Stage, tabTo } from './page-driver.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => stage.reset());
afterAll(() => stage.close());

/** What this says of the list of messages, `own`. */
const inList = (page: Page, says: string) =>
  page.evaluate<number>(`(() => { const own = document.querySelector('.messages'); return ${says}; })()`);

test('a message is answered in its thread by the mouse, and the others see how many answered', async () => {
  const [ana, ben] = await Promise.all([stage.open('ana'), stage.open('ben')]);
  const message = (page: typeof ana) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: 'spring menu' });
  await message(ana).hover();
  await message(ana).getByRole('button', { name: 'Reply in a thread' }).click();
  const thread = ana.getByRole('complementary', { name: 'Thread' });
  await thread.getByRole('textbox', { name: 'Reply in the thread' }).fill('Which shelf?');
  await thread.getByRole('button', { name: 'Send' }).click();
  await thread.getByRole('log').getByText('Which shelf?').waitFor();
  expect(await ana.getByRole('main').getByText('Which shelf?').count()).toBe(0);

  await message(ben)
    .getByRole('button', { name: /1 reply/ })
    .click();
  await ben.getByRole('complementary', { name: 'Thread' }).getByText('Which shelf?').waitFor();
  await ben.keyboard.type('The upper one');
  await ben.keyboard.press('Enter');
  await thread.getByText('The upper one').waitFor();
  await message(ana)
    .getByRole('button', { name: /2 replies/ })
    .waitFor();
});

test('a thread is opened, answered and closed by the keyboard, and focus goes back', async () => {
  const page = await stage.open();
  await tabTo(page, 'Reply in a thread', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Reply in the thread');
  await page.keyboard.type('Hello @mir');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Thread' }).getByText('@Mira Vos').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Thread' }).waitFor({ state: 'hidden' });
  await expect.poll(() => focused(page)).toBe('Reply in a thread');
});

test('a command in a thread is refused as Slack refuses it, and stays to be read', async () => {
  const page = await stage.open();
  await tabTo(page, 'Reply in a thread', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Reply in the thread');
  await page.keyboard.type('/upnext help');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByText('/upnext is not supported in threads. Sorry!').waitFor();
  expect(await page.getByLabel('Reply in the thread').inputValue()).toBe('/upnext help');
});

test('older messages come when one scrolls up to them, and what was in sight stays there', async () => {
  const { client } = stage.examples;
  for (let count = 1; count <= 330; count += 1) {
    await client.chat.postMessage({ channel: 'C01GENERAL', text: `Message number ${count}.` });
  }
  const page = await stage.open();
  await page.getByText('Message number 330.').waitFor();
  expect(await page.getByText('Message number 100.').count()).toBe(0);
  // Two frames later all that is in sight has its own height.
  await inList(
    page,
    `new Promise((drawn) => {
      own.scrollTo(0, 500);
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    })`,
  );
  const inSight = `[...own.querySelectorAll('.message')].find((one) => one.getBoundingClientRect().top > 200)`;
  const ts = await inList(page, `${inSight}.dataset.ts`);
  const top = () => inList(page, `own.querySelector('[data-ts="${ts}"]').getBoundingClientRect().top`);
  const before = await top();
  await page.getByText('Message number 100.').waitFor({ state: 'attached' });
  expect(Math.abs((await top()) - before)).toBeLessThan(30);
  // What comes in above pushes the top away again.
  const beginning = page.getByText('This is the very beginning of #general.');
  await expect
    .poll(async () => {
      await inList(page, 'own.scrollTo(0, 0)');
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

test('a permalink leads to its message', async () => {
  const { client, workspace } = stage.examples;
  const channel = 'C02HARBOUR';
  const { ts: message_ts = '' } = await client.chat.postMessage({ channel, text: 'This very one' });
  for (let count = 1; count <= 30; count += 1)
    await client.chat.postMessage({ channel, text: `Later ${count}` });
  const { permalink = '' } = await client.chat.getPermalink({ channel, message_ts });
  const page = await stage.open();
  await page.goto(permalink);
  await page.getByRole('heading', { name: '#harbour-coffee' }).waitFor();
  const row = page.locator('.is-linked');
  expect(await row.innerText()).toContain('This very one');
  const middle = await row.boundingBox();
  expect(middle?.y).toBeGreaterThan(60);
  expect(middle?.y).toBeLessThan(700);
  expect(page.url()).toContain(workspace.url);
  expect(page.url()).not.toContain('message=');
});

test('a channel that is archived can be read, and has no box to write in', async () => {
  const page = await stage.open();
  await page.getByRole('navigation').getByRole('button', { name: 'summer-pop-up' }).click();
  await page.getByText('#summer-pop-up is archived').waitFor();
  expect(await composer(page).count()).toBe(0);
});

test('no page complained in its console', () => {
  expect(stage.complaints).toEqual([]);
});
