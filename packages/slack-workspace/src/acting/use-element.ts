import { computeValues, getStateField } from '../blocks/element-values.ts';
import { type InteractiveElement, listMessageBlocks } from '../blocks/list-elements.ts';
import { act } from '../interactions/act.ts';
import { buildRichTextElements } from '../interactions/rich-text.ts';
import { getRecord, getStrings, getText } from '../json.ts';
import type { ElementState, Person, ViewValues } from '../protocol.ts';
import { isDay } from '../rules/find-problems.ts';
import type { Site } from '../site.ts';
import { buildFileEntry, uploadByPerson } from '../state/files.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { ActingError } from './acting-error.ts';
import { buildPressedState, isButton, isField, type Place, requireElement } from './place.ts';
import { renderMrkdwn } from './render-mrkdwn.ts';

/** A file that a person chooses from their computer. */
export interface LocalFile {
  name: string;
  bytes: Uint8Array;
}

/** Whether a picker of this type can hold a text, in the format of Slack's payloads. */
const CAN_HOLD: Readonly<Record<string, (text: string) => boolean>> = {
  datepicker: isDay,
  timepicker: (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
  datetimepicker: (text) => !Number.isNaN(Date.parse(text)),
};

/** The value of a field of this type for the text that a person writes into it. */
function readAs(type: string, text: string): unknown {
  if (text === '') return null;
  if (type === 'rich_text_input') return { type: 'rich_text', elements: buildRichTextElements(text) };
  if (CAN_HOLD[type]?.(text) === false)
    throw new ActingError('wrong_element', `A ${type} can't hold “${text}”`);
  return type === 'datetimepicker' ? Math.floor(Date.parse(text) / 1000) : text;
}

/** Fields of an element's state with a written value. The others contain choices or files. */
const WRITTEN_FIELDS = new Set([
  'value',
  'rich_text_value',
  'selected_date',
  'selected_time',
  'selected_date_time',
]);

/** Whether a person writes into the element, as into a text field or a date picker. */
export function isWritable({ type }: InteractiveElement): boolean {
  return WRITTEN_FIELDS.has(getStateField(type) ?? '');
}

/** Writes into a field: text, a number, `2026-12-01`, `09:00`; into a datetimepicker an ISO 8601 date and time. */
export async function fill(
  place: Place,
  label: string,
  text: string,
  choice: DialogChoice = {},
): Promise<void> {
  const placed = requireElement(place, label, isField);
  const field = getStateField(placed.type);
  if (field === undefined || !isWritable(placed)) {
    throw new ActingError(
      'wrong_element',
      `“${label}” in ${place.name} is a ${placed.type}: nobody can write into it`,
    );
  }
  const state = { type: placed.type, [field]: readAs(placed.type, text) };
  await change(place, placed, label, state, choice);
}

/** Chooses files for a file field, which replace the files that were chosen before. */
export async function attach(place: Place, label: string, files: readonly LocalFile[]): Promise<void> {
  const placed = requireElement(place, label, ({ type }) => type === 'file_input');
  const entries = await Promise.all(
    files.map(async ({ name, bytes }) => {
      const file = await uploadByPerson(place.site, place.person.id, name, Buffer.from(bytes));
      return buildFileEntry(file);
    }),
  );
  await place.setState(placed, { type: placed.type, files: entries });
}

/**
 * Whether a change is sent to the app at once: always outside of an input block, and in an input block with
 * `dispatch_action`.
 */
export function dispatches({ block, element, isInput, type }: InteractiveElement): boolean {
  if (!isInput) return true;
  if (block.dispatch_action !== true) return false;
  if (!type.endsWith('_input')) return true;
  const config = getRecord(element, 'dispatch_action_config');
  return config !== undefined && getStrings(config, 'trigger_actions_on').includes('on_character_entered');
}

/** Changes the state of a field. If the change is sent to the app at once, the person confirms it first. */
export async function change(
  place: Place,
  placed: InteractiveElement,
  name: string,
  state: ElementState,
  choice: DialogChoice,
): Promise<void> {
  if (!dispatches(placed) || isConfirmed(place, placed, name, choice)) await place.setState(placed, state);
}

/** Presses a button. Resolves when the app has acknowledged. */
export async function pressButton(place: Place, name: string, choice: DialogChoice = {}): Promise<void> {
  const placed = requireElement(place, name, isButton);
  if (isConfirmed(place, placed, name, choice))
    await dispatch(place, placed, buildPressedState(placed, name));
}

/** Presses Enter in a text field, which sends `block_actions` if the block has `dispatch_action`. */
export async function pressEnter(place: Place, label: string): Promise<void> {
  const placed = requireElement(place, label, isField);
  const state = place.values()[placed.blockId]?.[placed.actionId];
  if (placed.block.dispatch_action === true && state) await dispatch(place, placed, state);
}

export async function dispatch(
  place: Place,
  placed: InteractiveElement,
  element: ElementState,
): Promise<void> {
  const { blockId, actionId } = placed;
  await act(place.site, place.person.id, {
    id: 0,
    act: 'press',
    container: place.container,
    blockId,
    actionId,
    element,
    values: place.values(),
  });
}

/** What a person chose in messages, by ts. Slack sends it to the app again with the next press in that message. */
export type MessageChoices = Map<string, ViewValues>;

/** A message as a place whose buttons and menus a person uses. */
export function createMessagePlace(
  site: Site,
  person: Person,
  message: StoredMessage,
  choices: MessageChoices,
): Place {
  const blocks = listMessageBlocks(message);
  const place: Place = {
    site,
    person,
    container: { type: 'message', channel: message.channel, ts: message.ts },
    name: `the message “${message.text}”`,
    blocks: () => blocks,
    values: () => computeValues(blocks, choices.get(message.ts) ?? {}),
    setState: async (placed, state) => {
      const { blockId, actionId } = placed;
      const values = place.values();
      choices.set(message.ts, { ...values, [blockId]: { ...values[blockId], [actionId]: state } });
      await dispatch(place, placed, state);
    },
  };
  return place;
}

/** How a person answers the confirmation dialog of a button or menu. */
export interface DialogChoice {
  /** Required if the element has such a dialog (`confirm` in Block Kit), and an error if it has none. */
  dialog?: 'confirm' | 'deny';
}

/** A dialog as the person reads it, with its buttons in brackets. */
function readDialog({ site, person }: Place, { element }: InteractiveElement): string | undefined {
  const dialog = getRecord(element, 'confirm');
  if (!dialog) return undefined;
  const [title, text, confirm, deny] = ['title', 'text', 'confirm', 'deny'].map(
    (part) => getText(dialog, part) ?? '',
  );
  return [title, renderMrkdwn(site, person, text ?? ''), `[${confirm}] [${deny}]`].join('\n');
}

/** Whether the person continues, because there is no dialog or they confirm it. Throws if the choice doesn't fit. */
function isConfirmed(
  place: Place,
  placed: InteractiveElement,
  name: string,
  { dialog }: DialogChoice,
): boolean {
  const visible = readDialog(place, placed);
  if (visible === undefined) {
    if (dialog === undefined) return true;
    throw new ActingError('no_dialog', `“${name}” in ${place.name} has no confirmation dialog`);
  }
  if (dialog !== undefined) return dialog === 'confirm';
  const advice = 'Answer it with dialog: “confirm” or “deny”.';
  throw new ActingError('unanswered_dialog', `“${name}” opens a confirmation dialog. ${advice}`, visible);
}
