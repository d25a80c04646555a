import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/app/capabilities.ts';
import { resumeSending, stopSending } from '../../src/engine/sending-stop.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { settings, startDigests } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

test('no digest is sent while sending is stopped, and today’s digest is sent late if sending resumes the same day', async () => {
  const running = await startDigests(database.db, { from: '2026-11-19T10:00:00Z' });
  await running.digests.save(settings(), 'UANA');
  await stopSending(database.db, { reason: '', since: new Date() });
  await running.runUntil('2026-11-20T10:00:00Z');
  expect(running.texts()).toEqual([]);
  await resumeSending(database.db, CAPABILITIES, new Date());
  await running.runUntil('2026-11-20T11:00:00Z');
  expect(running.texts()).toEqual([expect.stringContaining('for 2026-11-20')]);
});
