import type { InteractiveElement } from '../blocks/element-values.ts';
import { act } from '../interactions/act.ts';
import { Refusal } from '../refusal.ts';
import { findPerson } from '../state/directory.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import type { Actor } from './actor.ts';
import { Chat } from './chat.ts';
import { choose, listOptions, search } from './choose.ts';
import type { Form } from './form.ts';
import { HomeTab } from './home-tab.ts';
import { findByName, isButton, isField, type Place, requireElement } from './place.ts';
import { type AppChoice, requireHome } from './require-by-name.ts';
import {
  attach,
  type DialogChoice,
  fill,
  isWritable,
  type LocalFile,
  pressButton,
  pressEnter,
} from './use-element.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** A value for a field: text, chosen options, or files. Null empties the field. */
export type FieldValue = string | readonly string[] | { files: readonly LocalFile[] } | null;

/** A condition that a person waits for. All parts must be true at the same time. */
interface ScreenCondition {
  text?: string | undefined;
  noText?: string | undefined;
  /** The title of the modal on top. */
  modal?: string | undefined;
}

/**
 * The screen of a person: a channel, the app's Home tab or a chat with it, and the modal on top if one is open. Fields
 * and buttons are searched in the open modal only, because a modal blocks everything behind it. In a channel or chat,
 * they are searched in the newest message that has the element. Each action waits until its element is visible.
 */
export class Screen {
  readonly actor: Actor;
  /** Undefined in a channel. */
  #tab: HomeTab | Chat | undefined;

  constructor(actor: Actor) {
    this.actor = actor;
  }

  openChannel(name: string): void {
    this.actor.in(name);
    this.#tab = undefined;
  }

  /** Opens a tab of an app, or a new chat with it. */
  async openTab(tab: 'home' | 'messages' | 'new_chat', choice: AppChoice = {}): Promise<void> {
    const { site, person } = this.actor;
    this.#tab = undefined;
    if (tab === 'new_chat') this.#tab = this.actor.startChat(choice);
    else if (tab === 'messages') {
      await this.actor.inDirectMessage(choice);
      await this.actor.openMessages(choice);
    } else {
      const app = requireHome(site, choice.app);
      this.#tab = new HomeTab(app, person);
      await act(site, person.id, { id: 0, act: 'home-opened', app: app.state.app.botUserId });
    }
  }

  /** The name of the channel or tab: `#general`, `@ben`, `Home` or `Chat`. */
  placeName(): string {
    if (this.#tab) return this.#tab instanceof Chat ? 'Chat' : 'Home';
    const { site, person, channel } = this.actor;
    if (channel.kind !== 'im') return `#${channel.name}`;
    const other = channel.members.find((id) => id !== person.id) ?? person.id;
    return `@${findPerson(site, other)?.name ?? other}`;
  }

  /** Everything visible, as text. */
  text(): string {
    if (!this.#tab) return this.actor.read();
    const modal = this.actor.topModal();
    const tab = this.#tab instanceof Chat ? this.#tab.read() : this.#tab.text();
    return [tab, ...(modal ? [modal.text()] : [])].join('\n');
  }

  /** The messages of the channel or chat, oldest first. */
  messages(): StoredMessage[] {
    if (this.#tab) return this.#tab instanceof Chat ? this.#tab.messages() : [];
    return this.actor.visible();
  }

  /** Sends a message or a command. */
  async type(text: string): Promise<void> {
    await (this.#tab instanceof Chat ? this.#tab.type(text) : this.actor.type(text));
  }

  /** Fills fields by label. Resolves when the app has acknowledged all `block_actions` of these fields. */
  async fill(
    fields: Readonly<Record<string, FieldValue>>,
    options: WaitOptions & DialogChoice = {},
  ): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      const place = await this.#placeWith(label, isField, options);
      await setField(place, label, value, options);
    }
  }

  /**
   * Presses a button, also the submit or close button of a modal or a suggested prompt of a chat. Resolves when the app
   * has acknowledged.
   */
  async press(button: string, options: WaitOptions & DialogChoice = {}): Promise<void> {
    const press = await this.#waitFor(`a button [${button}]`, options, () => {
      const modal = this.actor.topModal();
      const own = modal && findModalButton(modal, button);
      if (own) return own;
      const chat = this.#tab instanceof Chat && !modal ? this.#tab : undefined;
      if (chat?.prompts().some(({ title }) => title === button)) return () => chat.pick(button);
      const place = this.#places().findLast((each) => findByName(each, button, isButton));
      return place && (() => pressButton(place, button, options));
    });
    await press();
  }

  /** Presses Enter in a text field, which sends `block_actions` if the block has `dispatch_action`. */
  async enter(field: string, options: WaitOptions = {}): Promise<void> {
    await pressEnter(await this.#placeWith(field, isField, options), field);
  }

  /** The options that a menu offers, after typing a text into it if the app loads its options. */
  async listOptions(menu: string, typed: string | undefined, options: WaitOptions = {}): Promise<string[]> {
    const place = await this.#placeWith(menu, isField, options);
    const loads = requireElement(place, menu, isField).type.endsWith('external_select');
    return loads ? search(place, menu, typed ?? '') : listOptions(place, menu);
  }

  async wait({ text, noText, modal }: ScreenCondition, options: WaitOptions = {}): Promise<void> {
    const parts = [
      text === undefined ? undefined : `“${text}”`,
      noText === undefined ? undefined : `“${noText}” to disappear`,
      modal === undefined ? undefined : `a modal “${modal}”`,
    ];
    await this.#waitFor(parts.filter((part) => part !== undefined).join(' and '), options, () => {
      const visible = this.text();
      const isMet =
        (text === undefined || visible.includes(text)) &&
        (noText === undefined || !visible.includes(noText)) &&
        (modal === undefined || this.actor.topModal()?.title() === modal);
      return isMet ? true : undefined;
    });
  }

  /** The places whose elements can be used, the newest last. */
  #places(): Place[] {
    const modal = this.actor.topModal();
    if (modal) return [modal.place];
    if (!this.#tab) return this.actor.listMessagePlaces();
    return this.#tab instanceof Chat ? this.#tab.listMessagePlaces() : [this.#tab.place];
  }

  #placeWith(
    label: string,
    fits: (placed: InteractiveElement) => boolean,
    options: WaitOptions,
  ): Promise<Place> {
    return this.#waitFor(`a field “${label}”`, options, () =>
      this.#places().findLast((place) => findByName(place, label, fits)),
    );
  }

  #waitFor<T>(description: string, options: WaitOptions, find: () => T | undefined): Promise<T> {
    const { site, person } = this.actor;
    const readVisible = () => this.text();
    return waitFor(site, person.id, { description, find, readVisible, ...options });
  }
}

/** The modal's own submit or close button. */
function findModalButton(modal: Form, name: string): (() => Promise<void>) | undefined {
  const { submit, close } = modal.buttons();
  if (name === close) return () => modal.close();
  if (name !== submit) return undefined;
  return async () => {
    const { trouble } = await modal.submit();
    if (trouble !== undefined) throw new Refusal(trouble);
  };
}

async function setField(place: Place, label: string, value: FieldValue, choice: DialogChoice): Promise<void> {
  const placed = requireElement(place, label, isField);
  if (placed.type === 'file_input') {
    const files = value !== null && typeof value === 'object' && 'files' in value ? value.files : [];
    await attach(place, label, files);
  } else if (isWritable(placed)) {
    await fill(place, label, typeof value === 'string' ? value : '', choice);
  } else {
    const chosen = typeof value === 'string' || Array.isArray(value) ? value : [];
    await choose(place, label, chosen, choice);
  }
}
