import { beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/slack/limits.ts';
import { COMMAND, sendSigned } from '../../support/send-signed.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const team = { id: 'T01HARBOUR' };
const actor = { team, user: { id: 'U01ANAFERR', team_id: team.id } };
const OVERLONG = 'a'.repeat(2 * LIMITS.messageText + 1);
const TOO_LONG = /longer than 40,000 characters/;

const view = { id: 'V1', type: 'modal', hash: '1.a', callback_id: 'unknown', blocks: [] };
const press = { type: 'block_actions', ...actor, trigger_id: '1.2.a', channel: { id: 'C01GENERAL' } };

const { running, startBot } = setUpBot();
let nonce = 0;

beforeAll(() => startBot({ mode: 'http' }));

async function send(payload: Record<string, unknown>): Promise<unknown> {
  nonce += 1;
  const { workspace, url = '' } = running;
  const { status, body } = await sendSigned({ url, signingSecret: workspace.signingSecret }, payload, nonce);
  expect(status).toBe(200);
  return body;
}

describe('a text that is longer than a message in Slack', () => {
  test.each([
    ['/upnext', `help ${OVERLONG}`],
    ['/schedule-post', OVERLONG],
  ])('the command %s isn’t run', async (command, text) =>
    expect(await send({ ...COMMAND, command, text })).toMatchObject({
      text: expect.stringMatching(TOO_LONG),
    }),
  );

  test('a command of the greatest length still runs', async () => {
    const ana = running.workspace.as('Ana').in('#general');
    await ana.type(`/upnext help ${'a'.repeat(LIMITS.messageText - 'help '.length)}`);
    await ana.sees('There’s no help on');
  });

  test('a mention isn’t read', async () => {
    const ana = running.workspace.as('Ana').in('#general');
    await send({
      type: 'event_callback',
      team_id: team.id,
      event_id: 'EvOVERLONG',
      event: { type: 'app_mention', channel: 'C01GENERAL', user: actor.user.id, ts: '1.1', text: OVERLONG },
    });
    await ana.sees('That text is longer than 40,000 characters');
  });

  test.each([
    ['a field', { state: { values: { b: { a: { type: 'plain_text_input', value: OVERLONG } } } } }],
    [
      'a chosen option',
      { state: { values: { b: { a: { type: 'static_select', selected_option: { value: OVERLONG } } } } } },
    ],
    ['its metadata', { private_metadata: OVERLONG }],
  ])('a form with it in %s stays open', async (_, fields) => {
    const response = await send({
      type: 'view_submission',
      ...actor,
      trigger_id: '1.2.a',
      view: { ...view, ...fields },
    });
    expect(response).toMatchObject({ response_action: 'push' });
    expect(JSON.stringify(response)).toMatch(TOO_LONG);
  });

  test('a search with it finds nothing', async () => {
    const search = { type: 'block_suggestion', ...actor, action_id: 'project', value: OVERLONG };
    expect(await send(search)).toEqual({ options: [] });
  });

  test.each([
    ['a press', { ...press, actions: [{ type: 'button', action_id: 'unknown', value: OVERLONG }] }],
    [
      'a shortcut',
      {
        type: 'message_action',
        ...actor,
        callback_id: 'unknown',
        trigger_id: '1.2.a',
        channel: { id: 'C01GENERAL' },
        message: { ts: '1.1', text: OVERLONG },
      },
    ],
  ])('%s isn’t handled', async (_, payload) => {
    const ana = await running.workspace.as('Ana').inDirectMessage();
    const countRefusals = () => ana.messages().filter((text) => TOO_LONG.test(text)).length;
    const countBefore = countRefusals();
    await send(payload);
    await expect.poll(countRefusals).toBe(countBefore + 1);
  });
});
