import { valuesFor } from './form-values.js';
import { withNotice } from './notice.js';
import { blocksIn } from './slack-json.js';
import { withForm, withValue } from './state.js';

/**
 * @import { Connection } from './connection.js'
 * @import { Container, ElementState, OpenView, ViewValues } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @import { Store } from './store.js'
 */

/** The pressed element is gone, because the app has changed the view. This needs no message. */
const OVERTAKEN = 'element_not_found';

/** The workspace no longer knows the modal: it was closed elsewhere, or the workspace was restarted. */
const GONE = ['view_not_found', 'view_expired', 'view_closed', 'not_found'];

const NOT_ANSWERED =
  'The app did not answer that in time, so it may not have happened. Please try again in a moment.';

/**
 * @param {Store<PageState>} store
 * @param {Connection['ask']} ask
 */
export function createFormActions(store, ask) {
  return {
    /**
     * @param {Container} container
     * @param {string} blockId
     * @param {string} actionId
     * @param {ElementState} element
     */
    change: (container, blockId, actionId, element) =>
      store.update((state) =>
        afterChange(state, container, (values) => withValue(values, blockId, actionId, element), blockId),
      ),

    /**
     * @param {Container} container
     * @param {string} blockId
     * @param {string} actionId
     * @param {ElementState} element
     * @param {readonly unknown[]} blocks of the container
     */
    press: async (container, blockId, actionId, element, blocks) => {
      const values = valuesIn(store.get(), container, blocks);
      const answer = await ask({ act: 'press', container, blockId, actionId, element, values });
      if (answer.ok || answer.error === OVERTAKEN) return;
      if (container.type === 'view') failed(store, container.viewId, answer.error);
      else store.update((state) => withNotice(state, NOT_ANSWERED));
    },

    /** @param {OpenView} open */
    submit: async (open) => {
      const form = store.get().forms[open.id];
      if (form === undefined || form.phase === 'waiting' || form.phase === 'expired') return;
      store.update((state) => withForm(state, open.id, { phase: 'waiting', errors: {} }));
      const answer = await ask({ act: 'submit', viewId: open.id, values: form.values });
      if (answer.ok) store.update((state) => withForm(state, open.id, { phase: 'ready' }));
      else failed(store, open.id, answer.error);
    },

    /**
     * @param {string} viewId
     * @param {boolean} [all]
     */
    closeView: async (viewId, all = false) => {
      const answer = await ask({ act: 'close', viewId, all });
      if (answer.ok) return;
      if (GONE.includes(answer.error)) store.update((state) => withoutView(state, viewId));
      else failed(store, viewId, answer.error);
    },
  };
}

/**
 * @param {PageState} state
 * @param {Container} container
 * @param {(values: ViewValues) => ViewValues} change
 * @param {string} blockId of what changes: its error stands only until then
 * @returns {PageState}
 */
function afterChange(state, container, change, blockId) {
  if (container.type !== 'view') {
    const key = containerKey(container);
    return { ...state, inMessages: { ...state.inMessages, [key]: change(state.inMessages[key] ?? {}) } };
  }
  const form = state.forms[container.viewId];
  if (form === undefined) return state;
  const { [blockId]: _mended, ...errors } = form.errors;
  return withForm(state, container.viewId, { values: change(form.values), errors });
}

/**
 * @param {Store<PageState>} store
 * @param {string} viewId
 * @param {string} error
 */
function failed(store, viewId, error) {
  store.update((state) => withForm(state, viewId, { phase: GONE.includes(error) ? 'expired' : 'failed' }));
}

/**
 * @param {PageState} state
 * @param {string} viewId
 * @returns {PageState}
 */
function withoutView(state, viewId) {
  if (state.world === undefined) return state;
  return {
    ...state,
    world: { ...state.world, views: state.world.views.filter((view) => view.id !== viewId) },
  };
}

/**
 * The current values of all inputs of the container.
 * @param {PageState} state
 * @param {Container} container
 * @param {readonly unknown[]} blocks
 */
export function valuesIn(state, container, blocks) {
  if (container.type === 'view') return state.forms[container.viewId]?.values ?? {};
  return valuesFor(blocksIn(blocks), state.inMessages[containerKey(container)]);
}

/** @param {Container} container */
export function containerKey(container) {
  if (container.type === 'view') return container.viewId;
  return container.type === 'message'
    ? `${container.channel}/${container.ts}`
    : `home/${container.app ?? ''}`;
}
