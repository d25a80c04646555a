import { beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { WITHOUT_LIMITS } from '../support/bot.ts';
import { data } from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { BAD_COMMANDS } from './bad-commands.ts';

/**
 * Every bad thing that can be typed, behind every command, as Slack would send it. Closing the bot looks through
 * everything that was sent for mentions, links and broadcasts that came alive.
 */

const { running, startBot } = setUpBot();
let nonce = 0;

beforeAll(async () => {
  await startBot({ mode: 'http', rates: WITHOUT_LIMITS });
  running.service.on('GET /projects', data([{ Id: 'p1', Name: 'Harbour Coffee' }]));
});

const commands = features.flatMap((feature) => feature.commands);
const typed: readonly (readonly [command: string, before: string])[] = [
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
      // Slack's own have been spent by the time that a test could use one.
      trigger_id: `${nonce}.2.a`,
      response_url: `${new URL(workspace.apiUrl).origin}/response/nowhere`,
    },
    nonce,
  );
}

/** The form could not open with a trigger that is none; nothing else may fail. */
const failures = () =>
  running.logged.filter((line) => line.startsWith('request failed') && !line.includes('trigger'));

describe.each(BAD_COMMANDS)('%s', (_what, text) => {
  test('behind every command is answered in time, and changes nothing', async () => {
    for (const [command, before] of typed) {
      const { status, ms } = await send(command, before + text);
      expect([`${command} ${before}`, status]).toEqual([`${command} ${before}`, 200]);
      expect(ms, `${command} ${before}`).toBeLessThan(3_000);
    }
    expect(failures()).toEqual([]);
    expect(running.service.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('and Ana goes on as if nothing had been', async () => {
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext help');
  await ana.sees('What you can type');
});
