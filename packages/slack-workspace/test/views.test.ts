import type { ModalView } from '@slack/types';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createButtonRow,
  createHeader,
  createInput,
  createModal,
  createPlainText,
} from './support/blocks.ts';
import { expectError, openBolt } from './support/fixtures.ts';
import { catchRefusal } from './support/workspace.ts';
import { acknowledgeWithPayload } from './support/workspace-bolt.ts';

function createForm(title: string, extra: Partial<ModalView> = {}): ModalView {
  const kept = { type: 'plain_text_input' as const, action_id: 'text', initial_value: `from ${title}` };
  return createModal(title, [createInput('Kept', kept)], extra);
}

let now = Date.UTC(2026, 10, 20);
const fixture = await openBolt({ now: () => now });
/** The trigger of the last interaction. */
let trigger = '';
/** The response to the next submission. */
let acknowledgement: object | undefined;

const { workspace } = fixture;
const { client } = fixture.app;
fixture.app.command('/form', async ({ ack, body }) => {
  trigger = body.trigger_id;
  await ack();
});
fixture.app.action('press', ({ ack }) => ack());
fixture.app.view({ callback_id: /.*/, type: 'view_submission' }, async ({ ack, body }) => {
  trigger = String(Object.entries(body).find(([key]) => key === 'trigger_id')?.[1]);
  await acknowledgeWithPayload(ack, acknowledgement);
});

const open = (view: ModalView) => client.views.open({ trigger_id: trigger, view });

