import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOwnEvent } from '../../src/app/app.ts';
import { type InstalledBot, startInstalledBot } from '../support/installed-bot.ts';
import { sendSigned } from '../support/send-signed.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const database = await setUpBotDatabase();
let installedBot: InstalledBot;

beforeEach(async () => {
  installedBot = await startInstalledBot({ db: database.db });
  await installedBot.workspace.as('Ana').install(installedBot.installUrl);
});
afterEach(() => installedBot.close());

test.each([
  [
    { type: 'app_rate_limited', team_id: 'T01HARBOUR', minute_rate_limited: 1 },
    'app_rate_limited: Slack drops events',
  ],
  [{ type: 'workflow_step_edit' }, 'unknown request {"kind":"workflow_step_edit"}'],
])('the request %j, which names no installation, is acknowledged and logged', async (payload, line) => {
  const { target, logged } = installedBot;
  expect((await sendSigned(target, payload, 1)).status).toBe(200);
  expect(logged.join('\n')).toContain(line);
});

test.each<[string, object, boolean]>([
  ['a message of the bot', { type: 'message', subtype: 'bot_message', bot_id: 'B1' }, true],
  ['a message of another bot', { type: 'message', subtype: 'bot_message', bot_id: 'B2' }, false],
  ['a reaction of the bot', { type: 'reaction_added', user: 'U1' }, true],
  ['a reaction of a person', { type: 'reaction_added', user: 'U2' }, false],
  ['the bot’s arrival in a channel', { type: 'member_joined_channel', user: 'U1' }, false],
  ['the bot’s departure from a channel', { type: 'member_left_channel', user: 'U1' }, false],
])('whether an event is ignored as the bot’s own: %s', (_what, event, isOwn) => {
  expect(isOwnEvent({ event }, { token: 'xoxb-1', botUser: 'U1', botId: 'B1', isOrgWide: false })).toBe(
    isOwn,
  );
});
