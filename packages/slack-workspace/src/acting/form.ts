import { computeValues, listElements } from '../blocks/element-values.ts';
import { act } from '../interactions/act.ts';
import { getRecords, getText } from '../json.ts';
import type { Person, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { StoredView } from '../state/saved-state.ts';
import { getModalStack } from '../state/views.ts';
import { ActingError } from './acting-error.ts';
import { choose, listOptions, search } from './choose.ts';
import { getLabel, isField, type Place, requireElement } from './place.ts';
import { readBlocks, readState } from './read-blocks.ts';
import {
  attach,
  type DialogChoice,
  dispatch,
  dispatches,
  fill,
  type LocalFile,
  pressButton,
  pressEnter,
} from './use-element.ts';

/** The result of submitting a modal, as the person sees it. */
interface SubmitResult {
  /** The error of each field, by label. */
  errors: Record<string, string>;
  /** Whether the modal was closed. */
  closed: boolean;
  /** The modal on top. Undefined if none is open. */
  view: Form | undefined;
  /** Slack's error message if the app acknowledged late or wrongly. */
  trouble: string | undefined;
}

/** A modal in front of a person, who finds its fields and buttons by the text that they see. */
export class Form {
  readonly #site: Site;
  readonly #person: Person;
  readonly #viewId: string;
  #typed: ViewValues = {};

  constructor(site: Site, person: Person, viewId: string) {
    this.#site = site;
    this.#person = person;
    this.#viewId = viewId;
  }

  get open(): boolean {
    return this.#stored() !== undefined;
  }

  title(): string {
    return getText(this.#view().view, 'title') ?? '';
  }

  /** Everything visible, with one element on each line, buttons in brackets and values in parentheses. */
  text(): string {
    const { view } = this.#view();
    const reading = { site: this.#site, reader: this.#person, values: this.#values() };
    const buttons = Object.values(this.buttons()).filter((text) => text !== undefined);
    return [
      this.title(),
      readBlocks(reading, getRecords(view, 'blocks')),
      ...Object.entries(this.errors()).map(([label, error]) => `${label}: ${error}`),
      buttons.map((text) => `[${text}]`).join(' '),
    ].join('\n');
  }

  /** The value of a field, as the person sees it. */
  value(label: string): string {
    const { blockId, actionId } = requireElement(this.place, label, isField);
    return readState(this.#site, this.#values()[blockId]?.[actionId]);
  }

  /** The texts of the modal's own buttons. */
  buttons(): { close: string | undefined; submit: string | undefined } {
    const { view } = this.#view();
    return { close: getText(view, 'close'), submit: getText(view, 'submit') };
  }

  /** The labels of the fields, from top to bottom. */
  labels(): string[] {
    return listElements(getRecords(this.#view().view, 'blocks'))
      .filter((placed) => placed.isInput)
      .map(getLabel);
  }

  /** The error of each field, by label. */
  errors(): Record<string, string> {
    const { errors, view } = this.#view();
    const placed = listElements(getRecords(view, 'blocks'));
    return Object.fromEntries(
      Object.entries(errors).map(([blockId, text]) => {
        const field = placed.find((one) => one.blockId === blockId);
        return [field ? getLabel(field) : blockId, text];
      }),
    );
  }

  /** Writes into a field: text, a number, `2026-12-01`, `09:00`; into a datetimepicker an ISO 8601 date and time. */
  fill(label: string, text: string, choice: DialogChoice = {}): Promise<void> {
    return fill(this.place, label, text, choice);
  }

  /** Chooses options by their text, or a person or channel by name. */
  choose(label: string, wanted: string | readonly string[], choice: DialogChoice = {}): Promise<void> {
    return choose(this.place, label, wanted, choice);
  }

  /** Types into a menu that loads its options from the app, and returns their texts. */
  search(label: string, words: string): Promise<string[]> {
    return search(this.place, label, words);
  }

  /** The texts of the options of a menu, checkboxes or radio buttons. */
  options(label: string): string[] {
    return listOptions(this.place, label);
  }

  /** Chooses files for a file field, which replace the files that were chosen before. */
  attach(label: string, files: readonly LocalFile[]): Promise<void> {
    return attach(this.place, label, files);
  }

  /** Presses Enter in a text field, which sends `block_actions` if the block has `dispatch_action`. */
  enter(label: string): Promise<void> {
    return pressEnter(this.place, label);
  }

  /** Presses a button among the blocks. {@link submit} and {@link close} press the modal's own buttons. */
  press(button: string, choice: DialogChoice = {}): Promise<void> {
    return pressButton(this.place, button, choice);
  }

  /** Presses the modal's submit button. Resolves when the app has acknowledged. */
  async submit(): Promise<SubmitResult> {
    let trouble: string | undefined;
    try {
      await act(this.#site, this.#person.id, {
        id: 0,
        act: 'submit',
        viewId: this.#viewId,
        values: this.#values(),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble = error.code;
    }
    const top = getModalStack(this.#site, this.#person.id).at(-1);
    const other = top && new Form(this.#site, this.#person, top.id);
    return {
      errors: this.open ? this.errors() : {},
      closed: !this.open,
      view: top?.id === this.#viewId ? this : other,
      trouble,
    };
  }

  /** Presses the modal's close button. */
  async close(): Promise<void> {
    await act(this.#site, this.#person.id, { id: 0, act: 'close', viewId: this.#viewId });
  }

  #stored(): StoredView | undefined {
    return getModalStack(this.#site, this.#person.id).find((entry) => entry.id === this.#viewId);
  }

  #view(): StoredView {
    const stored = this.#stored();
    if (!stored) throw new ActingError('closed_modal', 'This modal is no longer open');
    return stored;
  }

  get place(): Place {
    return {
      site: this.#site,
      person: this.#person,
      container: { type: 'view', viewId: this.#viewId },
      name: `the modal “${this.title()}”`,
      blocks: () => getRecords(this.#view().view, 'blocks'),
      values: () => this.#values(),
      setState: async (placed, state) => {
        const { blockId, actionId } = placed;
        this.#typed = { ...this.#typed, [blockId]: { ...this.#typed[blockId], [actionId]: state } };
        if (dispatches(placed)) await dispatch(this.place, placed, state);
      },
    };
  }

  /** The values of all fields: those that the person changed, and the stored values of the others. */
  #values(): ViewValues {
    const { view, values } = this.#view();
    const merged: ViewValues = { ...values };
    for (const [blockId, states] of Object.entries(this.#typed))
      merged[blockId] = { ...merged[blockId], ...states };
    return computeValues(getRecords(view, 'blocks'), merged);
  }
}
