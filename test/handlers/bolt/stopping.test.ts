import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWorkTracker } from '../../../src/handlers/bolt/bolt.ts';
import { openFilledForm } from '../../support/filled-form.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot, ana, ben } = setUpBot();

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

test('in Socket Mode, a form that is submitted while the app stops is saved and sent once, and answered', async () => {
  await startBot();
  const { form } = await openFilledForm(running);
  const { faults } = running.workspace;
  faults.set({ webApi: [{ method: 'views.open', fault: 'slow', delayMs: 1_000 }] });
  const typing = ben.type('/schedule-post');
  await expect.poll(() => faults.counts().calls['views.open']).toBe(2);
  const stopping = running.bot.stop();
  await form.submit();
  await ana.sees('Scheduled · Tue 1 Dec, 09:00');
  await Promise.allSettled([stopping, typing]);
  expect(running.service.created()).toHaveLength(1);
});

test('before the app stops, it also waits for requests that arrive while it waits', async () => {
  const work = createWorkTracker();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let hasEnded = false;
  void work.add(first.promise);
  const waiting = work.waitForAll(60_000).then(() => {
    hasEnded = true;
  });
  void work.add(second.promise);
  first.resolve();
  await nextTurn();
  expect(hasEnded).toBe(false);
  second.resolve();
  await waiting;
});
