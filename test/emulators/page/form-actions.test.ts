import { expect, test } from 'vitest';
import { createFormActions } from '../../../src/emulators/slack/page/form-actions.js';
import { type afterServer, initialState } from '../../../src/emulators/slack/page/state.js';
import { createStore } from '../../../src/emulators/slack/page/store.js';

/** A modal that is open, and a server that answers every request so. */
function openModal(error: string) {
  const form = { values: {}, errors: {}, phase: 'ready' as const };
  const store = createStore<ReturnType<typeof afterServer>>({ ...initialState, forms: { V1: form } });
  const actions = createFormActions(store, async () => ({ ok: false, error }));
  const phase = () => store.get().forms.V1?.phase;
  const press = () => actions.press({ type: 'view', viewId: 'V1' }, 'when', 'a', { type: 'button' }, []);
  return { phase, press };
}

test('a press that the app has overtaken with another view leaves the modal as it is', async () => {
  const { phase, press } = openModal('element_not_found');
  await press();
  expect(phase()).toBe('ready');
});

test('a press in a modal that is gone says that it has expired', async () => {
  const { phase, press } = openModal('not_found');
  await press();
  expect(phase()).toBe('expired');
});
