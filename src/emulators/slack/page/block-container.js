import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { getActionId } from './slack-json.js';

/**
 * The place of blocks: a message, a modal or the Home tab, with the state of its inputs and its actions.
 * @import { Confirm } from '@slack/types'
 * @import { Container, ElementState, ViewValues } from '../protocol.ts'
 * @import { Answer } from './connection.js'
 * @typedef {object} BlockContainer
 * @property {Container} container
 * @property {ViewValues} values
 * @property {Record<string, string>} errors block_id → words
 * @property {boolean} inert nothing can be changed while the app is asked
 * @property {(blockId: string, actionId: string, state: ElementState) => void} change
 * @property {(blockId: string, actionId: string, state: ElementState) => Promise<void>} press settles when the app has answered
 * @property {(blockId: string, actionId: string, typed: string) => Promise<Answer>} options
 * @property {(confirm: Confirm) => Promise<boolean>} confirm
 */

export const BlockContainerContext = createContext(/** @type {BlockContainer | undefined} */ (undefined));

/** @returns {BlockContainer} */
export function useBlockContainer() {
  const surface = useContext(BlockContainerContext);
  if (surface === undefined) throw new Error('No surface around this block.');
  return surface;
}

/**
 * @typedef {object} Control what an element needs to know of its place
 * @property {string} id of its DOM element
 * @property {ElementState | undefined} state
 * @property {boolean} inert
 * @property {Record<string, string | undefined>} described ARIA attributes: label, description, error
 * @property {(state: ElementState) => Promise<void>} set changes the state, and tells the app where the element dispatches
 * @property {() => Promise<boolean>} allowed asks the person, where the element has a confirm dialog
 * @property {(state: ElementState) => void} type changes the state only
 * @property {(state: ElementState) => Promise<void>} dispatch tells the app only
 *
 * @typedef {object} BlockSettings
 * @property {string} blockId
 * @property {boolean} dispatches
 * @property {string} [label] words for elements that have no visible label
 * @property {string} [labelId]
 * @property {string} [describedBy]
 * @property {boolean} [invalid]
 * @property {boolean} [optional]
 */

/**
 * @param {{ type: string, action_id?: string, confirm?: Confirm }} element
 * @param {BlockSettings} place
 * @returns {Control}
 */
export function useControl(element, place) {
  const surface = useBlockContainer();
  const actionId = getActionId(element);
  const { blockId } = place;
  /** @param {ElementState} state */
  const type = (state) => surface.change(blockId, actionId, state);
  /** @param {ElementState} state */
  const dispatch = (state) => surface.press(blockId, actionId, state);
  const allowed = async () => element.confirm === undefined || (await surface.confirm(element.confirm));
  return {
    id: getControlId(surface.container, blockId, actionId),
    state: surface.values[blockId]?.[actionId],
    inert: surface.inert,
    described: {
      'aria-label': place.labelId === undefined ? (place.label ?? LABELS.get(element.type)) : undefined,
      'aria-labelledby': place.labelId,
      'aria-describedby': place.describedBy,
      'aria-invalid': place.invalid ? 'true' : undefined,
    },
    allowed,
    type,
    dispatch,
    set: async (state) => {
      if (!place.dispatches) return type(state);
      if (!(await allowed())) return;
      type(state);
      await dispatch(state);
    },
  };
}

/** Names of fields without a label or placeholder. */
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
  const where =
    container.type === 'view' ? container.viewId : container.type === 'message' ? container.ts : 'home';
  return `${where}--${blockId}--${actionId}`.replace(/\s/g, '-');
}
