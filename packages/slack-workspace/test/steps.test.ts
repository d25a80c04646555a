import { beforeEach, describe, expect, it } from 'vitest';
import { ASSISTANT_MANIFEST } from './support/assistant.ts';
import { createButtonRow, createInput, createModal } from './support/blocks.ts';
import { createControlClient } from './support/control-client.ts';
import { expectError, openBolt, openWorkspace } from './support/fixtures.ts';
import { catchError, catchRefusal, createSlackClient } from './support/workspace.ts';
import type { BoltFixture } from './support/workspace-bolt.ts';

const inputs = { approver: 'Ben', text: 'Spring menu' };
const BUTTON = createButtonRow('approve', 'Approve');

let fixture: BoltFixture;
beforeEach(async () => {
  fixture = await openBolt({ manifest: ASSISTANT_MANIFEST });
});

const ana = () => fixture.workspace.as('Ana').in('#general');

/** Runs the step, and returns what its event contains. */
async function runStep(given: Record<string, unknown> = inputs) {
  let event: { bot_access_token: string; inputs: Record<string, unknown> } | undefined;
  fixture.app.function('approve', async ({ payload }) => {
    event = { ...payload };
  });
  const step = ana().runStep('Approve', given);
  await expect.poll(() => event).toBeDefined();
  const token = event?.bot_access_token ?? '';
  const opener = event?.inputs.opener as { interactivity_pointer: string } | undefined;
  const interactivity_pointer = opener?.interactivity_pointer ?? '';
  return { step, interactivity_pointer, token, client: createSlackClient(fixture.workspace, token) };
}

describe('a step of a workflow', () => {
  it('the app gets the inputs, and its outputs are those of the step', async () => {
    fixture.app.function('approve', async ({ inputs: given, complete }) => {
      await complete({ outputs: { approved: given.approver === 'U02BENOKAF' } });
    });
    expect(await ana().runStep('Approve', inputs).outputs()).toEqual({ approved: true });
  });

  it('an input can be a list of people, by name', async () => {
    const manifest = structuredClone(ASSISTANT_MANIFEST);
    const parameters = { reviewers: { type: 'array', items: { type: 'slack#/types/user_id' } } };
    Object.assign(manifest.functions.approve, { input_parameters: parameters });
    const other = await openBolt({ manifest });
    other.app.function('approve', async ({ inputs: given, complete }) => {
      await complete({ outputs: { approved: JSON.stringify(given) === '{"reviewers":["U02BENOKAF"]}' } });
    });
    const step = other.workspace
      .as('Ana')
      .in('#general')
      .runStep('Approve', { reviewers: ['Ben'] });
    expect(await step.outputs()).toEqual({ approved: true });
  });

  it('the person reads why a step failed', async () => {
    fixture.app.function('approve', async ({ fail }) => {
      await fail({ error: 'Nobody is here' });
    });
    const person = ana();
    expect(await person.runStep('Approve', inputs).error()).toBe('Nobody is here');
    await person.sees('“Approve” failed: Nobody is here');
  });

  it('Slack fills in the pointer that opens a form', async () => {
    const { interactivity_pointer, client } = await runStep();
    const view = createModal('Approve', [BUTTON]);
    await client.views.open({ interactivity_pointer, view } as never);
    await ana().modal('Approve');
  });

  it('a button in a message of the step names the step', async () => {
    const bodies: Record<string, unknown>[] = [];
    fixture.app.action('approve', async ({ ack, body, complete }) => {
      await ack();
      bodies.push({ ...body });
      await complete?.({ outputs: { approved: true, note: 'Fine' } });
    });
    const { step, token, client } = await runStep();
    await client.chat.postMessage({ channel: 'C01GENERAL', text: 'Approve?', blocks: [BUTTON] });
    await ana().press('Approve');
    expect(await step.outputs()).toEqual({ approved: true, note: 'Fine' });
    expect(bodies).toMatchObject([
      {
        function_data: {
          execution_id: step.id,
          function: { callback_id: 'approve', type: 'app' },
          inputs: { approver: 'U02BENOKAF', text: 'Spring menu' },
        },
        interactivity: { interactor: { id: 'U01ANAFERR', secret: expect.any(String) } },
        bot_access_token: token,
      },
    ]);
    const [body] = bodies as { trigger_id: string; interactivity: { interactivity_pointer: string } }[];
    expect(body?.interactivity.interactivity_pointer).toBe(body?.trigger_id);
  });

  it('a form that the step opened names the step when it is sent or closed', async () => {
    const bodies: Record<string, unknown>[] = [];
    fixture.app.view(/.*/, async ({ ack, body }) => {
      bodies.push({ ...body });
      await ack({ response_action: 'errors', errors: { note: 'Longer, please' } } as never);
    });
    const { interactivity_pointer, step, client } = await runStep();
    const view = createModal(
      'Note',
      [createInput('Note', { type: 'plain_text_input' }, { optional: true })],
      { callback_id: 'note', notify_on_close: true },
    );
    fixture.app.view({ callback_id: 'note', type: 'view_closed' }, async ({ ack, body }) => {
      bodies.push({ ...body });
      await ack();
    });
    await client.views.open({ interactivity_pointer, view } as never);
    const form = await ana().modal('Note');
    await form.submit();
    await form.close();
    const function_data = { execution_id: step.id, function: { callback_id: 'approve' } };
    await expect.poll(() => bodies.map(({ type }) => type)).toContain('view_closed');
    const bot_access_token = expect.stringMatching(/^xwfp-/);
    for (const body of bodies) expect(body).toMatchObject({ function_data, bot_access_token });
  });

  it('the inspector shows no tokens of steps', async () => {
    const { token } = await runStep();
    const requests = JSON.stringify(fixture.workspace.app.requests());
    expect(requests).toContain(`xwfp-…${token.slice(-4)}`);
    expect(requests).not.toContain(token);
  });

  it('the token of a step ends soon after the step', async () => {
    const { step, client } = await runStep();
    const outputs = { approved: false };
    await client.functions.completeSuccess({ function_execution_id: step.id, outputs });
    expect(await client.auth.test()).toMatchObject({ ok: true });
    fixture.workspace.clock.advance(6_000);
    await expect.poll(async () => await catchError(client.auth.test())).toBe('token_revoked');
  });

  it('the token of a step expires after fifteen minutes', async () => {
    const { client } = await runStep();
    fixture.workspace.clock.advance(14 * 60_000);
    expect(await client.auth.test()).toMatchObject({ ok: true });
    fixture.workspace.clock.advance(61_000);
    await expectError(client.auth.test(), 'token_expired');
  });
});

