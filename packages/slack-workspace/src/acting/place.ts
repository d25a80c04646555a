import {
  getStateField,
  type InteractiveElement,
  listElements,
  listOptions,
} from '../blocks/element-values.ts';
import { buildRichTextElements } from '../interactions/rich-text.ts';
import { getRecord, getString, getStrings, getText, isRecord, type Json } from '../json.ts';
import type { Container, ElementState, ViewValues } from '../protocol.ts';
import { isDay } from '../rules/field-rule.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { buildFileEntry, uploadByPerson } from '../state/files.ts';
import { makeWordSet } from '../words.ts';
import { ActingError } from './acting-error.ts';
import { Participant } from './participant.ts';
import { renderMrkdwn } from './read-blocks.ts';
import { requireChannel, requirePerson } from './require-by-name.ts';

/** A file that a person chooses from their computer. */
export interface LocalFile {
  name: string;
  bytes: Uint8Array;
}

/** How a person answers the confirmation dialog of a button or menu. */
export interface DialogChoice {
  /** Required if the element has such a dialog (`confirm` in Block Kit), and an error if it has none. */
  dialog?: 'confirm' | 'deny';
}

type Fits = (placed: InteractiveElement) => boolean;

const BUTTONS = new Set(['button', 'feedback_buttons', 'icon_button', 'workflow_button']);

export const isButton: Fits = ({ type }) => BUTTONS.has(type);
export const isField: Fits = (placed) => !isButton(placed);
export const isExternal: Fits = ({ type }) => type.endsWith('external_select');

/** Fields of an element's state with a written value. The others contain choices or files. */
const WRITTEN_FIELDS = makeWordSet('value rich_text_value selected_date selected_time selected_date_time');

/** Whether a person writes into the element, as into a text field or a date picker. */
export const isWritable: Fits = ({ type }) => WRITTEN_FIELDS.has(getStateField(type) ?? '');

/** The two buttons of a feedback_buttons element. */
function listFeedbackSides(element: Json): { label: string; value: unknown }[] {
  return ['positive_button', 'negative_button'].flatMap((name) => {
    const side = getRecord(element, name) ?? {};
    const label = getText(side, 'text');
    return label === undefined ? [] : [{ label, value: side.value }];
  });
}

/**
 * The names by which a person finds an element: its label, its own text or accessibility label, its placeholder, or
 * the text beside it. Slack calls every overflow menu “More options”.
 */
function listNames({ block, element }: InteractiveElement): string[] {
  return [
    getText(block, 'label'),
    getText(element, 'text'),
    getString(element, 'accessibility_label'),
    getText(element, 'placeholder'),
    ...listFeedbackSides(element).map(({ label }) => label),
    element.type === 'overflow' ? 'More options' : undefined,
    getText(block, 'text'),
  ].filter((name) => name !== undefined);
}

export const getLabel = (placed: InteractiveElement): string => listNames(placed)[0] ?? placed.type;

