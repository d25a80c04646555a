import { expect, test } from 'vitest';
import { failSlack, setUpBot } from '../support/set-up-bot.ts';
import { ask } from '../support/steps.ts';

const { ana, running, startBot } = setUpBot();

test('an instance whose token was revoked isn’t ready, and says so once in the log', async () => {
  await startBot();
  expect(await running.bot.isReady()).toBe(true);
  failSlack(running, { fault: 'error', error: 'token_revoked', method: ['auth.test', 'users.info'] });
  await ana.type('/upnext');
  await expect.poll(() => running.bot.isReady()).toBe(false);
  const lines = () => running.logged.filter((line) => line.startsWith('Slack refuses the bot token'));
  await ana.type('/upnext help');
  expect(lines()).toEqual(['Slack refuses the bot token {"code":"token_revoked"}']);
  running.workspace.faults.set({});
  await ask(ana, '/upnext help', '/schedule-post');
  await expect.poll(() => running.bot.isReady()).toBe(true);
});

test('in Socket Mode, the time without a connection to Slack is known', async () => {
  await startBot();
  expect(running.bot.getSlackClosedMs?.()).toBe(0);
});
