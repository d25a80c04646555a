import { beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { WITHOUT_LIMITS } from '../support/bot.ts';
import { data } from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { BAD_COMMANDS } from './bad-commands.ts';

// Sends every bad text after every command, signed like Slack. When the bot is closed, all its messages are checked for
// mentions, links and broadcasts.
const { running, startBot } = setUpBot();
let nonce = 0;

beforeAll(async () => {
  await startBot({ mode: 'http', rates: WITHOUT_LIMITS, limits: false });
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
});

const commands = features.flatMap((feature) => feature.commands);
const COMMAND_LINES: readonly (readonly [command: string, subcommand: string])[] = [
  ['/upnext', ''],
  ...commands.map(({ name }) => ['/upnext', `${name} `] as const),
  ...commands.flatMap(({ slashCommand }) => (slashCommand ? [[slashCommand, ''] as const] : [])),
];

function send(command: string, text: string) {
  const { workspace, url = '' } = running;
  nonce += 1;
  return sendSigned(
    { url, signingSecret: workspace.signingSecret },
    {
      command,
      text,
      team_id: workspace.team.id,
      user_id: 'U01ANAFERR',
      channel_id: 'C01GENERAL',
      // An invented trigger, because Slack's triggers expire too soon for a test.
      trigger_id: `${nonce}.2.a`,
      response_url: `${new URL(workspace.apiUrl).origin}/response/nowhere`,
    },
    nonce,
  );
}

/** The failures logged since the last call, except those of forms, which can't open with an invented trigger. */
const takeFailures = () =>
  running.logged.splice(0).filter((line) => line.startsWith('request failed') && !line.includes('trigger'));

describe.each(BAD_COMMANDS)('bad text after a command: %s', (_name, text) => {
  test('the text after any command is answered in time and changes nothing', async () => {
    for (const [command, subcommand] of COMMAND_LINES) {
      const { status, ms } = await send(command, subcommand + text);
      expect([`${command} ${subcommand}`, status]).toEqual([`${command} ${subcommand}`, 200]);
      expect(ms, `${command} ${subcommand}`).toBeLessThan(3_000);
    }
    expect(takeFailures()).toEqual([]);
    expect(running.service.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('commands still work after all bad texts', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext help');
  await ana.sees('Common commands');
});
