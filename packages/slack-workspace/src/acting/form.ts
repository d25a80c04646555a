import { computeValues, listElements, listMessageBlocks, mergeValues } from '../blocks/element-values.ts';
import { getRecords, getText, type Json } from '../json.ts';
import type { Container, Person, ViewValues } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import type { StoredMessage, StoredView } from '../state/saved-state.ts';
import { findHome, getModalStack, storeValues } from '../state/views.ts';
import { ActingError } from './acting-error.ts';
import { getLabel, isField, Place } from './place.ts';
import { readBlocks, readState } from './read-blocks.ts';

/** The result of submitting a modal, as the person sees it. */
interface SubmitResult {
  /** The error of each field, by label. */
  errors: Record<string, string>;
  closed: boolean;
  /** The modal on top. */
  view: Form | undefined;
  /** Slack's error message if the app acknowledged late or wrongly. */
  trouble: string | undefined;
}

/** A modal in front of a person. */
export class Form extends Place {
  readonly #viewId: string;

  constructor(site: Site, person: Person, viewId: string) {
    super(site, person);
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
    const reading = { site: this.site, reader: this.person, values: this.values };
    const buttons = Object.values(this.buttons()).filter((text) => text !== undefined);
    return [
      this.title(),
      readBlocks(reading, this.blocks),
      ...Object.entries(this.errors()).map(([label, error]) => `${label}: ${error}`),
      buttons.map((text) => `[${text}]`).join(' '),
    ].join('\n');
  }

  /** The value of a field, as the person sees it. */
  value(label: string): string {
    const { blockId, actionId } = this.require(label, isField);
    return readState(this.site, this.values[blockId]?.[actionId]);
  }

  /** The texts of the modal's own buttons. */
  buttons(): { close: string | undefined; submit: string | undefined } {
    const { view } = this.#view();
    return { close: getText(view, 'close'), submit: getText(view, 'submit') };
  }

  /** The labels of the fields, from top to bottom. */
  labels(): string[] {
    return listElements(this.blocks)
      .filter((placed) => placed.isInput)
      .map(getLabel);
  }

  /** The error of each field, by label. */
  errors(): Record<string, string> {
    const placed = listElements(this.blocks);
    return Object.fromEntries(
      Object.entries(this.#view().errors).map(([blockId, text]) => {
        const field = placed.find((one) => one.blockId === blockId);
        return [field ? getLabel(field) : blockId, text];
      }),
    );
  }

  /** Presses the modal's submit button. Resolves when the app has acknowledged. */
  async submit(): Promise<SubmitResult> {
    let trouble: string | undefined;
    try {
      await this.act({ act: 'submit', viewId: this.#viewId, values: this.values });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      trouble = error.code;
    }
    const top = getModalStack(this.site, this.person.id).at(-1);
    const other = top && new Form(this.site, this.person, top.id);
    return {
      errors: this.open ? this.errors() : {},
      closed: !this.open,
      view: top?.id === this.#viewId ? this : other,
      trouble,
    };
  }

  /** Presses the modal's close button. */
  async close(): Promise<void> {
    await this.act({ act: 'close', viewId: this.#viewId });
  }

  #stored(): StoredView | undefined {
    return getModalStack(this.site, this.person.id).find((entry) => entry.id === this.#viewId);
  }

  #view(): StoredView {
    const stored = this.#stored();
    if (!stored) throw new ActingError('closed_modal', 'This modal is no longer open');
    return stored;
  }

  protected get container(): Container {
    return { type: 'view', viewId: this.#viewId };
  }

  protected get name(): string {
    return `the modal “${this.title()}”`;
  }

  get blocks(): Json[] {
    return getRecords(this.#view().view, 'blocks');
  }

  protected get values(): ViewValues {
    return this.#view().values;
  }

  protected store(changed: ViewValues): void {
    storeValues(this.site, this.#view(), mergeValues(this.values, changed));
  }
}

/** The app's Home tab in front of a person. */
export class HomeTab extends Place {
  protected readonly name = 'Home';

  /** Everything visible, with one element on each line, buttons in brackets and values in parentheses. */
  text(): string {
    return readBlocks({ site: this.site, reader: this.person, values: this.values }, this.blocks);
  }

  get #stored(): StoredView | undefined {
    return findHome(this.site, this.person.id);
  }

  protected get container(): Container {
    return { type: 'home', app: this.site.state.app.botUserId };
  }

  get blocks(): Json[] {
    return getRecords(this.#stored?.view ?? {}, 'blocks');
  }

  protected get values(): ViewValues {
    return this.#stored?.values ?? {};
  }

  protected store(changed: ViewValues): void {
    if (this.#stored) storeValues(this.site, this.#stored, mergeValues(this.values, changed));
  }
}

/** What a person chose in messages, by ts. Slack sends it to the app again with the next press in that message. */
export type MessageChoices = Map<string, ViewValues>;

/** A message in front of a person. */
export class MessagePlace extends Place {
  protected readonly container: Container;
  protected readonly name: string;
  readonly blocks: readonly Json[];
  readonly #ts: string;
  readonly #choices: MessageChoices;

  constructor(site: Site, person: Person, message: StoredMessage, choices: MessageChoices) {
    super(site, person);
    this.container = { type: 'message', channel: message.channel, ts: message.ts };
    this.name = `the message “${message.text}”`;
    this.blocks = listMessageBlocks(message);
    this.#ts = message.ts;
    this.#choices = choices;
  }

  protected get values(): ViewValues {
    return computeValues(this.blocks, this.#choices.get(this.#ts) ?? {});
  }

  protected store(changed: ViewValues): void {
    this.#choices.set(this.#ts, mergeValues(this.values, changed));
  }
}
