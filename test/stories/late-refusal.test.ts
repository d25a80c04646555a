import { openSharedBrowser, type TestBrowser } from 'slack-workspace-emulator/test-support/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, startBot } from '../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { data, invalid, json, later } from '../support/scripted-service.ts';
import { FAST_RETRIES } from '../support/set-up-bot.ts';

/**
 * The service refuses a post long after the app acknowledged the form. Runs in a real browser, and waits for the service as
 * long as usual.
 */

const TEXT = 'A *long* night of short stories <!channel> & more';

let browser: TestBrowser;
let database: BotDatabase;
let startedBot: Running;

beforeAll(async () => {
  [browser, database] = await Promise.all([openSharedBrowser(), openBotDatabase()]);
  startedBot = await startBot({
    db: database.db,
    pace: { ...FAST_RETRIES, acknowledgementTimeoutMs: 1_800, afterAcknowledgementMs: 500 },
  });
});
afterAll(async () => {
  await startedBot.close();
  await browser.close();
  await database.close();
});

/** Opens the form on the page, and fills it. */
async function fillForm(platform: string, when: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(startedBot.workspace.url);
  await page.getByText('Connected to Slack', { exact: true }).waitFor();
  const composer = page.getByRole('textbox', { name: /^Message/ });
  await composer.fill('/schedule-post');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Schedule a post', exact: true });
  await form.getByRole('textbox', { name: /^Text/ }).fill(TEXT);
  await form.getByRole('combobox', { name: /^Platforms/ }).click();
  await page.getByRole('option', { name: platform, exact: true }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('textbox', { name: /^When/ }).fill(when);
  return { page, form };
}

test('after a late refusal the form still has the typed text, and shows each error under its field', async () => {
  const { page, form } = await fillForm('Threads', '1 Dec 9am');
  await form.getByRole('button', { name: 'More options' }).click();
  await form.getByRole('textbox', { name: /^Media/ }).fill('https://example.com/night.jpg');

  const problems = [
    { loc: ['body', 'Content'], msg: 'is too loud' },
    { loc: ['body', 'Media'], msg: 'is too dark' },
    { loc: ['body', 'Mood'], msg: 'is missing' },
  ];
  startedBot.service.on('POST /posts', later(2_600, invalid(...problems)));
  await form.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('dialog', { name: 'Sending…' }).waitFor();
  await form.waitFor();

  expect(await form.getByRole('textbox', { name: /^Text/ }).inputValue()).toBe(TEXT);
  expect(await form.getByRole('textbox', { name: /^When/ }).inputValue()).toBe('1 Dec 9am');
  expect(await form.getByRole('textbox', { name: /^Media/ }).inputValue()).toBe(
    'https://example.com/night.jpg',
  );
  expect(await form.innerText()).toContain('Threads');
  const formText = (await form.innerText()).replaceAll(/\s+/g, ' ');
  expect(formText.indexOf('Mood: is missing')).toBeGreaterThan(-1);
  expect(formText.indexOf('Mood: is missing')).toBeLessThan(formText.indexOf('is too loud'));
  expect(formText.indexOf('is too loud')).toBeLessThan(formText.indexOf('Platforms'));
  expect(formText.indexOf('is too dark')).toBeGreaterThan(formText.indexOf('When'));

  startedBot.service.on('POST /posts', data({ Id: 'made' }));
  await form.getByRole('textbox', { name: /^Text/ }).fill('A quiet night');
  await form.getByRole('button', { name: 'Schedule', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText(/Scheduled for .*09:00/).waitFor();
  expect(startedBot.service.created().map(({ Content }) => Content)).toEqual([TEXT, 'A quiet night']);
  await page.context().close();
});

test('if the service refuses a post at the second attempt, the open view shows the form again', async () => {
  const { page, form } = await fillForm('Facebook', '2 Dec 9am');

  startedBot.service.on('POST /posts', json(429, {}));
  await form.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByRole('dialog', { name: 'Waiting' }).waitFor();
  startedBot.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await form.waitFor();

  expect(await form.getByRole('textbox', { name: /^Text/ }).inputValue()).toBe(TEXT);
  expect(await form.getByRole('textbox', { name: /^When/ }).inputValue()).toBe('2 Dec 9am');
  const formText = (await form.innerText()).replaceAll(/\s+/g, ' ');
  expect(formText).toContain('Facebook');
  expect(formText.indexOf('is too loud')).toBeGreaterThan(-1);
  expect(formText.indexOf('is too loud')).toBeLessThan(formText.indexOf('Platforms'));
  await page.context().close();
});
