import type { Confirm } from '@slack/types';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Container, ElementState, ViewValues } from '../protocol.ts';
import type { Answer } from './connection.ts';
import { getActionId } from './slack-json.ts';

/** The container of blocks: a message, a modal or the Home tab, with the values of its elements. */
export interface BlockContainer {
  container: Container;
  values: ViewValues;
  /** block_id → error text. */
  errors: Record<string, string>;
  /** Whether elements are disabled, for example while the app answers a submission. */
  isInert: boolean;
  /** Stores the new state of an element. */
  change: (blockId: string, actionId: string, state: ElementState) => void;
  /** Sends the action to the app. Resolves when the app has acknowledged it. */
  press: (blockId: string, actionId: string, state: ElementState) => Promise<void>;
  loadOptions: (blockId: string, actionId: string, query: string) => Promise<Answer>;
  /** Shows a confirm dialog. */
  confirm: (confirm: Confirm) => Promise<boolean>;
}

export const BlockContainerContext = createContext<BlockContainer | undefined>(undefined);

export function useBlockContainer(): BlockContainer {
  const container = useContext(BlockContainerContext);
  if (container === undefined) throw new Error('There is no container around this block.');
  return container;
}

/** The state and actions of one element. */
export interface Control {
  /** Of its DOM element. */
  id: string;
  state: ElementState | undefined;
  isInert: boolean;
  /** label, description and error. */
  ariaAttributes: Record<string, string | undefined>;
  /** Changes the state. If the element dispatches actions, also shows its confirm dialog and sends the action. */
  set: (state: ElementState) => Promise<void>;
  /** Shows the confirm dialog. True without such a dialog. */
  confirm: () => Promise<boolean>;
  /** Only changes the state. */
  change: (state: ElementState) => void;
  /** Only sends the action. */
  dispatch: (state: ElementState) => Promise<void>;
}

/** The settings of a block that its elements need. */
export interface BlockSettings {
  blockId: string;
  /** Whether a change sends an action to the app. */
  dispatches: boolean;
  /** For elements without a visible label. */
  label?: string;
  labelId?: string;
  describedBy?: string;
  isInvalid?: boolean;
  isOptional?: boolean;
}

export function useControl(
  element: { type: string; action_id?: string; confirm?: Confirm },
  settings: BlockSettings,
): Control {
  const container = useBlockContainer();
  const actionId = getActionId(element);
  const { blockId } = settings;
  const change = (state: ElementState) => container.change(blockId, actionId, state);
  const dispatch = (state: ElementState) => container.press(blockId, actionId, state);
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

export function getControlId(container: Container, blockId: string, actionId: string = '') {
  const prefix =
    container.type === 'view' ? container.viewId : container.type === 'message' ? container.ts : 'home';
  return `${prefix}--${blockId}--${actionId}`.replace(/\s/g, '-');
}
