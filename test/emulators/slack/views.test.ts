import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../src/emulators/slack/start-workspace.ts';
import { clientFor, refusal } from '../../support/workspace.ts';
import { acknowledgeWith, type Running, startWithBolt } from '../../support/workspace-bolt.ts';

const plainText = (text: string) => ({ type: 'plain_text' as const, text });

function modal(title: string, extra: Partial<ModalView> = {}): ModalView {
  return {
    type: 'modal',
    title: plainText(title),
    submit: plainText('Go'),
    blocks: [
      {
        type: 'input',
        block_id: 'kept',
        label: plainText('Kept'),
        element: { type: 'plain_text_input', action_id: 'text', initial_value: `from ${title}` },
      },
    ],
    ...extra,
  };
}

describe('views', () => {
  let running: Running;
  let workspace: Workspace;
  let client: WebClient;
  let now = Date.UTC(2026, 10, 20);
  /** The trigger of the last interaction. */
  let trigger = '';
  /** The response to the next submission. */
  let acknowledgement: object | undefined;

  beforeAll(async () => {
    running = await startWithBolt('socket', () => now);
    workspace = running.workspace;
    client = clientFor(workspace, workspace.botToken);
    running.app.command('/form', async ({ ack, body }) => {
      trigger = body.trigger_id;
      await ack();
    });
    running.app.action('press', ({ ack }) => ack());
    running.app.view({ callback_id: /.*/, type: 'view_submission' }, async ({ ack, body }) => {
      trigger = String(Object.entries(body).find(([key]) => key === 'trigger_id')?.[1]);
      await acknowledgeWith(ack, acknowledgement);
    });
  });
  afterAll(() => running.stop());
  beforeEach(async () => {
    acknowledgement = undefined;
    await workspace.as('Ana').in('#general').type('/form');
  });

  it('a form opens only with a trigger that is at most 3 s old', async () => {
    now += 3_000;
    await client.views.open({ trigger_id: trigger, view: modal('In time') });
    await workspace.as('Ana').modal('In time');
    await workspace.as('Ana').type('/form');
    now += 3_001;
    expect(await refusal(client.views.open({ trigger_id: trigger, view: modal('Late') }))).toMatchObject({
      error: 'expired_trigger_id',
    });
  });

  it('the error for an expired trigger can have Slack’s other spelling', async () => {
    const other = await startWithBolt('socket', () => now, { expiredTrigger: 'invalid_arguments' });
    const triggers: string[] = [];
    other.app.command('/form', async ({ ack, body }) => {
      triggers.push(body.trigger_id);
      await ack();
    });
    await other.workspace.as('Ana').type('/form');
    await other.workspace.as('Ana').type('/form');
    const open = (trigger_id = '') => other.app.client.views.open({ trigger_id, view: modal('A form') });
    await open(triggers[0]);
    now += 3_001;
    expect(await refusal(open(triggers[1]))).toEqual({
      error: 'invalid_arguments',
      messages: ['[ERROR] `trigger_id` expired [json-pointer:/trigger_id]'],
    });
    expect((await refusal(open(triggers[0]))).error).toBe('exchanged_trigger_id');
    await other.stop();
  });

  it('a form of 250 KB opens, and a form of one more byte is refused', async () => {
    const makeSection = (length: number) => ({
      type: 'section' as const,
      text: { type: 'plain_text' as const, text: 'x'.repeat(length) },
    });
    const view = (last: number): ModalView => ({
      ...modal('Large'),
      blocks: [
        ...Array.from({ length: 80 }, () => makeSection(3000)),
        ...Array.from({ length: 5 }, () => makeSection(last)),
      ],
    });
    // Five blocks fill most of the missing size, and the metadata fills the remainder.
    const missing = 250 * 1024 - JSON.stringify(view(0)).length;
    const large = view(Math.floor(missing / 5) - 10);
    const maxMetadata = 250 * 1024 - JSON.stringify({ ...large, private_metadata: '' }).length;
    const open = (length: number) => {
      const full = { ...large, private_metadata: 'x'.repeat(length) };
      return client.views.open({ trigger_id: trigger, view: full });
    };
    expect((await refusal(open(maxMetadata + 1))).error).toBe('view_too_large');
    await open(maxMetadata);
  });

  it('a form does not open with a used or unknown trigger', async () => {
    await client.views.open({ trigger_id: trigger, view: modal('Once') });
    const secondOpening = client.views.open({ trigger_id: trigger, view: modal('Twice') });
    expect((await refusal(secondOpening)).error).toBe('exchanged_trigger_id');
    const unknownOpening = client.views.open({ trigger_id: '1.2.3', view: modal('Never') });
    expect((await refusal(unknownOpening)).error).toBe('invalid_trigger_id');
  });

  it('an invalid form is refused with Slack’s message and pointer, and its trigger stays valid', async () => {
    const invalidOpening = client.views.open({ trigger_id: trigger, view: modal('x'.repeat(25)) });
    expect(await refusal(invalidOpening)).toEqual({
      error: 'invalid_arguments',
      messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
    });
    await client.views.open({ trigger_id: trigger, view: modal('x'.repeat(24)) });
  });

  it('a form can be updated only with the newest hash', async () => {
    const { view } = await client.views.open({ trigger_id: trigger, view: modal('First') });
    const id = view?.id ?? '';
    const updated = await client.views.update({ view_id: id, hash: view?.hash ?? '', view: modal('Second') });
    const outdatedUpdate = client.views.update({ view_id: id, hash: view?.hash ?? '', view: modal('Third') });
    expect((await refusal(outdatedUpdate)).error).toBe('hash_conflict');
    await client.views.update({ view_id: id, hash: updated.view?.hash ?? '', view: modal('Third') });
    await workspace.as('Ana').modal('Third');
  });

  it('the text in a field stays while its ids stay; a field with a new id gets its initial value', async () => {
    const { view } = await client.views.open({ trigger_id: trigger, view: modal('Before') });
    const form = await workspace.as('Ana').modal('Before');
    expect(form.value('Kept')).toBe('from Before');
    await form.fill('Kept', 'typed');
    await client.views.update({ view_id: view?.id ?? '', view: modal('After') });
    expect(form.value('Kept')).toBe('typed');
    const other = JSON.parse(JSON.stringify(modal('Anew')).replace('"kept"', '"other"'));
    await client.views.update({ view_id: view?.id ?? '', view: other });
    expect(form.value('Kept')).toBe('from Anew');
  });

  it('an update by the app removes the old errors of a form', async () => {
    const { view } = await client.views.open({ trigger_id: trigger, view: modal('Asking') });
    acknowledgement = { response_action: 'errors', errors: { kept: 'Not this.' } };
    const form = await workspace.as('Ana').modal('Asking');
    expect((await form.submit()).errors).toEqual({ Kept: 'Not this.' });
    await client.views.update({ view_id: view?.id ?? '', view: modal('Asking') });
    expect(form.errors()).toEqual({});
  });

  it('a button press removes the error of a corrected field, and no other error', async () => {
    const other = { type: 'plain_text_input' as const, action_id: 'text', initial_value: 'as it was' };
    const blocks: ModalView['blocks'] = [
      ...modal('Two').blocks,
      { type: 'input', block_id: 'other', label: plainText('Other'), element: other },
      {
        type: 'actions',
        elements: [{ type: 'button', action_id: 'press', text: plainText('Press') }],
      },
    ];
    await client.views.open({ trigger_id: trigger, view: modal('Two', { blocks }) });
    acknowledgement = { response_action: 'errors', errors: { kept: 'Not this.', other: 'Nor this.' } };
    const form = await workspace.as('Ana').modal('Two');
    await form.submit();
    await form.fill('Kept', 'mended');
    await form.press('Press');
    expect(form.errors()).toEqual({ Other: 'Nor this.' });
  });

  it('a form can be found by its external_id, which must be unique', async () => {
    await client.views.open({ trigger_id: trigger, view: modal('Named', { external_id: 'mine' }) });
    await client.views.update({ external_id: 'mine', view: modal('Renamed', { external_id: 'mine' }) });
    await workspace.as('Ana').modal('Renamed');
    await workspace.as('Ben').type('/form');
    const second = client.views.open({ trigger_id: trigger, view: modal('Other', { external_id: 'mine' }) });
    expect((await refusal(second)).error).toBe('duplicate_external_id');
  });

  it('a closed form cannot be updated', async () => {
    const { view } = await client.views.open({ trigger_id: trigger, view: modal('Short') });
    await (await workspace.as('Ana').modal('Short')).close();
    const lateUpdate = client.views.update({ view_id: view?.id ?? '', view: modal('Late') });
    expect((await refusal(lateUpdate)).error).toBe('not_found');
  });

  it('at most three forms can be stacked', async () => {
    await client.views.open({ trigger_id: trigger, view: modal('One') });
    acknowledgement = { response_action: 'push', view: modal('Two') };
    await (await workspace.as('Ana').modal('One')).submit();
    acknowledgement = { response_action: 'push', view: modal('Three') };
    const two = await workspace.as('Ana').modal('Two');
    expect((await two.submit()).view?.title()).toBe('Three');
    acknowledgement = { response_action: 'push', view: modal('Four') };
    const three = await workspace.as('Ana').modal('Three');
    expect((await three.submit()).trouble).toBe('We had some trouble connecting. Try again?');
    expect((await refusal(client.views.push({ trigger_id: trigger, view: modal('Four') }))).error).toBe(
      'push_limit_reached',
    );
    acknowledgement = undefined;
    expect((await three.submit()).view?.title()).toBe('Two');
    acknowledgement = { response_action: 'clear' };
    expect(await (await workspace.as('Ana').modal('Two')).submit()).toMatchObject({
      closed: true,
      view: undefined,
    });
  });

  it('an acknowledgement can replace a form, unless Slack would refuse the new form', async () => {
    await client.views.open({ trigger_id: trigger, view: modal('Asking') });
    acknowledgement = { response_action: 'update', view: modal('y'.repeat(25)) };
    const form = await workspace.as('Ana').modal('Asking');
    expect((await form.submit()).trouble).toBe('We had some trouble connecting. Try again?');
    acknowledgement = { response_action: 'update', view: modal('Saved') };
    expect((await form.submit()).view?.title()).toBe('Saved');
  });

  it.each([
    ['a block that is not an input', { response_action: 'errors', errors: { nowhere: 'Wrong' } }],
    ['no block at all', { response_action: 'errors', errors: {} }],
    ['an action that does not exist', { response_action: 'celebrate' }],
  ])('the form shows Slack’s own error if the acknowledgement names %s', async (_, response) => {
    await client.views.open({ trigger_id: trigger, view: modal('Asking') });
    acknowledgement = response;
    const result = await (await workspace.as('Ana').modal('Asking')).submit();
    expect(result).toMatchObject({
      closed: false,
      errors: {},
      trouble: 'We had some trouble connecting. Try again?',
    });
  });

  it('Home can be published, and a hash protects it from outdated updates', async () => {
    const home = (text: string) => ({
      type: 'home' as const,
      blocks: [{ type: 'header' as const, text: plainText(text) }],
    });
    const user_id = 'U01ANAFERR';
    const { view } = await client.views.publish({ user_id, view: home('One') });
    await client.views.publish({ user_id, hash: view?.hash ?? '', view: home('Two') });
    const outdatedUpdate = client.views.publish({ user_id, hash: view?.hash ?? '', view: home('Three') });
    expect((await refusal(outdatedUpdate)).error).toBe('hash_conflict');
    expect((await refusal(client.views.publish({ user_id, view: modal('Modal') }))).error).toBe(
      'invalid_arguments',
    );
  });
});
