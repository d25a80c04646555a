import {
  focusByTab,
  openPageFixture,
  type PageFixture,
  readFocus,
  typeCommand,
} from 'slack-workspace-emulator/test-support/page-driver';
import { openLivePage } from 'slack-workspace-emulator/test-support/workspace-page';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createServiceSwitches } from '../../src/start/practice.ts';
import { startPracticeService } from '../support/practice-service.ts';

let fixture: PageFixture;
let service: Awaited<ReturnType<typeof startPracticeService>>;

beforeAll(async () => {
  [fixture, service] = await Promise.all([openPageFixture(), startPracticeService({ control: true })]);
});
beforeEach(async () => {
  await fixture.reset();
  const page = await openLivePage(fixture.examples.workspace);
  page.send({ id: 1, act: 'fault', switch: 'slack' });
  page.send({ id: 2, act: 'fault', switch: 'service' });
  for (let message = await page.receiveMessage(); message.type !== 'result' || message.id !== 2; )
    message = await page.receiveMessage();
  page.close();
  fixture.examples.workspace.offerSwitches(
    createServiceSwitches({ url: service.control ?? '', token: service.token }),
  );
});
afterAll(async () => {
  await fixture.close();
  await service.close();
});

test('the service leaves Node’s Request and Response to the app, whose process it shares', () => {
  expect([Request, Response].map(({ name }) => name)).toEqual(['Request', 'Response']);
});

const SLOW = 'The service is slow: it takes 4 seconds for each answer.';

test('the service can be slowed down and restored with the keyboard alone', async () => {
  const page = await fixture.open();
  await focusByTab(page, 'Faults', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await focusByTab(page, 'Is slow');
  await page.keyboard.press('Space');
  await page.getByRole('status').getByText(SLOW).waitFor();
  expect(service.faults.plan).toEqual({ rules: [{ fault: 'slow', delayMs: 4_000 }] });
  await expect.poll(() => readFocus(page)).toBe('Is slow');
  await page.getByRole('switch', { name: 'Is slow', checked: true }).waitFor();
  await page.keyboard.press('Space');
  await page.getByText(SLOW).waitFor({ state: 'hidden' });
  expect(service.faults.plan).toEqual({});
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Practice faults' }).waitFor({ state: 'hidden' });
  await expect.poll(() => readFocus(page)).toBe('Faults');
});

test('everybody sees the faults, one fault per system is possible, and anybody can end it', async () => {
  const [ana, ben] = await Promise.all([fixture.open('ana'), fixture.open('ben')]);
  await ana.getByRole('button', { name: 'Faults' }).click();
  await ana.getByRole('switch', { name: 'Is slow' }).click();
  await ben.getByText(SLOW).waitFor();
  await ana.getByRole('switch', { name: 'Is down' }).click();
  await ben.getByText('The service is down: it refuses every connection.').waitFor();
  await ben.getByText(SLOW).waitFor({ state: 'hidden' });
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  await ana.getByRole('switch', { name: 'Delivers everything twice' }).click();
  await ben.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  await ben.getByRole('button', { name: 'Back to usual: Scheduling service' }).click();
  await ana.getByText('The service is down').waitFor({ state: 'hidden' });
  expect((await fetch(service.url)).status).toBe(401);
  await ben.getByRole('button', { name: 'Back to usual: Slack' }).click();
  await ana.getByText('Slack delivers every command').waitFor({ state: 'hidden' });
  await expect.poll(() => ana.getByRole('switch', { checked: true }).count()).toBe(0);
});

test('a person who opens the page later also sees the fault', async () => {
  const page = await fixture.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Answers that triggers have expired' }).click();
  const banner = 'Slack opens no forms, and answers that the trigger has expired.';
  await page.getByText(banner).waitFor();
  const laterPage = await fixture.open('mira');
  await laterPage.getByText(banner).waitFor();
  await laterPage.getByRole('button', { name: 'Back to usual: Slack' }).click();
  await page.getByText(banner).waitFor({ state: 'hidden' });
});

/** Calls a method as the app. Returns the error of Slack or of the connection; undefined if the call succeeds. */
async function call(method: string): Promise<unknown> {
  const { apiUrl, botToken } = fixture.examples.workspace;
  const body = new URLSearchParams({ token: botToken, channel: '#general', text: 'from the app' });
  try {
    const response = await fetch(`${apiUrl}${method}`, { method: 'POST', body });
    return ((await response.json()) as { error?: string }).error;
  } catch (error) {
    return (
      error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code
    );
  }
}

test.each([
  ['Drops the connection after accepting', 'chat.postMessage', 'ECONNRESET'],
  ['Answers “too many requests”', 'auth.test', 'ratelimited'],
  ['Answers that triggers have expired', 'views.open', 'expired_trigger_id'],
  ['Answers that views have changed', 'views.update', 'hash_conflict'],
])('the fault "%s" is visible in %s as %s', async (label, method, error) => {
  const page = await fixture.open();
  expect(await call(method)).not.toBe(error);
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('group', { name: 'Slack' }).getByRole('switch', { name: label }).click();
  await page.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  expect(await call(method)).toBe(error);
});

test('the fault "Delivers everything twice" answers a command twice', async () => {
  const page = await fixture.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
  await page.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  await typeCommand(page, '/card ');
  await expect.poll(() => page.getByText('Up next in Harbour Coffee').count()).toBe(2);
});

test('a reset ends all faults of the workspace and of the service', async () => {
  const page = await fixture.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Is slow' }).click();
  await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
  await page.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  await fetch(`${fixture.examples.workspace.url}/page/reset`, { method: 'POST' });
  await expect.poll(() => page.getByRole('switch', { checked: true }).count()).toBe(0);
  expect([service.faults.plan, fixture.examples.workspace.faults.plan]).toEqual([{}, {}]);
});

test('a fault that cannot be enabled shows an error and stays off', async () => {
  const page = await fixture.open();
  fixture.examples.workspace.offerSwitches(
    createServiceSwitches({ url: service.control ?? '', token: 'another token' }),
  );
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Is slow' }).click();
  await page.getByRole('alert').getByText('Scheduling service: this couldn’t be changed.').waitFor();
  await expect.poll(() => page.getByRole('switch', { checked: true }).count()).toBe(0);
  expect(service.faults.plan).toEqual({});
});

test('without a practice service only Slack has faults', async () => {
  fixture.examples.workspace.offerSwitches([]);
  const page = await fixture.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await expect.poll(() => page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Slack']);
});

test('no page logged an error', () => {
  expect(fixture.pageErrors).toEqual([]);
});