describe('views', () => {
  beforeEach(async () => {
    acknowledgement = undefined;
    await workspace.as('Ana').in('#general').type('/form');
  });

  it('a form opens only with a trigger that is at most 3 s old', async () => {
    now += 3_000;
    await open(createForm('In time'));
    await workspace.as('Ana').modal('In time');
    await workspace.as('Ana').type('/form');
    now += 3_001;
    await expectError(open(createForm('Late')), 'expired_trigger_id');
  });

  it('a trigger is unknown after a reset', async () => {
    workspace.reset();
    await expectError(open(createForm('Of before')), 'invalid_trigger_id');
  });

  it('an interactivity_pointer opens a form as a trigger_id does, and once', async () => {
    const view = createForm('Pointed');
    await client.views.open({ interactivity_pointer: trigger, view });
    await workspace.as('Ana').modal('Pointed');
    const again = client.views.open({ trigger_id: trigger, view });
    await expectError(again, 'exchanged_trigger_id');
  });

  it('a form of 250 KB opens, and a form of one more byte is refused', async () => {
    const makeSection = (length: number) => ({
      type: 'section' as const,
      text: createPlainText('x'.repeat(length)),
    });
    const createLargeView = (lastLength: number): ModalView => ({
      ...createForm('Large'),
      blocks: [
        ...Array.from({ length: 80 }, () => makeSection(3000)),
        ...Array.from({ length: 5 }, () => makeSection(lastLength)),
      ],
    });
    // Five blocks fill most of the missing size, and the metadata fills the remainder.
    const missingLength = 250 * 1024 - JSON.stringify(createLargeView(0)).length;
    const largeView = createLargeView(Math.floor(missingLength / 5) - 10);
    const maxMetadataLength = 250 * 1024 - JSON.stringify({ ...largeView, private_metadata: '' }).length;
    const openWithMetadata = (length: number) => open({ ...largeView, private_metadata: 'x'.repeat(length) });
    await expectError(openWithMetadata(maxMetadataLength + 1), 'view_too_large');
    await openWithMetadata(maxMetadataLength);
  });

  it('an invalid form is refused with Slack’s message and pointer, and its trigger stays valid', async () => {
    const invalidOpening = open(createForm('x'.repeat(25)));
    expect(await catchRefusal(invalidOpening)).toEqual({
      error: 'invalid_arguments',
      messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
    });
    await open(createForm('x'.repeat(24)));
  });

  it('a form can be updated only with the newest hash', async () => {
    const { view } = await open(createForm('First'));
    const id = view?.id ?? '';
    const update = (hash: string | undefined, title: string) =>
      client.views.update({ view_id: id, hash: hash ?? '', view: createForm(title) });
    const updated = await update(view?.hash, 'Second');
    await expectError(update(view?.hash, 'Third'), 'hash_conflict');
    await update(updated.view?.hash, 'Third');
    await workspace.as('Ana').modal('Third');
  });

  it('the text in a field stays while its ids stay; a field that is new or comes back gets its initial value', async () => {
    const { view } = await open(createForm('Before'));
    const form = await workspace.as('Ana').modal('Before');
    expect(form.value('Kept')).toBe('from Before');
    await form.fill('Kept', 'typed');
    await client.views.update({ view_id: view?.id ?? '', view: createForm('After') });
    expect(form.value('Kept')).toBe('typed');
    const other = JSON.parse(JSON.stringify(createForm('Anew')).replace('"kept"', '"other"'));
    await client.views.update({ view_id: view?.id ?? '', view: other });
    expect(form.value('Kept')).toBe('from Anew');
    await client.views.update({ view_id: view?.id ?? '', view: createForm('Again') });
    expect(form.value('Kept')).toBe('from Again');
  });

  it('an update by the app removes the old errors of a form', async () => {
    const { view } = await open(createForm('Asking'));
    acknowledgement = { response_action: 'errors', errors: { kept: 'Not this.' } };
    const form = await workspace.as('Ana').modal('Asking');
    expect((await form.submit()).errors).toEqual({ Kept: 'Not this.' });
    await client.views.update({ view_id: view?.id ?? '', view: createForm('Asking') });
    expect(form.errors()).toEqual({});
  });

  it('a button press removes the error of a corrected field, and no other error', async () => {
    const other = { type: 'plain_text_input' as const, action_id: 'text', initial_value: 'as it was' };
    const blocks: ModalView['blocks'] = [
      ...createForm('Two').blocks,
      { type: 'input', block_id: 'other', label: createPlainText('Other'), element: other },
      createButtonRow('press', 'Press'),
    ];
    await open(createForm('Two', { blocks }));
    acknowledgement = { response_action: 'errors', errors: { kept: 'Not this.', other: 'Nor this.' } };
    const form = await workspace.as('Ana').modal('Two');
    await form.submit();
    await form.fill('Kept', 'mended');
    await form.press('Press');
    expect(form.errors()).toEqual({ Other: 'Nor this.' });
  });

  it('a form can be found by its external_id, which must be unique', async () => {
    await open(createForm('Named', { external_id: 'mine' }));
    await client.views.update({ external_id: 'mine', view: createForm('Renamed', { external_id: 'mine' }) });
    await workspace.as('Ana').modal('Renamed');
    await workspace.as('Ben').type('/form');
    await expectError(open(createForm('Other', { external_id: 'mine' })), 'duplicate_external_id');
  });

  it('a form without a submit button can only be closed', async () => {
    const { submit: _, ...message } = createForm('Saved', { blocks: [createHeader('Saved')] });
    await open(message);
    const form = await workspace.as('Ana').modal('Saved');
    expect((await form.submit()).trouble).toBe('not_found');
    await form.close();
    expect(form.open).toBe(false);
  });

  it('a closed form cannot be updated', async () => {
    const { view } = await open(createForm('Short'));
    await (await workspace.as('Ana').modal('Short')).close();
    const lateUpdate = client.views.update({ view_id: view?.id ?? '', view: createForm('Late') });
    await expectError(lateUpdate, 'not_found');
  });

  it('at most three forms can be stacked', async () => {
    await open(createForm('One'));
    acknowledgement = { response_action: 'push', view: createForm('Two') };
    await (await workspace.as('Ana').modal('One')).submit();
    acknowledgement = { response_action: 'push', view: createForm('Three') };
    const two = await workspace.as('Ana').modal('Two');
    expect((await two.submit()).view?.title()).toBe('Three');
    acknowledgement = { response_action: 'push', view: createForm('Four') };
    const three = await workspace.as('Ana').modal('Three');
    expect((await three.submit()).trouble).toBe('We had some trouble connecting. Try again?');
    const fourth = client.views.push({ trigger_id: trigger, view: createForm('Four') });
    await expectError(fourth, 'push_limit_reached');
    acknowledgement = undefined;
    expect((await three.submit()).view?.title()).toBe('Two');
    acknowledgement = { response_action: 'clear' };
    const cleared = await (await workspace.as('Ana').modal('Two')).submit();
    expect(cleared).toMatchObject({ closed: true, view: undefined });
  });

  it('an acknowledgement can replace a form, unless Slack would refuse the new form', async () => {
    await open(createForm('Asking'));
    acknowledgement = { response_action: 'update', view: createForm('y'.repeat(25)) };
    const form = await workspace.as('Ana').modal('Asking');
    expect((await form.submit()).trouble).toBe('We had some trouble connecting. Try again?');
    acknowledgement = { response_action: 'update', view: createForm('Saved') };
    expect((await form.submit()).view?.title()).toBe('Saved');
  });

  it.each([
    ['a block that is not an input', { response_action: 'errors', errors: { nowhere: 'Wrong' } }],
    ['no block at all', { response_action: 'errors', errors: {} }],
    ['an action that does not exist', { response_action: 'celebrate' }],
  ])('the form shows Slack’s own error if the acknowledgement names %s', async (_, response) => {
    await open(createForm('Asking'));
    acknowledgement = response;
    const result = await (await workspace.as('Ana').modal('Asking')).submit();
    const trouble = 'We had some trouble connecting. Try again?';
    expect(result).toMatchObject({ closed: false, errors: {}, trouble });
  });

  it('Home can be published, and a hash protects it from outdated updates', async () => {
    const createHome = (text: string) => ({ type: 'home' as const, blocks: [createHeader(text)] });
    const user_id = 'U01ANAFERR';
    const { view } = await client.views.publish({ user_id, view: createHome('One') });
    await client.views.publish({ user_id, hash: view?.hash ?? '', view: createHome('Two') });
    const outdated = { user_id, hash: view?.hash ?? '', view: createHome('Three') };
    await expectError(client.views.publish(outdated), 'hash_conflict');
    await expectError(client.views.publish({ user_id, view: createForm('Modal') }), 'invalid_arguments');
  });
});
