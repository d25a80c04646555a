import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { getActionId } from './slack-json.js';

/**
 * The container of blocks: a message, a modal or the Home tab, with the values of its elements.
 * @import { Confirm } from '@slack/types'
 * @import { Container, ElementState, ViewValues } from '../protocol.ts'
 * @import { Answer } from './connection.js'
 * @typedef {object} BlockContainer
 * @property {Container} container
 * @property {ViewValues} values
 * @property {Record<string, string>} errors block_id → error text
 * @property {boolean} isInert whether elements are disabled, for example while the app answers a submission
 * @property {(blockId: string, actionId: string, state: ElementState) => void} change stores the new state of an element
 * @property {(blockId: string, actionId: string, state: ElementState) => Promise<void>} press sends the action to the
 *   app. Resolves when the app has acknowledged it.
 * @property {(blockId: string, actionId: string, query: string) => Promise<Answer>} loadOptions
 * @property {(confirm: Confirm) => Promise<boolean>} confirm shows a confirm dialog
 */

export const BlockContainerContext = createContext(/** @type {BlockContainer | undefined} */ (undefined));

/** @returns {BlockContainer} */
export function useBlockContainer() {
  const container = useContext(BlockContainerContext);
  if (container === undefined) throw new Error('There is no container around this block.');
  return container;
}

/**
 * @typedef {object} Control the state and actions of one element
 * @property {string} id of its DOM element
 * @property {ElementState | undefined} state
 * @property {boolean} isInert
 * @property {Record<string, string | undefined>} ariaAttributes label, description and error
 * @property {(state: ElementState) => Promise<void>} set changes the state. If the element dispatches actions, also
 *   shows its confirm dialog and sends the action.
 * @property {() => Promise<boolean>} confirm shows the confirm dialog. True without such a dialog.
 * @property {(state: ElementState) => void} change only changes the state
 * @property {(state: ElementState) => Promise<void>} dispatch only sends the action
 *
 * @typedef {object} BlockSettings the settings of a block that its elements need
 * @property {string} blockId
 * @property {boolean} dispatches whether a change sends an action to the app
 * @property {string} [label] for elements without a visible label
 * @property {string} [labelId]
 * @property {string} [describedBy]
 * @property {boolean} [isInvalid]
 * @property {boolean} [isOptional]
 */

/**
 * @param {{ type: string, action_id?: string, confirm?: Confirm }} element
 * @param {BlockSettings} settings
 * @returns {Control}
 */
export function useControl(element, settings) {
  const container = useBlockContainer();
  const actionId = getActionId(element);
  const { blockId } = settings;
  /** @param {ElementState} state */
  const change = (state) => container.change(blockId, actionId, state);
  /** @param {ElementState} state */
  const dispatch = (state) => container.press(blockId, actionId, state);
  const confirm = async () => element.confirm === undefined || (await container.confirm(element.confirm));
  return {
    id: getControlId(container.container, blockId, actionId),
    state: container.values[blockId]?.[actionId],
    isInert: container.isInert,
    ariaAttributes: {
      'aria-label': settings.labelId === undefined ? (settings.label ?? LABELS.get(element.type)) : undefined,
      'aria-labelledby': settings.labelId,
      'aria-describedby': settings.describedBy,
      'aria-invalid': settings.isInvalid ? 'true' : undefined,
    },
    confirm,
    change,
    dispatch,
    set: async (state) => {
      if (!settings.dispatches) return change(state);
      if (!(await confirm())) return;
      change(state);
      await dispatch(state);
    },
  };
}

/** Accessible names of elements without a label or placeholder. */
const LABELS = new Map([
  ['datepicker', 'Select a date'],
  ['timepicker', 'Select a time'],
  ['datetimepicker', 'Select a date and time'],
  ['rich_text_input', 'Write something'],
  ['checkboxes', 'Options'],
  ['radio_buttons', 'Options'],
]);

/**
 * @param {Container} container
 * @param {string} blockId
 * @param {string} [actionId]
 */
export function getControlId(container, blockId, actionId = '') {
  const prefix =
    container.type === 'view' ? container.viewId : container.type === 'message' ? container.ts : 'home';
  return `${prefix}--${blockId}--${actionId}`.replace(/\s/g, '-');
}
