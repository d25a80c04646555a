import type { App, Receiver, ReceiverEvent } from '@slack/bolt';
import { SILENT } from 'slack-workspace-emulator/test-support/workspace';
import { describe, expect, test } from 'vitest';
import { RespondingApp } from '../../../src/handlers/bolt/bolt-app.ts';
import { PACE } from '../../../src/submissions/pace.ts';
import { COMMAND } from '../../support/send-signed.ts';

const receiver: Receiver = { init() {}, start: async () => {}, stop: async () => {} };

/** Returns all acknowledgements of an app for one payload. */
async function collectAcknowledgements(app: App, body: Record<string, unknown>): Promise<unknown[]> {
  const acknowledgements: unknown[] = [];
  const ack: ReceiverEvent['ack'] = async (response) => void acknowledgements.push(response);
  await app.processEvent({ body, ack });
  return acknowledgements;
}

type ResponseOptions = ConstructorParameters<typeof RespondingApp>[2];

function createRespondingApp(changes: Partial<ResponseOptions> = {}) {
  const logLines: string[] = [];
  const addLine = (fields: object, message: string) =>
    void logLines.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: addLine, info: addLine, warn: addLine, error: addLine };
  const app = new RespondingApp(receiver, SILENT, { log, pace: PACE, handle: async () => {}, ...changes });
  return { app, logLines };
}

const OLD_WORKFLOW_STEP = { type: 'workflow_step_edit', team: { id: 'T1' }, user: { id: 'U1' } };

test.each([
  ['a request of unknown type', OLD_WORKFLOW_STEP],
  ['an event', { type: 'event_callback', team_id: 'T1', event: { type: 'app_mention', user: 'U1' } }],
  [
    'a press without a handler',
    { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: [{ action_id: 'a' }] },
  ],
])('%s is acknowledged once', async (_what, body) =>
  expect(await collectAcknowledgements(createRespondingApp().app, body)).toEqual([undefined]),
);

describe('a submitted form is never closed by accident', () => {
  const FORM = {
    type: 'view_submission',
    team: { id: 'T1' },
    user: { id: 'U1' },
    view: { id: 'V1', type: 'modal', callback_id: 'f', blocks: [], state: { values: {} } },
  };
  const throwError = async () => {
    throw new Error('oops');
  };

  test.each<[string, ResponseOptions['handle']]>([
    ['nothing handles it', async () => {}],
    ['an error is thrown before the handler', throwError],
    ['the handler sends an empty acknowledgement', ({ ack }) => ack()],
  ])('a submitted form stays open if %s', async (_what, handle) => {
    const { app, logLines } = createRespondingApp({ handle });
    const acknowledgements = await collectAcknowledgements(app, FORM);
    expect(acknowledgements).toEqual([expect.objectContaining({ response_action: 'push' })]);
    const [, reference = 'none'] = /reference: (\w+)/.exec(JSON.stringify(acknowledgements)) ?? [];
    expect(logLines.join('\n')).toContain(reference);
  });
});

test('a command that fails before its handler is answered with a message', async () => {
  const { app } = createRespondingApp({ handle: () => Promise.reject(new Error('oops')) });
  expect(await collectAcknowledgements(app, COMMAND)).toEqual([
    expect.objectContaining({
      response_type: 'ephemeral',
      text: expect.stringContaining('this reference: '),
    }),
  ]);
});

test.each<[string, Record<string, unknown>, unknown]>([
  [
    'a press whose list of buttons isn’t a list',
    { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: {} },
    undefined,
  ],
  [
    'a submitted form from a workspace whose id isn’t text',
    { type: 'view_submission', team: { id: 1 }, user: { id: 'U1' }, view: { id: 'V1', type: 'modal' } },
    expect.objectContaining({ response_action: 'push' }),
  ],
])('%s is answered as an unknown request, and isn’t a failure of the app', async (_what, body, answer) => {
  const { app, logLines } = createRespondingApp({ handle: () => Promise.reject(new TypeError('oops')) });
  expect(await collectAcknowledgements(app, body)).toEqual([answer]);
  expect(logLines).toEqual([expect.stringContaining('unknown request')]);
});

test('the type of an unknown request is logged only if it is one of Slack’s', async () => {
  const { app, logLines } = createRespondingApp({ handle: () => Promise.reject(new Error('oops')) });
  for (const type of ['the text of a post', 'workflow_step_edit'])
    await collectAcknowledgements(app, { type });
  expect(logLines.join('\n')).not.toContain('the text of a post');
  expect(logLines[1]).toContain('"kind":"workflow_step_edit"');
});

test('an event that can’t be stored isn’t acknowledged, so Slack sends it again', async () => {
  let isAcknowledged = false;
  const { app } = createRespondingApp({ beforeProcessing: () => Promise.reject(new Error('no database')) });
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'app_uninstalled' } };
  const ack: ReceiverEvent['ack'] = async () => {
    isAcknowledged = true;
  };
  await expect(app.processEvent({ body, ack })).rejects.toThrow('no database');
  expect(isAcknowledged).toBe(false);
});
