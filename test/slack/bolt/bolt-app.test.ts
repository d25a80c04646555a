import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { RespondingApp } from '../../../src/slack/bolt/bolt-app.ts';
import { SILENT } from '../../support/workspace.ts';

const options: AppOptions = {
  receiver: { init() {}, start: async () => {}, stop: async () => {} },
  authorize: async () => ({ botToken: 'xoxb-test' }),
  logger: SILENT,
};

/** Returns all acknowledgements of an app for one payload. */
async function collectAcknowledgements(app: App, body: Record<string, unknown>): Promise<unknown[]> {
  const acknowledgements: unknown[] = [];
  const ack: ReceiverEvent['ack'] = async (response) => void acknowledgements.push(response);
  await app.processEvent({ body, ack });
  return acknowledgements;
}

function createRespondingApp(changes: Partial<AppOptions> = {}) {
  const logLines: string[] = [];
  const addLine = (fields: object, message: string) =>
    void logLines.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: addLine, info: addLine, warn: addLine, error: addLine };
  return { app: new RespondingApp({ ...options, ...changes }, { log }), logLines };
}

const OLD_WORKFLOW_STEP = { type: 'workflow_step_edit', team: { id: 'T1' }, user: { id: 'U1' } };

test('control test: Bolt itself doesn’t answer unknown requests', async () => {
  expect(await collectAcknowledgements(new App(options), OLD_WORKFLOW_STEP)).toEqual([]);
});

test.each([
  ['a request of unknown type', OLD_WORKFLOW_STEP],
  ['an event', { type: 'event_callback', team_id: 'T1', event: { type: 'app_mention', user: 'U1' } }],
  [
    'a press without a handler',
    { type: 'block_actions', team: { id: 'T1' }, user: { id: 'U1' }, actions: [{ action_id: 'a' }] },
  ],
])('%s is acknowledged once', async (_what, body) => {
  expect(await collectAcknowledgements(createRespondingApp().app, body)).toEqual([undefined]);
});

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

  test.each<[string, () => ReturnType<typeof createRespondingApp>]>([
    ['no handler is registered', () => createRespondingApp()],
    ['Bolt cannot authorize the request', () => createRespondingApp({ authorize: throwError })],
    [
      'an error is thrown before the handler',
      () => {
        const testApp = createRespondingApp();
        testApp.app.use(throwError);
        return testApp;
      },
    ],
    [
      'a middleware sends an empty acknowledgement',
      () => {
        const testApp = createRespondingApp();
        testApp.app.use(async (args) => {
          if ('ack' in args && typeof args.ack === 'function') await args.ack();
        });
        return testApp;
      },
    ],
  ])('a submitted form stays open if %s', async (_what, createApp) => {
    const { app, logLines } = createApp();
    const acknowledgements = await collectAcknowledgements(app, FORM);
    expect(acknowledgements).toEqual([expect.objectContaining({ response_action: 'push' })]);
    const [, reference = 'none'] = /reference: (\w+)/.exec(JSON.stringify(acknowledgements)) ?? [];
    expect(logLines.join('\n')).toContain(reference);
  });

  test('the response of a handler is sent unchanged', async () => {
    const { app } = createRespondingApp();
    app.view('f', ({ ack }) => ack({ response_action: 'clear' }));
    expect(await collectAcknowledgements(app, FORM)).toEqual([{ response_action: 'clear' }]);
  });

  test('control test: Bolt itself closes the form if the app handles errors', async () => {
    const app = new App({ ...options, authorize: throwError });
    app.error(async () => {});
    expect(await collectAcknowledgements(app, FORM)).toEqual([undefined]);
  });
});

test('a command that fails before its handler is answered with a message', async () => {
  const { app } = createRespondingApp({
    authorize: async () => {
      throw new Error('oops');
    },
  });
  const command = {
    command: '/upnext',
    text: '',
    team_id: 'T1',
    user_id: 'U1',
    channel_id: 'C1',
    trigger_id: '1.2',
    response_url: 'https://hooks.slack.com/commands/T1/1',
  };
  expect(await collectAcknowledgements(app, command)).toEqual([
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
  const { app, logLines } = createRespondingApp({
    authorize: async ({ teamId }) => ({ botToken: `xoxb-${teamId?.toLowerCase()}` }),
  });
  expect(await collectAcknowledgements(app, body)).toEqual([answer]);
  expect(logLines).toEqual([expect.stringContaining('unknown request')]);
});

test('an event that can’t be stored isn’t acknowledged, so Slack sends it again', async () => {
  let isAcknowledged = false;
  const ignoreLine = () => undefined;
  const app = new RespondingApp(options, {
    log: { debug: ignoreLine, info: ignoreLine, warn: ignoreLine, error: ignoreLine },
    beforeProcessing: () => Promise.reject(new Error('no database')),
  });
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'app_uninstalled' } };
  const ack: ReceiverEvent['ack'] = async () => {
    isAcknowledged = true;
  };
  await expect(app.processEvent({ body, ack })).rejects.toThrow('no database');
  expect(isAcknowledged).toBe(false);
});
