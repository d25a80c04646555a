import type { Confirm } from '@slack/types';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { getStateField } from '../blocks/element-values.ts';
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

/** The settings of a block that its elements need. */
export interface BlockSettings {
  blockId: string;
  /** Whether a change sends an action to the app. */
  dispatches: boolean;
  /** For elements without a visible label. */
  label?: string | undefined;
  labelId?: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  isOptional?: boolean;
}

/** The props of an element's component. */
export interface ElementProps<E> {
  element: E;
  settings: BlockSettings;
}

/** The value of one element in Slack's state, and the actions that change it. */
export type Control = ReturnType<typeof useControl>;

export function useControl(
  element: { type: string; action_id?: string; confirm?: Confirm },
  settings: BlockSettings,
) {
  const container = useBlockContainer();
  const actionId = getActionId(element);
  const { blockId } = settings;
  const { type } = element;
  const field = getStateField(type) ?? (type === 'overflow' ? 'selected_option' : 'value');
  const createState = (value: unknown) => ({ type, ...(value === undefined ? {} : { [field]: value }) });
  /** Only changes the value. */
  const change = (value: unknown) => container.change(blockId, actionId, createState(value));
  /** Only sends the action. Buttons have no value. */
  const dispatch = (value?: unknown) => container.press(blockId, actionId, createState(value));
  /** Shows the confirm dialog. True without such a dialog. */
  const confirm = async () => element.confirm === undefined || (await container.confirm(element.confirm));
  return {
    /** Of its DOM element. */
    id: getControlId(container.container, blockId, actionId),
    value: container.values[blockId]?.[actionId]?.[field],
    isInert: container.isInert,
    ariaAttributes: {
      'aria-label': settings.labelId === undefined ? (settings.label ?? LABELS.get(type)) : undefined,
      'aria-labelledby': settings.labelId,
      'aria-describedby': settings.describedBy,
      'aria-invalid': settings.isInvalid ? 'true' : undefined,
    },
    confirm,
    change,
    dispatch,
    /** Changes the value. If the element dispatches actions, also shows its confirm dialog and sends the action. */
    set: async (value: unknown) => {
      if (!settings.dispatches) return change(value);
      if (!(await confirm())) return;
      change(value);
      await dispatch(value);
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