it('the control API runs steps and waits for them', async () => {
  fixture.app.function('approve', async ({ inputs: given, complete, fail }) => {
    if (given.text === 'No') await fail({ error: 'Ben said no' });
    else await complete({ outputs: { approved: true } });
  });
  const control = await createControlClient(fixture.workspace.controlUrl);
  const run = async (text: string) => {
    const body = { title: 'Approve', inputs: { approver: 'Ben', text } };
    return control.call('runStep', { person: 'Ana' }, body);
  };
  const { id } = await run('Yes');
  expect(await control.call('waitForStep', { person: 'Ana' }, { id })).toEqual({
    outputs: { approved: true },
  });
  const failed = control.call('waitForStep', { person: 'Ana' }, { id: (await run('No')).id });
  await expect(failed).rejects.toThrow('Ben said no');
});

describe('refusals', () => {
  it.each([
    [{ approver: 'Ben' }, 'missing required parameter: text'],
    [{ ...inputs, count: 'two' }, 'parameter count must be of type integer'],
  ])('a step is not run with %j', (given, problem) => {
    expect(() => ana().runStep('Approve', given)).toThrow(problem);
  });

  it('functions.completeSuccess refuses outputs that the manifest doesn’t allow', async () => {
    const { step, client } = await runStep();
    const complete = (outputs: Record<string, unknown>) =>
      catchRefusal(client.functions.completeSuccess({ function_execution_id: step.id, outputs }));
    expect(await complete({})).toEqual({
      error: 'parameter_validation_failed',
      messages: ['missing required parameter: approved'],
    });
    expect((await complete({ approved: 'yes' })).messages).toEqual([
      'parameter approved must be of type boolean',
    ]);
  });

  it('functions.completeError: the token of another step is no good, and a step ends once', async () => {
    const first = await runStep();
    const second = await runStep();
    const end = { function_execution_id: second.step.id, error: 'No' };
    await expectError(first.client.functions.completeError(end), 'access_denied');
    await second.client.functions.completeError(end);
    await expectError(second.client.functions.completeError(end), 'execution_not_in_running_state');
  });

  it('an app that isn’t subscribed to function_executed runs no steps', async () => {
    const settings = { event_subscriptions: { bot_events: ['message.im'] } };
    const { workspace } = await openWorkspace({ manifest: { ...ASSISTANT_MANIFEST, settings } });
    expect(() => workspace.as('Ana').runStep('Approve', inputs)).toThrow(
      'not_subscribed_to_function_executed',
    );
  });
});
