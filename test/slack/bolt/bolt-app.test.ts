import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { RespondingApp } from '../../../src/slack/bolt/bolt-app.ts';
import { SILENT } from '../../support/workspace.ts';

const options: AppOptions = {
  receiver: { init() {}, start: async () => {}, stop: async () => {} },
  authorize: async () => ({ botToken: 'xoxb-test' }),
  logger: SILENT,
};

/** All acknowledgements of an app for one payload. */
async function collectAcknowledgements(app: App, body: Record<string, unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  const ack: ReceiverEvent['ack'] = async (response) => void all.push(response);
  await app.processEvent({ body, ack });
  return all;
}

function createRespondingApp(more: Partial<AppOptions> = {}) {
  const logged: string[] = [];
  const line = (facts: object, message: string) => void logged.push(`${message} ${JSON.stringify(facts)}`);
  const log = { debug: line, info: line, warn: line, error: line };
  return { app: new RespondingApp({ ...options, ...more }, { log }), logged };
}

const OLD_STEP = { type: 'workflow_step_edit', team: { id: 'T1' }, user: { id: 'U1' } };

test('control: Bolt itself doesn’t answer unknown requests', async () => {
  expect(await collectAcknowledgements(new App(options), OLD_STEP)).toEqual([]);
});

test.each([
  ['what Bolt does not know', OLD_STEP],
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
  const fails = async () => {
    throw new Error('oops');
  };

  test.each<[string, () => ReturnType<typeof createRespondingApp>]>([
    ['nothing handles it', () => createRespondingApp()],
    ['Bolt cannot authorize it', () => createRespondingApp({ authorize: fails })],
    [
      'something fails before its handler',
      () => {
        const made = createRespondingApp();
        made.app.use(fails);
        return made;
      },
    ],
    [
      'something acknowledges it with nothing',
      () => {
        const made = createRespondingApp();
        made.app.use(async (args) => {
          if ('ack' in args && typeof args.ack === 'function') await args.ack();
        });
        return made;
      },
    ],
  ])('when %s', async (_what, make) => {
    const { app, logged } = make();
    const answers = await collectAcknowledgements(app, FORM);
    expect(answers).toEqual([expect.objectContaining({ response_action: 'push' })]);
    const [, reference = 'none'] = /Reference: (\w+)/.exec(JSON.stringify(answers)) ?? [];
    expect(logged.join('\n')).toContain(reference);
  });

  test('a handler’s own answer is sent unchanged', async () => {
    const { app } = createRespondingApp();
    app.view('f', ({ ack }) => ack({ response_action: 'clear' }));
    expect(await collectAcknowledgements(app, FORM)).toEqual([{ response_action: 'clear' }]);
  });

  test('control: Bolt itself closes the form if errors are handled', async () => {
    const app = new App({ ...options, authorize: fails });
    app.error(async () => {});
    expect(await collectAcknowledgements(app, FORM)).toEqual([undefined]);
  });
});

test('a command that fails early is answered with a message', async () => {
  const { app } = createRespondingApp({
    authorize: async () => {
      throw new Error('oops');
    },
  });
  const command = { command: '/upnext', text: '', team_id: 'T1', user_id: 'U1', channel_id: 'C1' };
  expect(await collectAcknowledgements(app, command)).toEqual([
    expect.objectContaining({ response_type: 'ephemeral', text: expect.stringContaining('Reference: ') }),
  ]);
});

test('an event that can’t be stored isn’t acknowledged, so Slack sends it again', async () => {
  let acknowledged = false;
  const quiet = () => undefined;
  const app = new RespondingApp(options, {
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    beforeProcessing: () => Promise.reject(new Error('no database')),
  });
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'app_uninstalled' } };
  const ack: ReceiverEvent['ack'] = async () => {
    acknowledged = true;
  };
  await expect(app.processEvent({ body, ack })).rejects.toThrow('no database');
  expect(acknowledged).toBe(false);
});
