import { expect, test } from 'vitest';
import { createFormActions } from '../../src/page/form-actions.ts';
import { type applyServerMessage, initialState } from '../../src/page/state.ts';
import { createStore } from '../../src/page/store.ts';

/** An open modal, with a server that answers every request with `error`. */
function openModal(error: string) {
  const form = { values: {}, errors: {}, phase: 'ready' as const };
  const store = createStore<ReturnType<typeof applyServerMessage>>({ ...initialState, forms: { V1: form } });
  const actions = createFormActions(store, async () => ({ ok: false, error }));
  const readPhase = () => store.get().forms.V1?.phase;
  const press = () => actions.press({ type: 'view', viewId: 'V1' }, 'when', 'a', { type: 'button' }, []);
  return { readPhase, press };
}

test('a button press in a modal that the app has replaced meanwhile leaves the modal unchanged', async () => {
  const { readPhase, press } = openModal('element_not_found');
  await press();
  expect(readPhase()).toBe('ready');
});

test('a button press in a closed modal shows that the modal has expired', async () => {
  const { readPhase, press } = openModal('not_found');
  await press();
  expect(readPhase()).toBe('expired');
});
