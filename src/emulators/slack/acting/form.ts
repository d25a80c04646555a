import { valuesOf } from '../blocks/element-state.ts';
import { elementsOf, type PlacedElement } from '../blocks/elements-of.ts';
import { act } from '../interactions/act.ts';
import { uploadFile } from '../interactions/upload-file.ts';
import { recordsIn, wordsIn } from '../json.ts';
import type { ElementState, Person, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { fileEntry } from '../state/files.ts';
import { stackOf } from '../state/modals.ts';
import type { StoredView } from '../state/saved-state.ts';
import { choose, offered, search } from './choose.ts';
import { elementNamed, isButton, labelOf, type Place } from './place.ts';
import { dispatch, dispatches, fill, pressButton } from './use-element.ts';
import { shownState, visibleText } from './visible-text.ts';

/** What a person sees after pressing the modal's own button. */
interface Submitted {
  /** Label → the error under that field. */
  errors: Record<string, string>;
  /** This modal is gone. */
  closed: boolean;
  /** What stands on top now; undefined when no modal is open. */
  view: Form | undefined;
  /** Slack's own words when the app did not answer in time, or not properly. */
  trouble: string | undefined;
}

/** A modal in front of a person: filled, pressed and read by what is visible on it. */
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
    return wordsIn(this.#view().view, 'title') ?? '';
  }

  /** All that is visible, one thing on a line; buttons in brackets, what fields hold in parentheses. */
  text(): string {
    const stored = this.#view();
    const { view } = stored;
    const reading = { site: this.#site, reader: this.#person, values: this.#values() };
    const buttons = [wordsIn(view, 'close'), wordsIn(view, 'submit')].filter((one) => one !== undefined);
    return [
      this.title(),
      visibleText(reading, recordsIn(view, 'blocks')),
      ...Object.entries(this.errors()).map(([label, error]) => `${label}: ${error}`),
      buttons.map((one) => `[${one}]`).join(' '),
    ].join('\n');
  }

  /** What a field holds, in the words that stand in it. */
  value(label: string): string {
    const { blockId, actionId } = elementNamed(this.#place(), label, (one) => !isButton(one));
    return shownState(this.#site, this.#values()[blockId]?.[actionId]);
  }

  /** Labels of the fields, in order. */
  labels(): string[] {
    return elementsOf(recordsIn(this.#view().view, 'blocks'))
      .filter((placed) => placed.input)
      .map(labelOf);
  }

  errors(): Record<string, string> {
    const { errors, view } = this.#view();
    const placed = elementsOf(recordsIn(view, 'blocks'));
    return Object.fromEntries(
      Object.entries(errors).map(([blockId, text]) => {
        const field = placed.find((one) => one.blockId === blockId);
        return [field ? labelOf(field) : blockId, text];
      }),
    );
  }

  fill(label: string, text: string): Promise<void> {
    return fill(this.#place(), this.#set, label, text);
  }

  choose(label: string, wanted: string | readonly string[]): Promise<void> {
    return choose(this.#place(), this.#set, label, wanted);
  }

  search(label: string, words: string): Promise<string[]> {
    return search(this.#place(), label, words);
  }

  options(label: string): string[] {
    return offered(this.#place(), label);
  }

  /** Chooses files for a file field, in place of those that were chosen before. */
  async attach(label: string, files: readonly { name: string; bytes: Uint8Array }[]): Promise<void> {
    const placed = elementNamed(this.#place(), label, ({ type }) => type === 'file_input');
    const entries = await Promise.all(
      files.map(async ({ name, bytes }) => {
        const file = await uploadFile(this.#site, this.#person.id, name, Buffer.from(bytes));
        return fileEntry(file);
      }),
    );
    await this.#set(placed, { type: placed.type, files: entries });
  }

  /** Enter in a text field: tells the app where the block asks for it. */
  async enter(label: string): Promise<void> {
    const placed = elementNamed(this.#place(), label, (one) => !isButton(one));
    const state = this.#values()[placed.blockId]?.[placed.actionId];
    if (placed.block.dispatch_action === true && state) await dispatch(this.#place(), placed, state);
  }

  press(button: string): Promise<void> {
    return pressButton(this.#place(), button);
  }

  /** Presses the modal's own button; resolves when the app has acknowledged. */
  async submit(): Promise<Submitted> {
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
    const top = stackOf(this.#site, this.#person.id).at(-1);
    const self = top?.id === this.#viewId ? this : undefined;
    return {
      errors: this.open ? this.errors() : {},
      closed: !this.open,
      view: self ?? (top ? new Form(this.#site, this.#person, top.id) : undefined),
      trouble,
    };
  }

  /** Cancel. */
  async close(): Promise<void> {
    await act(this.#site, this.#person.id, { id: 0, act: 'close', viewId: this.#viewId });
  }

  #stored(): StoredView | undefined {
    return stackOf(this.#site, this.#person.id).find((entry) => entry.id === this.#viewId);
  }

  #view(): StoredView {
    const stored = this.#stored();
    if (!stored) throw new Error('This modal is no longer open');
    return stored;
  }

  #place(): Place {
    return {
      site: this.#site,
      person: this.#person,
      container: { type: 'view', viewId: this.#viewId },
      name: `the modal “${this.title()}”`,
      blocks: () => recordsIn(this.#view().view, 'blocks'),
      values: () => this.#values(),
    };
  }

  /** As they stand: what was typed, where its field is still there, else what the server knows. */
  #values(): ViewValues {
    const { view, values } = this.#view();
    const both: ViewValues = { ...values };
    for (const [blockId, states] of Object.entries(this.#typed)) {
      both[blockId] = { ...both[blockId], ...states };
    }
    return valuesOf(recordsIn(view, 'blocks'), both);
  }

  readonly #set = async (placed: PlacedElement, state: ElementState): Promise<void> => {
    const { blockId, actionId } = placed;
    this.#typed = { ...this.#typed, [blockId]: { ...this.#typed[blockId], [actionId]: state } };
    if (dispatches(placed)) await dispatch(this.#place(), placed, state);
  };
}
