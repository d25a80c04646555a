import { computeValues } from './form-values.js';
import { addNotice } from './notice.js';
import { readBlocks } from './slack-json.js';
import { changeForm, setValue } from './state.js';

/**
 * @import { Connection } from './connection.js'
 * @import { Container, ElementState, OpenView, ViewValues } from '../protocol.ts'
 * @import { PageState } from './state.js'
 * @import { Store } from './store.js'
 */

/** The app has replaced the pressed element in the meantime. The person sees the new view, so this needs no message. */
const ELEMENT_REPLACED = 'element_not_found';

/** The workspace no longer has the modal: it was closed in another tab, or the workspace was restarted. */
const EXPIRED_ERRORS = ['view_not_found', 'view_expired', 'view_closed', 'not_found'];

const NOT_ANSWERED_TEXT = 'The app didn’t answer in time, so this may have failed. Please try again.';

/**
 * @param {Store<PageState>} store
 * @param {Connection['request']} request
 */
export function createFormActions(store, request) {
  return {
    /**
     * @param {Container} container
     * @param {string} blockId
     * @param {string} actionId
     * @param {ElementState} element
     */
    change: (container, blockId, actionId, element) =>
      store.update((state) =>
        applyChange(state, container, (values) => setValue(values, blockId, actionId, element), blockId),
      ),

    /**
     * @param {Container} container
     * @param {string} blockId
     * @param {string} actionId
     * @param {ElementState} element
     * @param {readonly unknown[]} blocks of the container
     */
    press: async (container, blockId, actionId, element, blocks) => {
      const values = readValues(store.get(), container, blocks);
      const answer = await request({ act: 'press', container, blockId, actionId, element, values });
      if (answer.ok || answer.error === ELEMENT_REPLACED) return;
      if (container.type === 'view') markFailed(store, container.viewId, answer.error);
      else store.update((state) => addNotice(state, NOT_ANSWERED_TEXT));
    },

    /** @param {OpenView} open */
    submit: async (open) => {
      const form = store.get().forms[open.id];
      if (form === undefined || form.phase === 'waiting' || form.phase === 'expired') return;
      store.update((state) => changeForm(state, open.id, { phase: 'waiting', errors: {} }));
      const answer = await request({ act: 'submit', viewId: open.id, values: form.values });
      if (answer.ok) store.update((state) => changeForm(state, open.id, { phase: 'ready' }));
      else markFailed(store, open.id, answer.error);
    },

    /**
     * @param {string} viewId
     * @param {boolean} [all]
     */
    closeView: async (viewId, all = false) => {
      const answer = await request({ act: 'close', viewId, all });
      if (answer.ok) return;
      if (EXPIRED_ERRORS.includes(answer.error)) store.update((state) => removeView(state, viewId));
      else markFailed(store, viewId, answer.error);
    },
  };
}

/**
 * @param {PageState} state
 * @param {Container} container
 * @param {(values: ViewValues) => ViewValues} change
 * @param {string} blockId the changed block, whose error disappears
 * @returns {PageState}
 */
function applyChange(state, container, change, blockId) {
  if (container.type !== 'view') {
    const key = getContainerKey(container);
    return {
      ...state,
      messageValues: { ...state.messageValues, [key]: change(state.messageValues[key] ?? {}) },
    };
  }
  const form = state.forms[container.viewId];
  if (form === undefined) return state;
  const { [blockId]: _, ...errors } = form.errors;
  return changeForm(state, container.viewId, { values: change(form.values), errors });
}

/**
 * @param {Store<PageState>} store
 * @param {string} viewId
 * @param {string} error
 */
function markFailed(store, viewId, error) {
  store.update((state) =>
    changeForm(state, viewId, { phase: EXPIRED_ERRORS.includes(error) ? 'expired' : 'failed' }),
  );
}

/**
 * @param {PageState} state
 * @param {string} viewId
 * @returns {PageState}
 */
function removeView(state, viewId) {
  if (state.workspace === undefined) return state;
  return {
    ...state,
    workspace: { ...state.workspace, views: state.workspace.views.filter((view) => view.id !== viewId) },
  };
}

/**
 * The current values of all inputs of the container.
 * @param {PageState} state
 * @param {Container} container
 * @param {readonly unknown[]} blocks
 */
export function readValues(state, container, blocks) {
  if (container.type === 'view') return state.forms[container.viewId]?.values ?? {};
  return computeValues(readBlocks(blocks), state.messageValues[getContainerKey(container)]);
}

/** @param {Container} container */
export function getContainerKey(container) {
  if (container.type === 'view') return container.viewId;
  return container.type === 'message'
    ? `${container.channel}/${container.ts}`
    : `home/${container.app ?? ''}`;
}
