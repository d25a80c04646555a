import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serviceSwitches } from '../../../src/start/practice-switches.ts';
import { startPracticeService } from '../../support/practice-service.ts';
import { openLivePage } from '../../support/workspace-page.ts';
import { command, focused, openStage, type Stage, tabTo } from './page-driver.ts';

let stage: Stage;
let service: Awaited<ReturnType<typeof startPracticeService>>;

beforeAll(async () => {
  [stage, service] = await Promise.all([openStage(), startPracticeService({ control: true })]);
});
beforeEach(async () => {
  await stage.reset();
  const page = await openLivePage(stage.examples.workspace);
  page.send({ id: 1, act: 'fault', switch: 'slack' });
  page.send({ id: 2, act: 'fault', switch: 'service' });
  for (let said = await page.next(); said.type !== 'result' || said.id !== 2; ) said = await page.next();
  page.close();
  stage.examples.workspace.offerSwitches(
    serviceSwitches({ url: service.control ?? '', token: service.token }),
  );
});
afterAll(async () => {
  await stage.close();
  await service.close();
});

const SLOW = 'The service is slow now: it takes 4 seconds for each answer.';

test('the service is made slow and usual again by keyboard alone', async () => {
  const page = await stage.open();
  await tabTo(page, 'Faults', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Is slow');
  await page.keyboard.press('Space');
  await page.getByRole('status').getByText(SLOW).waitFor();
  expect(service.faults.plan).toEqual({ rules: [{ fault: 'slow', delayMs: 4_000 }] });
  expect(await focused(page)).toBe('Is slow');
  expect(await page.getByRole('switch', { name: 'Is slow' }).getAttribute('aria-checked')).toBe('true');
  await page.keyboard.press('Space');
  await page.getByText(SLOW).waitFor({ state: 'hidden' });
  expect(service.faults.plan).toEqual({});
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Practice faults' }).waitFor({ state: 'hidden' });
  expect(await focused(page)).toBe('Faults');
});

test('everybody sees what fails, one thing of each at a time, and anybody ends it', async () => {
  const [ana, ben] = await Promise.all([stage.open('ana'), stage.open('ben')]);
  await ana.getByRole('button', { name: 'Faults' }).click();
  await ana.getByRole('switch', { name: 'Is slow' }).click();
  await ben.getByText(SLOW).waitFor();
  await ana.getByRole('switch', { name: 'Is down' }).click();
  await ben.getByText('The service is down now: it refuses every connection.').waitFor();
  expect(await ben.getByText(SLOW).isVisible()).toBe(false);
  await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  await ana.getByRole('switch', { name: 'Delivers everything twice' }).click();
  await ben.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  await ben.getByRole('button', { name: 'Back to usual: Scheduling service' }).click();
  await ana.getByText('The service is down now').waitFor({ state: 'hidden' });
  expect((await fetch(service.url)).status).toBe(401);
  await ben.getByRole('button', { name: 'Back to usual: Slack' }).click();
  await ana.getByText('Slack delivers every command').waitFor({ state: 'hidden' });
  expect(await ana.getByRole('switch', { checked: true }).count()).toBe(0);
});

test('somebody who comes later sees it too', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Says that triggers have expired' }).click();
  const words = 'Slack opens no forms now: it says that the app asked too late.';
  await page.getByText(words).waitFor();
  const later = await stage.open('mira');
  await later.getByText(words).waitFor();
  await later.getByRole('button', { name: 'Back to usual: Slack' }).click();
  await page.getByText(words).waitFor({ state: 'hidden' });
});

/** What an app gets to see of a call: Slack's error, or the connection's. */
async function call(method: string): Promise<unknown> {
  const { apiUrl, botToken } = stage.examples.workspace;
  const body = new URLSearchParams({ token: botToken, channel: '#general', text: 'from the app' });
  try {
    const answer = await fetch(`${apiUrl}${method}`, { method: 'POST', body });
    return (await answer.json()).error;
  } catch (error) {
    return (
      error instanceof Error && error.cause instanceof Error && 'code' in error.cause && error.cause.code
    );
  }
}

test.each([
  ['Drops the connection after accepting', 'chat.postMessage', 'ECONNRESET'],
  ['Says “too many requests”', 'auth.test', 'ratelimited'],
  ['Says that triggers have expired', 'views.open', 'expired_trigger_id'],
  ['Says that views were changed meanwhile', 'views.update', 'hash_conflict'],
])('Slack: %s, seen in %s as %s', async (label, method, seen) => {
  const page = await stage.open();
  expect(await call(method)).not.toBe(seen);
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('group', { name: 'Slack' }).getByRole('switch', { name: label }).click();
  await page.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  expect(await call(method)).toBe(seen);
});

test('Slack: Delivers everything twice, so that a command is answered twice', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
  await page.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  await command(page, '/card ');
  await expect.poll(() => page.getByText('Up next in Harbour Coffee').count()).toBe(2);
});

test('a workspace that is reset works as usual again, and the service beside it', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Is slow' }).click();
  await page.getByRole('switch', { name: 'Delivers everything twice' }).click();
  await page.getByRole('button', { name: 'Back to usual: Slack' }).waitFor();
  await fetch(`${stage.examples.workspace.url}/page/reset`, { method: 'POST' });
  await expect.poll(() => page.getByRole('switch', { checked: true }).count()).toBe(0);
  expect([service.faults.plan, stage.examples.workspace.faults.plan]).toEqual([{}, {}]);
});

test('what cannot be switched says so, and stays as it was', async () => {
  const page = await stage.open();
  stage.examples.workspace.offerSwitches(
    serviceSwitches({ url: service.control ?? '', token: 'another token' }),
  );
  await page.getByRole('button', { name: 'Faults' }).click();
  await page.getByRole('switch', { name: 'Is slow' }).click();
  await page.getByRole('alert').getByText('Scheduling service: this could not be switched.').waitFor();
  expect(await page.getByRole('switch', { checked: true }).count()).toBe(0);
  expect(service.faults.plan).toEqual({});
});

test('without a practice service only Slack can be made to fail', async () => {
  stage.examples.workspace.offerSwitches([]);
  const page = await stage.open();
  await page.getByRole('button', { name: 'Faults' }).click();
  expect(await page.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Slack']);
});

test('no page complained in its console', () => {
  expect(stage.complaints).toEqual([]);
});
