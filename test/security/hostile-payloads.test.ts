import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { sendHostilePayloads } from './hostile-payloads.ts';

/**
 * Commands that open forms, lists and messages with buttons. `npm run bench -- hostile-payloads` types every command.
 */
const LINES = [
  '/schedule-post',
  '/schedule-post tomorrow 9am on X: Soup',
  '/upnext posts',
  '/upnext digest new',
];

let database: BotDatabase;
beforeAll(async () => {
  database = await openBotDatabase();
});
afterAll(() => database.close());

test('the app handles every signed payload of a modified client, and never shows only an error reference', {
  timeout: 300_000,
}, async () => {
  const result = await sendHostilePayloads(database.db, {
    seed: 20_261_121,
    lines: LINES,
    isEnough: (sentCount) => sentCount >= 300,
  });
  expect(result.shapes).toBeGreaterThan(20);
  expect(result).toMatchObject({ failedPayloads: [], unhandledFailures: [], liveMarkup: [] });
});
