import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Running, startBot } from '../support/bot.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { startBrowser, type TestBrowser } from '../support/browser.ts';
import { createKeyboard, createMouse, type InputMethod } from '../support/input-method.ts';
import { data, hang, invalid, json } from '../support/scripted-service.ts';

/** People use the commands in a real browser, by mouse or only by keyboard. */

const PROJECTS = data([
  { Id: 'p1', Name: 'Harbour Coffee' },
  { Id: 'p2', Name: 'Night Market Books' },
]);
const TEXT = 'A long night of short stories';

let browser: TestBrowser;
let database: BotDatabase;
let startedBot: Running;
let page: Page;

beforeAll(async () => {
  [browser, database] = await Promise.all([startBrowser(), openBotDatabase()]);
});
afterAll(async () => {
  await browser.close();
  await database.close();
});
beforeEach(async () => {
  // The app reconciles a post twice before it asks the author.
  startedBot = await startBot({ db: database.db, isEmulated: true, pace: { reconcileDelaysMs: [20, 40] } });
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(startedBot.workspace.url);
  await page.getByText('Connected to Slack', { exact: true }).waitFor();
});
afterEach(async () => {
  await page.context().close();
  await startedBot.close();
});

const findComposer = () => page.getByRole('textbox', { name: /^Message/ });
const findDialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const findField = (form: Locator, name: RegExp) => form.getByRole('textbox', { name });
const findButton = (within: Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).last();

async function sendMessage(input: InputMethod, text: string): Promise<void> {
  await input.write(findComposer(), text);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
}

async function fillForm(input: InputMethod, when: string): Promise<Locator> {
  const form = findDialog('Schedule a post');
  await input.write(findField(form, /^Text/), TEXT);
  await input.choose(form.getByRole('combobox', { name: /^Platforms/ }), 'Threads');
  await page.keyboard.press('Escape');
  await input.write(findField(form, /^When/), when);
  return form;
}

describe.each([
  ['mouse', createMouse],
  ['keyboard', createKeyboard],
] as const)('by %s', (_name, createInput) => {
  let input: InputMethod;
  beforeEach(() => {
    input = createInput(page);
  });

  test('a person lists the projects, chooses one for the channel, and sees its next post', async () => {
    startedBot.service.on('GET /projects', PROJECTS);
    await sendMessage(input, '/upnext projects');
    await page.getByText('Night Market Books').last().waitFor();
    await sendMessage(input, '/upnext');
    await input.choose(page.getByRole('combobox', { name: /project/i }), 'Night Market Books');
    await page.getByText('Nothing is scheduled for Night Market Books.').waitFor();
    await sendMessage(input, '/upnext use harbour');
    await page.getByText('This channel now follows Harbour Coffee.').waitFor();
  });

  test('help explains the commands, and a mistyped command is answered with a suggestion', async () => {
    await sendMessage(input, '/upnext help schedule');
    await page.getByText('/schedule-post').last().waitFor();
    await sendMessage(input, '/upnext projcts');
    await page.getByText('/upnext projects').last().waitFor();
  });

  test('a person corrects errors under their fields, and then sends and shares the post', async () => {
    await sendMessage(input, '/schedule-post');
    const form = await fillForm(input, 'some day');
    await input.press(findButton(form, 'Schedule'));
    await expect.poll(() => findField(form, /^When/).getAttribute('aria-invalid')).toBe('true');
    await input.write(findField(form, /^When/), 'in 2 hours');
    await form.getByText(/\d\d:\d\d \(Lisbon\)/).waitFor();

    // Errors of the service are also shown under their fields, and the typed text isn't lost.
    startedBot.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'Say who it is from.' }));
    await input.press(findButton(form, 'Schedule'));
    await form.getByText('Say who it is from.').waitFor();
    expect(await findField(form, /^Text/).inputValue()).toBe(TEXT);

    startedBot.service.on('POST /posts', data({ Id: 'made' }));
    await input.write(findField(form, /^Text/), `${TEXT}, says Ana`);
    await input.press(findButton(form, 'Schedule'));
    await form.waitFor({ state: 'hidden' });
    await input.press(page.getByRole('button', { name: 'Share with channel' }).last());
    await page.getByText('Shared with').last().waitFor();
    expect(startedBot.workspace.as('Ben').in('#general').messages().join()).toContain(`${TEXT}, says Ana`);

    await input.press(page.getByRole('button', { name: 'New post' }).last());
    const draftForm = findDialog('Schedule a post');
    await input.write(findField(draftForm, /^Text/), 'Only a thought');
    await input.press(draftForm.getByRole('radio', { name: 'Draft' }));
    await input.press(findButton(draftForm, 'Save draft'));
    await draftForm.waitFor({ state: 'hidden' });
    await page.getByText('Saved as a draft').last().waitFor();
    const sentPosts = startedBot.service.created().map(({ Content, Status }) => [Content, Status]);
    expect(sentPosts).toEqual([
      [TEXT, 'SCHEDULED'],
      [`${TEXT}, says Ana`, 'SCHEDULED'],
      ['Only a thought', 'DRAFT'],
    ]);
  });

  test('a post with an unknown outcome is reconciled and not sent again', async () => {
    await sendMessage(input, '/schedule-post');
    const form = await fillForm(input, 'in 2 hours');
    startedBot.service.on('POST /posts', json(500, '<h1>Oh</h1>'));
    await input.press(findButton(form, 'Schedule'));
    const unsureDialog = findDialog('Not sure');
    await unsureDialog.getByText(TEXT).waitFor();
    await input.press(findButton(unsureDialog, 'Check again'));
    await unsureDialog.getByText(/Not there as of/).waitFor();
    const [sentPost] = startedBot.service.created();
    startedBot.service.on('GET /posts', data([{ Id: 'made', ...sentPost }]));
    await input.press(findButton(unsureDialog, 'Check again'));
    await findDialog('Scheduled').waitFor();
    expect(startedBot.service.created()).toHaveLength(1);
  });

  test('a post that is submitted while the service is down is saved and will be sent', async () => {
    await sendMessage(input, '/schedule-post');
    const form = await fillForm(input, 'in 2 hours');
    await startedBot.service.stop();
    await input.press(findButton(form, 'Schedule'));
    const waitingDialog = findDialog('Waiting');
    await waitingDialog.getByText(TEXT).waitFor();
    await waitingDialog.getByText(/I’ll keep retrying/).waitFor();
    await input.press(findButton(waitingDialog, 'Close'));
    await waitingDialog.waitFor({ state: 'hidden' });
    await sendMessage(input, '/upnext outbox');
    await page.getByText(`“${TEXT}”`).last().waitFor();
  });

  test('while a form loads, the view says so, and can be closed', async () => {
    startedBot.service.on('GET /projects', hang);
    await sendMessage(input, '/schedule-post');
    await findDialog('Loading…')
      .getByText(/Loading|slow/)
      .last()
      .waitFor();
    await input.press(findButton(findDialog('Loading…'), 'Cancel'));
    await findDialog('Loading…').waitFor({ state: 'hidden' });
  });
});
