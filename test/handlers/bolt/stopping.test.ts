import { expect, test } from 'vitest';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot, ana } = setUpBot();

test('in Socket Mode, a command that was typed before the app stops is answered', async () => {
  await startBot();
  const { faults } = running.workspace;
  faults.set({ webApi: [{ method: 'users.info', fault: 'slow', delayMs: 500 }] });
  const typing = ana.type('/upnext help');
  await expect.poll(() => faults.counts().calls['users.info']).toBe(1);
  await running.bot.stop();
  await typing;
  await ana.sees('/schedule-post');
  expect(ana.notices()).toEqual([]);
});
