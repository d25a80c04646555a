import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import type { AppContext } from '../../../src/app/context.ts';
import { answerFailure } from '../../../src/slack/bolt/failure.ts';
import type { Request } from '../../../src/slack/bolt/payloads.ts';
import { SILENT } from '../../support/workspace.ts';

const actor = { workspace: 'T1', user: 'U1' };
const request: Request = {
  kind: 'view',
  type: 'view_submission',
  team: { id: actor.workspace },
  user: { id: actor.user },
  view: {
    id: 'V1',
    type: 'modal',
    hash: '',
    callback_id: 'f',
    private_metadata: '',
    blocks: [],
    state: { values: {} },
  },
};

/** The message about a failed form, before or after its acknowledgement. */
async function read(given: boolean, mayHaveSucceeded = false): Promise<string> {
  const said: unknown[] = [];
  const call = {
    context: {} as AppContext,
    catalogue: [],
    actor,
    client: new WebClient('xoxb-test', { logger: SILENT }),
    log: SILENT,
    reference: 'abcd1234',
    receivedAt: 0,
    now: () => new Date(0),
    may: () => true,
    permit: async () => {},
    permitForm: async () => {},
    countCostlyAction() {},
    acknowledge: async () => {},
    reply: async (message: object) => void said.push(message),
    sealButtons: (message: never) => message,
    openFeature: async () => {},
    runLine: async () => {},
  };
  const give = async (payload?: unknown) => {
    if (!given) said.push(payload);
    return !given;
  };
  await answerFailure({
    error: new Error('oops'),
    request,
    call,
    ack: { isSent: given, send: give, stopDeadline() {} },
    mayHaveSucceeded,
  });
  return JSON.stringify(said);
}

test('a form that failed before its acknowledgement stays open and can be sent again', async () => {
  expect(await read(false)).toMatch(/"push".*Please try again.*abcd1234/);
});

test('nobody is asked to repeat a request that may have succeeded', async () => {
  const words = await read(true);
  expect(words).toMatch(/do not know how it ended.*abcd1234/);
  expect(words).not.toContain('try again');
});

test('if the outcome is unknown, the person is asked to check first', async () => {
  const words = await read(false, true);
  expect(words).toMatch(/not sure this was done.*Check before you try again.*abcd1234/);
});
