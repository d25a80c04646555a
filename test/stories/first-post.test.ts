import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openSharedBrowser, type TestBrowser } from 'slack-workspace-emulator/test-support/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { NOTE_BELOW } from '../support/form-steps.ts';

/**
 * The first steps of a newcomer with `npm start`, in a real browser: from the printed address to a post that the
 * service still has after a power failure.
 */

const TEXT = 'Opening at seven on Saturday: the first cup is on us. <!channel> *really* & truly';

let folder: string;
let browser: TestBrowser;
let app: RunningCommand;
let page: Page;
let serviceUrl: string;

async function startApp(): Promise<void> {
  const ports = { PORT: '0', WORKSPACE_PORT: '0', SERVICE_PORT: '0' };
  const NODE_OPTIONS = `--import=${import.meta.resolve('../support/patient-slack.ts')}`;
  app = startCommand('main.ts', { env: { DATA_DIR: folder, LOG_LEVEL: 'warn', NODE_OPTIONS, ...ports } });
  const [, address = ''] = await app.waitForOutput(/Practice workspace\s+(\S+)/);
  const [, serviceAddress = ''] = await app.waitForOutput(/Practice service\s+(\S+)/);
  await app.waitForOutput(/Ctrl\+C/);
  serviceUrl = serviceAddress;
  await page.goto(address);
  await page.getByText('Connected to Slack', { exact: true }).waitFor();
}

beforeAll(async () => {
  folder = await createDataFolder();
  browser = await openSharedBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await startApp();
});

afterAll(async () => {
  await browser?.close();
  app?.kill('SIGKILL');
  await app?.exit;
  rmSync(folder, { recursive: true, force: true });
});

/** Types like a person. The list of matching commands opens, Escape closes it, and Enter sends the message. */
async function typeLine(text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message/ });
  await composer.click();
  await composer.pressSequentially(text);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
}

/** Reads the posts from the service without the bot. */
async function readPostsFromService(
  project: string,
): Promise<{ Content: string; Status: string; Timezone: string }[]> {
  const headers = { authorization: `Bearer ${readFileSync(join(folder, 'service-token'), 'utf8').trim()}` };
  const fetchData = async (path: string) => {
    const response = await fetch(`${serviceUrl}/api/v1/projects${path}`, { headers });
    return ((await response.json()) as { data: never }).data;
  };
  const projects: { Id: string; Name: string }[] = await fetchData('');
  const id = projects.find(({ Name }) => Name === project)?.Id;
  return fetchData(`/${id}/posts?status=SCHEDULED`);
}

test('a newcomer corrects an error, schedules a post, and finds the post again after a crash', async () => {
  await page.getByRole('button', { name: /harbour-coffee/ }).click();
  await typeLine('/schedule-post');
  const form = page.getByRole('dialog', { name: 'Schedule a post' });
  await form.getByText('For Harbour Coffee ·').waitFor();
  await form.getByRole('textbox', { name: /^Text/ }).fill(TEXT);
  await form.getByRole('combobox', { name: /^Platforms/ }).click();
  await page.getByRole('option', { name: 'LinkedIn' }).click();
  await page.keyboard.press('Escape');

  // The error under its field leads to the line that says what is wrong, and the typed text isn't lost.
  const when = form.getByRole('textbox', { name: /^When/ });
  await when.fill('in a blue moon');
  // An update for the typed text that came after the error would move it from its field to the lines below.
  await form.getByText(/blue/).first().waitFor();
  const schedule = form.getByRole('button', { name: 'Schedule', exact: true });
  await schedule.click();
  const readError = async () => {
    const ids = String(await when.getAttribute('aria-describedby')).split(' ');
    return (await page.locator(ids.map((id) => `[id="${id}"]`).join(', ')).allInnerTexts()).join(' ');
  };
  await expect.poll(() => when.getAttribute('aria-invalid')).toBe('true');
  await expect.poll(readError).toContain(NOTE_BELOW);
  expect(await form.getByRole('textbox', { name: /^Text/ }).inputValue()).toBe(TEXT);
  expect((await readPostsFromService('Harbour Coffee')).map(({ Content }) => Content)).not.toContain(TEXT);

  // The form shows how it understands the correction during typing.
  await when.fill('in 20 minutes');
  await form.getByText(/\d\d:\d\d \(Lisbon\)/).waitFor();
  await form.getByText('Practice service: nothing is published').waitFor();
  await schedule.click();
  // A busy machine may not save the post in time, or answer too late. Then a person does what they read.
  const isVisible = (text: RegExp) => page.getByText(text).first().isVisible();
  const followAdvice = async () => {
    const isUnsent = await isVisible(/Not saved\.|submit the form again/);
    if (await isVisible(/^That took a while/)) await page.keyboard.press('Escape');
    if (isUnsent) await schedule.click({ timeout: 1_000 }).catch(() => undefined);
    return isVisible(/Scheduled · .*\(Lisbon\)/);
  };
  await expect.poll(followAdvice, { interval: 500 }).toBe(true);
  await page.getByText(TEXT).first().waitFor();
  // On a busy machine, the form itself shows this, and stays open until it is closed.
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const postsInService = (await readPostsFromService('Harbour Coffee')).filter(
    ({ Content }) => Content === TEXT,
  );
  expect(postsInService).toMatchObject([{ Status: 'SCHEDULED', Timezone: 'Europe/Lisbon' }]);

  // Simulates a power failure, once the emulated workspace has stored that no form is open.
  const readModals = () => {
    const { teams } = JSON.parse(readFileSync(join(folder, 'workspace', 'state.json'), 'utf8'));
    return teams[0].modals.U01ANAFERR;
  };
  await expect.poll(readModals).toEqual([]);
  app.kill('SIGKILL');
  await app.exit;
  await startApp();
  expect(
    (await readPostsFromService('Harbour Coffee')).filter(({ Content }) => Content === TEXT),
  ).toHaveLength(1);

  await page.getByRole('button', { name: /harbour-coffee/ }).click();
  await typeLine('/upnext');
  // The project is the one that the channel is named after. The receipt was ephemeral, so the new page doesn't have it.
  await page.getByText(TEXT).first().waitFor();
}, 600_000);
