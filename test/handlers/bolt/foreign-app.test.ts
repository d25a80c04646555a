import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { COMMAND, sendSigned } from '../../support/send-signed.ts';
import { setUpBot } from '../../support/set-up-bot.ts';
import { ask } from '../../support/steps.ts';

const { running, startBot } = setUpBot();
let nonce = 0;

beforeAll(async () => {
  await startBot({ mode: 'http' });
  // The app can look up its own id after its first request.
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext help');
  await vi.waitFor(async () => {
    await sendPayload({ type: 'block_actions', ...actor, actions: [{ action_id: 'help.list' }] });
    expect(running.logged.join('\n')).toContain('for another app');
  }, WAIT_MS);
});

const actor = { team: { id: 'T01HARBOUR' }, user: { id: 'U01ANAFERR' }, api_app_id: 'A0ANOTHER' };

function sendPayload(payload: Record<string, unknown>) {
  nonce += 1;
  const { workspace, url = '' } = running;
  return sendSigned({ url, signingSecret: workspace.signingSecret }, payload, nonce);
}

describe('requests for another app are answered and run nothing', () => {
  test.each<[string, Record<string, unknown>, unknown]>([
    ['a command', { ...COMMAND, api_app_id: 'A0ANOTHER' }, undefined],
    [
      'a form',
      { type: 'view_submission', ...actor, view: { id: 'V1', callback_id: 'schedule-post' } },
      expect.objectContaining({ response_action: 'push' }),
    ],
    [
      'options',
      { type: 'block_suggestion', ...actor, action_id: 'schedule-post.zone', value: 'x' },
      { options: [] },
    ],
    ['a shortcut', { type: 'shortcut', ...actor, callback_id: 'schedule-post', trigger_id: '1' }, undefined],
  ])('%s for another app is acknowledged and changes nothing', async (_kind, payload, expected) => {
    const ana = running.workspace.as('Ana').in('#general');
    const countBefore = ana.messages().length;
    const { status, body: response } = await sendPayload(payload);
    expect(status).toBe(200);
    expect(response).toEqual(expected);
    expect(ana.messages()).toHaveLength(countBefore);
  });

  test('uninstalling another app does not uninstall Upnext', async () => {
    await sendPayload({
      type: 'event_callback',
      team_id: 'T01HARBOUR',
      api_app_id: 'A0ANOTHER',
      event_id: 'Ev0END',
      event: { type: 'app_uninstalled' },
    });
    const ana = running.workspace.as('Ana').in('#general');
    await ask(ana, '/upnext help', 'Common commands');
  });
});
