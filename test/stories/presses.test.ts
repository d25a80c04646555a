import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openChannel, openPracticePage, type PracticePage, sendLine } from '../support/practice-page.ts';

/**
 * Counts the presses that common tasks take on the page, besides typing. A press is a click, a key that closes a menu,
 * or Enter after a command. Tab from one text field to the next belongs to typing.
 */

let practice: PracticePage;
let page: Page;
let presses: number;

beforeAll(async () => {
  practice = await openPracticePage();
  page = await practice.openPage('ana', { viewport: { width: 1280, height: 1200 } });
  await sendLine(page, '/upnext use Harbour Coffee');
  await page.getByText('This channel now follows').waitFor();
  // From then on the form offers the platforms of the last post.
  await schedulePost('Good morning', 'tomorrow 7am');
  await page.getByText(/Scheduled for Mon 23 Nov, 07:00/).waitFor();
}, 240_000);
afterAll(() => practice?.close());
beforeEach(() => {
  presses = 0;
});

async function press(target: Locator): Promise<void> {
  await target.click();
  presses += 1;
}

async function sendCommand(line: string): Promise<void> {
  await sendLine(page, line);
  presses += 1;
}

/** Types into a field. Presses it first, unless it has the focus or follows the focused field. */
async function typeInto(field: Locator, text: string): Promise<void> {
  await field.waitFor();
  if (!(await hasFocus(field))) await page.keyboard.press('Tab');
  if (!(await hasFocus(field))) await press(field);
  await field.fill(text);
}

const hasFocus = async (field: Locator) => (await field.and(page.locator(':focus')).count()) > 0;

async function choosePlatform(form: Locator, name: string): Promise<void> {
  await press(form.getByRole('combobox', { name: /^Platforms/ }));
  await press(page.getByRole('option', { name }));
  await page.keyboard.press('Escape');
  presses += 1;
}

async function openForm(): Promise<Locator> {
  await sendCommand('/schedule-post');
  const form = page.getByRole('dialog', { name: 'Schedule a post' });
  // The form shows the channel's project when the service has answered.
  await page.waitForFunction(
    `[...document.querySelectorAll('.modal input')].some(({ value }) => value === 'Harbour Coffee')`,
  );
  return form;
}

/** Waits until the form has closed without a press. The page may show the message with the result first. */
const waitForNoDialog = () => page.getByRole('dialog').waitFor({ state: 'hidden', timeout: 5_000 });

async function schedulePost(text: string, when: string): Promise<void> {
  const form = await openForm();
  await typeInto(form.getByRole('textbox', { name: /^Text/ }), text);
  if ((await form.getByRole('button', { name: /^Remove / }).count()) === 0)
    await choosePlatform(form, 'LinkedIn');
  await typeInto(form.getByRole('textbox', { name: /^When/ }), when);
  await press(form.getByRole('button', { name: 'Schedule', exact: true }));
}

test('a post in a channel that follows a project takes at most four presses', async () => {
  await schedulePost('Open late on Friday', 'fri 10am');
  await page.getByText(/Scheduled for Fri 27 Nov, 10:00/).waitFor();
  await waitForNoDialog();
  expect(presses).toBeLessThanOrEqual(4);
}, 120_000);

test('a rejected post is fixed with at most three presses', async () => {
  const { faults } = practice.service;
  const operation = 'createPost';
  await faults.set({ rules: [{ operation, fault: 'status', status: 429, retryAfter: 3 }] });
  await schedulePost('Too loud', 'fri 11am');
  const waitingDialog = page.getByRole('dialog', { name: 'Waiting' });
  await waitingDialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  const detail = [{ loc: ['body', 'Content'], msg: 'is too loud' }];
  await faults.set({ rules: [{ operation, fault: 'status', status: 422, detail }] });
  const workspace = page.getByRole('navigation', { name: 'Workspace' });
  await workspace.getByRole('button', { name: /^Upnext/ }).click();
  const fix = page.getByRole('button', { name: 'Fix and send again' });
  await fix.waitFor({ timeout: 60_000 });
  await faults.clear();

  presses = 0;
  await press(fix);
  const form = page.getByRole('dialog', { name: 'Schedule a post' });
  await typeInto(form.getByRole('textbox', { name: /^Text/ }), 'A quiet word');
  await press(form.getByRole('button', { name: 'Schedule', exact: true }));
  // The message with the button shows the result.
  await page.getByText(/Scheduled for Fri 27 Nov, 11:00/).waitFor();
  await waitForNoDialog();
  expect(presses).toBeLessThanOrEqual(2);
  await openChannel(page);
}, 180_000);

test('a template is filled in and scheduled with at most four presses', async () => {
  await sendCommand('/upnext templates event');
  await press(page.getByRole('button', { name: 'Use Event in a post' }));
  const form = page.getByRole('dialog', { name: 'Schedule a post' });
  // The first placeholder has the focus.
  for (const [label, value] of Object.entries({ Event: 'Jazz', Day: 'Friday', Time: '8 pm' }))
    await typeInto(form.getByRole('textbox', { name: label, exact: true }), value);
  await typeInto(form.getByRole('textbox', { name: /^When/ }), '1 Dec 9am');
  await press(form.getByRole('button', { name: 'Schedule', exact: true }));
  await page.getByText(/Scheduled for Tue 1 Dec, 09:00/).waitFor();
  expect(presses).toBeLessThanOrEqual(4);
}, 120_000);

/** Invites a colleague, whose details come from Slack. Chooses the role, unless one is preselected. */
async function inviteColleague(name: string, role?: string): Promise<void> {
  await sendCommand('/invite-user');
  const form = page.getByRole('dialog', { name: 'Invite to service' });
  // The people picker has the focus.
  const picker = form.getByRole('combobox', { name: /^Somebody in Slack/ });
  await typeInto(picker, name);
  await press(page.getByRole('option', { name }));
  await page.waitForFunction(
    `[...document.querySelectorAll('.modal input')].some(({ value }) => value.includes('@'))`,
  );
  if (role !== undefined) {
    const roleMenu = form.getByRole('combobox', { name: /^Role/ });
    await press(roleMenu);
    await roleMenu.fill(role);
    await press(page.getByRole('option', { name: role }));
  }
  await press(form.getByRole('button', { name: 'Invite', exact: true }));
  await page.getByText(`${name} is invited to Harbour Coffee.`).first().waitFor();
  await waitForNoDialog();
}

test('a colleague is invited with at most five presses', async () => {
  await inviteColleague('Ben Okafor', 'EDITOR');
  expect(presses).toBeLessThanOrEqual(5);
}, 120_000);

test('the next colleague gets the same role with at most three presses', async () => {
  await inviteColleague('Mira Vos');
  expect(presses).toBeLessThanOrEqual(3);
}, 120_000);

test('a daily digest is set up with at most three presses', async () => {
  await sendCommand('/upnext digest');
  const form = page.getByRole('dialog', { name: 'Digest' });
  await press(form.getByRole('button', { name: 'Save', exact: true }));
  await form.getByText(/^Saved/).waitFor();
  await press(form.getByRole('button', { name: /^(Close|Done)$/ }).last());
  expect(presses).toBeLessThanOrEqual(3);
}, 120_000);