/** Finds an element among the blocks of a place by one of its names. */
export function findElement({ blocks }: Place, name: string, fits: Fits): InteractiveElement | undefined {
  return listElements(blocks).find((placed) => fits(placed) && listNames(placed).includes(name));
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

/** Whether a change is sent to the app at once. In an input block, only with `dispatch_action`. */
function dispatches({ block, element, isInput, type }: InteractiveElement): boolean {
  if (!isInput) return true;
  if (block.dispatch_action !== true) return false;
  if (!type.endsWith('_input')) return true;
  const config = getRecord(element, 'dispatch_action_config');
  return config !== undefined && getStrings(config, 'trigger_actions_on').includes('on_character_entered');
}

const readTexts = (options: readonly Json[]) => options.map((option) => getText(option, 'text') ?? '');

/**
 * A modal, a message or the Home tab: blocks in front of a person, who finds its fields and buttons by the text that
 * they see. Each action resolves when the app has acknowledged.
 */
export abstract class Place extends Participant {
  protected abstract readonly container: Container;
  /** For errors: `the modal “Schedule a post”`. */
  protected abstract readonly name: string;
  abstract readonly blocks: readonly Json[];
  /** The state of all fields, with what the person changed and the app doesn't know yet. */
  protected abstract readonly values: ViewValues;
  /** Stores what the person changed. */
  protected abstract store(changed: ViewValues): void;

  /** Finds an element by name. The error lists the names that exist. */
  protected require(name: string, fits: Fits): InteractiveElement {
    const found = findElement(this, name, fits);
    if (found) return found;
    const labels = listElements(this.blocks).filter(fits).map(getLabel);
    throw new ActingError(
      'unknown_element',
      `There is no “${name}” in ${this.name}. There is: ${labels.map((label) => `“${label}”`).join(', ')}`,
    );
  }

  /** Presses a button among the blocks. */
  async press(button: string, choice: DialogChoice = {}): Promise<void> {
    const placed = this.require(button, isButton);
    if (!this.#isConfirmed(placed, button, choice)) return;
    const { type, element } = placed;
    const side = listFeedbackSides(element).find(({ label }) => label === button);
    await this.#dispatch(placed, side ? { type, value: side.value } : { type });
  }

  /** Writes into a field: text, a number, `2026-12-01`, `09:00`; into a datetimepicker an ISO 8601 date and time. */
  async fill(label: string, text: string, choice: DialogChoice = {}): Promise<void> {
    const placed = this.require(label, isField);
    const { type } = placed;
    const field = getStateField(type);
    if (field === undefined || !isWritable(placed))
      throw this.#createTypeError(label, type, 'nobody can write into it');
    await this.#change(placed, label, { type, [field]: readAs(type, text) }, choice);
  }

  /** Chooses options by their text, or a person or channel by name. They replace the earlier choice. */
  async choose(label: string, wanted: string | readonly string[], choice: DialogChoice = {}): Promise<void> {
    const placed = this.require(label, isField);
    const { type } = placed;
    const field = type === 'overflow' ? 'selected_option' : getStateField(type);
    if (!field?.startsWith('selected_') || isWritable(placed))
      throw this.#createTypeError(label, type, 'it has no options');
    const chosen: unknown[] = [];
    for (const text of [wanted].flat()) chosen.push(await this.#findChosen(placed, field, text));
    const value = field.endsWith('s') ? chosen : (chosen[0] ?? null);
    await this.#change(placed, label, { type, [field]: value }, choice);
  }

  /** Types into a menu that loads its options from the app, and returns their texts. */
  async search(label: string, words: string): Promise<string[]> {
    return readTexts(await this.#loadOptions(this.require(label, isExternal), words));
  }

  /** The texts of the options of a menu, checkboxes or radio buttons. */
  options(label: string): string[] {
    return readTexts(listOptions(this.require(label, isField).element));
  }

  /** Chooses files for a file field, which replace the files that were chosen before. */
  async attach(label: string, files: readonly LocalFile[]): Promise<void> {
    const placed = this.require(label, ({ type }) => type === 'file_input');
    const uploads = files.map(({ name, bytes }) =>
      uploadByPerson(this.site, this.person.id, name, Buffer.from(bytes)),
    );
    const entries = (await Promise.all(uploads)).map(buildFileEntry);
    await this.#setState(placed, { type: placed.type, files: entries });
  }

  /** Presses Enter in a text field, which sends `block_actions` if the block has `dispatch_action`. */
  async enter(label: string): Promise<void> {
    const placed = this.require(label, isField);
    const state = this.values[placed.blockId]?.[placed.actionId];
    if (placed.block.dispatch_action === true && state) await this.#dispatch(placed, state);
  }

  #createTypeError(label: string, type: string, reason: string): ActingError {
    return new ActingError('wrong_element', `“${label}” in ${this.name} is a ${type}: ${reason}`);
  }

  async #loadOptions({ element, blockId, actionId }: InteractiveElement, value: string): Promise<Json[]> {
    const minLength = element.min_query_length ?? SLACK_LIMITS.minQueryLength.value;
    if (typeof minLength === 'number' && value.length < minLength) {
      throw new ActingError(
        'query_too_short',
        `This menu in ${this.name} searches for ${minLength} letters or more, not for “${value}”`,
      );
    }
    const { container } = this;
    const answer = await this.act({ act: 'options', container, blockId, actionId, value });
    return isRecord(answer) ? listOptions(answer) : [];
  }

  /** The option with this text or, for people and conversations, the id for this name. */
  async #findChosen(placed: InteractiveElement, field: string, text: string): Promise<unknown> {
    if (field.startsWith('selected_user')) return requirePerson(this.site, text).id;
    if (!field.startsWith('selected_option')) return requireChannel(this.site, text).id;
    const isSearched = isExternal(placed);
    const options = isSearched ? await this.#loadOptions(placed, text) : listOptions(placed.element);
    const texts = readTexts(options);
    const similar = options.filter((_, index) => isSearched && texts[index]?.includes(text));
    const found = options[texts.indexOf(text)] ?? (similar.length === 1 ? similar[0] : undefined);
    if (found) return found;
    throw new ActingError(
      'unknown_option',
      `There is no option “${text}” in ${this.name}. Offered: ${texts.join(', ')}`,
    );
  }

  /** Changes a field. If the change is sent to the app at once, the person confirms it first. */
  async #change(placed: InteractiveElement, name: string, state: ElementState, choice: DialogChoice) {
    if (!dispatches(placed) || this.#isConfirmed(placed, name, choice)) await this.#setState(placed, state);
  }

  async #setState(placed: InteractiveElement, state: ElementState): Promise<void> {
    this.store({ [placed.blockId]: { [placed.actionId]: state } });
    if (dispatches(placed)) await this.#dispatch(placed, state);
  }

  async #dispatch({ blockId, actionId }: InteractiveElement, element: ElementState): Promise<void> {
    const { container, values } = this;
    await this.act({ act: 'press', container, blockId, actionId, element, values });
  }

  /** Whether the person continues, because there is no dialog or they confirm it. Throws if the choice doesn't fit. */
  #isConfirmed({ element }: InteractiveElement, name: string, { dialog }: DialogChoice): boolean {
    const confirm = getRecord(element, 'confirm');
    if (!confirm) {
      if (dialog === undefined) return true;
      throw new ActingError('no_dialog', `“${name}” in ${this.name} has no confirmation dialog`);
    }
    if (dialog !== undefined) return dialog === 'confirm';
    const [title, text = '', yes, no] = ['title', 'text', 'confirm', 'deny'].map(
      (part) => getText(confirm, part) ?? '',
    );
    const visible = [title, renderMrkdwn(this.site, this.person, text), `[${yes}] [${no}]`].join('\n');
    const advice = 'Answer it with dialog: “confirm” or “deny”.';
    throw new ActingError('unanswered_dialog', `“${name}” opens a confirmation dialog. ${advice}`, visible);
  }
}
