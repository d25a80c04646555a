import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { expect, test } from 'vitest';
import { AnsweringApp } from '../../../src/slack/bolt/answering-app.ts';
import { SILENT } from '../../support/workspace.ts';

const options: AppOptions = {
  receiver: { init() {}, start: async () => {}, stop: async () => {} },
  authorize: async () => ({ botToken: 'xoxb-test' }),
  logger: SILENT,
};

/** How often an app acknowledges one payload. */
async function acknowledgements(app: App, body: Record<string, unknown>): Promise<number> {
  let count = 0;
  const ack: ReceiverEvent['ack'] = async () => {
    count += 1;
  };
  await app.processEvent({ body, ack });
  return count;
}

const OLD_STEP = { type: 'workflow_step_edit', team: { id: 'T1' }, user: { id: 'U1' } };

test('Bolt itself leaves without an answer what it does not know', async () => {
  expect(await acknowledgements(new App(options), OLD_STEP)).toBe(0);
});

test.each([
  ['what Bolt does not know', OLD_STEP],
  ['an event', { type: 'event_callback', team_id: 'T1', event: { type: 'app_mention', user: 'U1' } }],
  [
    'a press that nobody handles',
    { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: [{ action_id: 'a' }] },
  ],
])('%s is acknowledged once', async (_what, body) => {
  expect(await acknowledgements(new AnsweringApp(options, async () => undefined), body)).toBe(1);
});

test('an event that cannot be noted first is not acknowledged, so that Slack sends it again', async () => {
  let acknowledged = false;
  const app = new AnsweringApp(options, () => Promise.reject(new Error('no database')));
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'app_uninstalled' } };
  const ack: ReceiverEvent['ack'] = async () => {
    acknowledged = true;
  };
  await expect(app.processEvent({ body, ack })).rejects.toThrow('no database');
  expect(acknowledged).toBe(false);
});
