import { computeValues, mergeValues } from '../blocks/element-values.ts';
import { isRecord } from '../json.ts';
import type { Container, ElementState, OpenView, ViewValues } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { addNotice, changeForm, type PageState } from './state.ts';
import type { Store } from './store.ts';

/** The app has replaced the pressed element in the meantime. The person sees the new view, so this needs no message. */
const ELEMENT_REPLACED = 'element_not_found';

/** The workspace no longer has the modal: it was closed in another tab, or the workspace was restarted. */
const EXPIRED_ERRORS = ['view_not_found', 'view_expired', 'view_closed', 'not_found'];

const NOT_ANSWERED_TEXT = 'The app didn’t answer in time, so this may have failed. Please try again.';

export function createFormActions(store: Store<PageState>, request: Connection['request']) {
  return {
    change: (container: Container, blockId: string, actionId: string, element: ElementState) =>
      store.update((state) => {
        const changed = { [blockId]: { [actionId]: element } };
        return applyChange(state, container, (values) => mergeValues(values, changed), blockId);
      }),

    /** `blocks`: of the container. */
    press: async (
      container: Container,
      blockId: string,
      actionId: string,
      element: ElementState,
      blocks: readonly unknown[],
    ) => {
      const values = readValues(store.get(), container, blocks);
      const answer = await request({ act: 'press', container, blockId, actionId, element, values });
      if (answer.ok || answer.error === ELEMENT_REPLACED) return;
      if (container.type === 'view') markFailed(store, container.viewId, answer.error);
      else store.update((state) => addNotice(state, NOT_ANSWERED_TEXT));
    },

    submit: async (open: OpenView) => {
      const form = store.get().forms[open.id];
      if (form === undefined || form.phase === 'waiting' || form.phase === 'expired') return;
      store.update((state) => changeForm(state, open.id, { phase: 'waiting', errors: {} }));
      const answer = await request({ act: 'submit', viewId: open.id, values: form.values });
      if (answer.ok) store.update((state) => changeForm(state, open.id, { phase: 'ready' }));
      else markFailed(store, open.id, answer.error);
    },

    closeView: async (viewId: string, all: boolean = false) => {
      const answer = await request({ act: 'close', viewId, all });
      if (answer.ok) return;
      if (EXPIRED_ERRORS.includes(answer.error)) store.update((state) => removeView(state, viewId));
      else markFailed(store, viewId, answer.error);
    },
  };
}

/** The error of the changed block disappears. */
function applyChange(
  state: PageState,
  container: Container,
  change: (values: ViewValues) => ViewValues,
  blockId: string,
): PageState {
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

function markFailed(store: Store<PageState>, viewId: string, error: string) {
  store.update((state) =>
    changeForm(state, viewId, { phase: EXPIRED_ERRORS.includes(error) ? 'expired' : 'failed' }),
  );
}

function removeView(state: PageState, viewId: string): PageState {
  if (state.workspace === undefined) return state;
  return {
    ...state,
    workspace: { ...state.workspace, views: state.workspace.views.filter((view) => view.id !== viewId) },
  };
}

/** The current values of all inputs of the container. */
export function readValues(state: PageState, container: Container, blocks: readonly unknown[]) {
  if (container.type === 'view') return state.forms[container.viewId]?.values ?? {};
  return computeValues(blocks.filter(isRecord), state.messageValues[getContainerKey(container)] ?? {});
}

export function getContainerKey(container: Container) {
  if (container.type === 'view') return container.viewId;
  return container.type === 'message'
    ? `${container.channel}/${container.ts}`
    : `home/${container.app ?? ''}`;
}
