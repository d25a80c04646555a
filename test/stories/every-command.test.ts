import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase, type Running, startBot } from '../support/bot.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { type Hands, keyboard, mouse } from '../support/hands.ts';
import { data, hang, invalid, json } from '../support/scripted-service.ts';

/** Every command on the page in a real browser, by mouse and by keyboard alone. */

const PROJECTS = data([
  { Id: 'p1', Name: 'Harbour Coffee' },
  { Id: 'p2', Name: 'Night Market Books' },
]);
const TEXT = 'A long night of short stories';

let browser: TestBrowser;
let database: BotDatabase;
let running: Running;
let page: Page;

beforeAll(async () => {
  [browser, database] = await Promise.all([startBrowser(), openBotDatabase()]);
});
afterAll(async () => {
  await browser.close();
  await database.close();
});
beforeEach(async () => {
  // Reconciled twice before the author is asked.
  running = await startBot({ db: database.db, practice: true, pace: { checkWaitsMs: [20, 40] } });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(running.workspace.url);
  await page.getByText('Connected', { exact: true }).waitFor();
});
afterEach(async () => {
  await page.context().close();
  await running.close();
});

const composer = () => page.getByRole('textbox', { name: /^Message/ });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const field = (form: Locator, name: RegExp) => form.getByRole('textbox', { name });
const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).last();

async function sendMessage(hands: Hands, text: string): Promise<void> {
  await hands.write(composer(), text);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
}

async function fillForm(hands: Hands, when: string): Promise<Locator> {
  const form = dialog('Schedule a post');
  await hands.write(field(form, /^Text/), TEXT);
  await hands.choose(form.getByRole('combobox', { name: /^Platforms/ }), 'Threads');
  await page.keyboard.press('Escape');
  await hands.write(field(form, /^When/), when);
  return form;
}

describe.each([mouse, keyboard])('by %o', (handsOf) => {
  let hands: Hands;
  beforeEach(() => {
    hands = handsOf(page);
  });

  test('projects are listed and chosen for the channel, and the next post is shown', async () => {
    running.service.on('GET /projects', PROJECTS);
    await sendMessage(hands, '/upnext projects');
    await page.getByText('Night Market Books').last().waitFor();
    await sendMessage(hands, '/upnext');
    await hands.choose(page.getByRole('combobox', { name: /project/i }), 'Night Market Books');
    await page.getByText('Nothing is scheduled for Night Market Books.').waitFor();
    await sendMessage(hands, '/upnext use harbour');
    await page.getByText('This channel is now about Harbour Coffee.').waitFor();
  });

  test('help explains the commands, and a typing error is answered with a suggestion', async () => {
    await sendMessage(hands, '/upnext help schedule');
    await page.getByText('/schedule-post').last().waitFor();
    await sendMessage(hands, '/upnext projcts');
    await page.getByText('/upnext projects').last().waitFor();
  });

  test('errors are shown under their fields and corrected, and the post is sent and shared', async () => {
    await sendMessage(hands, '/schedule-post');
    const form = await fillForm(hands, 'some day');
    await hands.press(button(form, 'Schedule'));
    await expect.poll(() => field(form, /^When/).getAttribute('aria-invalid')).toBe('true');
    await hands.write(field(form, /^When/), 'in 2 hours');
    await form.getByText(/\d\d:\d\d \(Lisbon\)/).waitFor();

    // Errors of the service come back under their fields too, and nothing typed is lost.
    running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'Say who it is from.' }));
    await hands.press(button(form, 'Schedule'));
    await form.getByText('Say who it is from.').waitFor();
    expect(await field(form, /^Text/).inputValue()).toBe(TEXT);

    running.service.on('POST /posts', data({ Id: 'made' }));
    await hands.write(field(form, /^Text/), `${TEXT}, says Ana`);
    await hands.press(button(form, 'Schedule'));
    const done = dialog('Scheduled');
    await hands.press(button(done, 'Share with channel'));
    await done.getByText('Shared with').waitFor();
    expect(running.workspace.as('Ben').in('#general').messages().join()).toContain(`${TEXT}, says Ana`);

    await hands.press(button(done, 'Schedule another'));
    const another = dialog('Schedule a post');
    await hands.write(field(another, /^Text/), 'Only a thought');
    await hands.press(another.getByRole('radio', { name: 'Draft' }));
    await hands.press(button(another, 'Save draft'));
    await hands.press(button(dialog('Saved'), 'Close'));
    await dialog('Saved').waitFor({ state: 'hidden' });
    const sent = running.service.created().map(({ Content, Status }) => [Content, Status]);
    expect(sent).toEqual([
      [TEXT, 'SCHEDULED'],
      [`${TEXT}, says Ana`, 'SCHEDULED'],
      ['Only a thought', 'DRAFT'],
    ]);
  });

  test('a post with an unknown outcome is reconciled and not sent again', async () => {
    await sendMessage(hands, '/schedule-post');
    const form = await fillForm(hands, 'in 2 hours');
    running.service.on('POST /posts', json(500, '<h1>Oh</h1>'));
    await hands.press(button(form, 'Schedule'));
    const unsure = dialog('Not sure');
    await unsure.getByText(TEXT).waitFor();
    await hands.press(button(unsure, 'Check again'));
    await unsure.getByText(/Not there \(yet\) as of/).waitFor();
    const [sent] = running.service.created();
    running.service.on('GET /posts', data([{ Id: 'made', ...sent }]));
    await hands.press(button(unsure, 'Check again'));
    await dialog('Scheduled').waitFor();
    expect(running.service.created()).toHaveLength(1);
  });

  test('while the service is down, the post is saved and will be sent', async () => {
    await sendMessage(hands, '/schedule-post');
    const form = await fillForm(hands, 'in 2 hours');
    await running.service.stop();
    await hands.press(button(form, 'Schedule'));
    const waiting = dialog('Waiting');
    await waiting.getByText(TEXT).waitFor();
    await waiting.getByText(/I try again by myself/).waitFor();
    await hands.press(button(waiting, 'Close'));
    await waiting.waitFor({ state: 'hidden' });
    await sendMessage(hands, '/upnext outbox');
    await page.getByText(`“${TEXT}”`).last().waitFor();
  });

  test('the form says while it loads that the service doesn’t answer', async () => {
    running.service.on('GET /projects', hang);
    await sendMessage(hands, '/schedule-post');
    await dialog('New post')
      .getByText(/Loading|slow/)
      .waitFor();
    await hands.press(button(dialog('New post'), 'Cancel'));
    await dialog('New post').waitFor({ state: 'hidden' });
  });
});
