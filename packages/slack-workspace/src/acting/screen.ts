import type { InteractiveElement } from '../blocks/element-values.ts';
import type { Person } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { Actor } from './actor.ts';
import { Chat } from './chat.ts';
import { type Form, HomeTab } from './form.ts';
import { Participant, type WaitOptions } from './participant.ts';
import {
  type DialogChoice,
  findElement,
  isButton,
  isExternal,
  isField,
  isWritable,
  type LocalFile,
  type Place,
} from './place.ts';
import { type AppChoice, requireHome } from './require-by-name.ts';

/** A value for a field: text, chosen options, or files. Null empties the field. */
export type FieldValue = string | readonly string[] | { files: readonly LocalFile[] } | null;

/**
 * The screen of a person: a channel, the app's Home tab or a chat with it, and the modal on top if one is open. Fields
 * and buttons are searched in the open modal only, because a modal blocks everything behind it. In a channel or chat,
 * they are searched in the newest message that has the element. Each action waits until its element is visible, and
 * resolves when the app has acknowledged.
 */
export class Screen extends Participant {
  readonly actor: Actor;
  /** Undefined in a channel. */
  #tab: HomeTab | Chat | undefined;

  constructor(site: Site, person: Person) {
    super(site, person);
    this.actor = new Actor(site, person);
  }

  get personName(): string {
    return this.person.realName;
  }

  authorName({ username, user }: StoredMessage): string {
    return username ?? findPerson(this.site, user)?.realName ?? user;
  }

  openChannel(name: string): void {
    this.actor.in(name);
    this.#tab = undefined;
  }

  async openTab(tab: 'home' | 'messages' | 'new_chat', choice: AppChoice = {}): Promise<void> {
    this.#tab = undefined;
    if (tab === 'new_chat') this.#tab = this.actor.startChat(choice);
    else if (tab === 'messages') {
      await this.actor.inDirectMessage(choice);
      await this.actor.openMessages(choice);
    } else {
      const app = requireHome(this.site, choice.app);
      this.#tab = new HomeTab(app, this.person);
      await this.act({ act: 'home-opened', app: app.state.app.botUserId });
    }
  }

  /** The name of the channel or tab: `#general`, `@ben`, `Home` or `Chat`. */
  placeName(): string {
    if (this.#tab) return this.#tab instanceof Chat ? 'Chat' : 'Home';
    const { channel } = this.actor;
    if (channel.kind !== 'im') return `#${channel.name}`;
    const other = channel.members.find((id) => id !== this.person.id) ?? this.person.id;
    return `@${findPerson(this.site, other)?.name ?? other}`;
  }

  text(): string {
    if (!this.#tab) return this.actor.read();
    const modal = this.actor.topModal();
    const tab = this.#tab instanceof Chat ? this.#tab.read() : this.#tab.text();
    return [tab, ...(modal ? [modal.text()] : [])].join('\n');
  }

  messages(): StoredMessage[] {
    if (this.#tab) return this.#tab instanceof Chat ? this.#tab.visible() : [];
    return this.actor.visible();
  }

  async type(text: string): Promise<void> {
    await (this.#tab instanceof Chat ? this.#tab : this.actor).type(text);
  }

  /** Drops files into the channel, with a text or without. */
  async drop(files: readonly LocalFile[], text?: string): Promise<void> {
    await this.actor.drop(files, text);
  }

  async fill(
    fields: Readonly<Record<string, FieldValue>>,
    options: WaitOptions & DialogChoice = {},
  ): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      const { place, placed } = await this.#findField(label, options);
      if (placed.type === 'file_input') {
        const files = value !== null && typeof value === 'object' && 'files' in value ? value.files : [];
        await place.attach(label, files);
      } else if (isWritable(placed)) {
        await place.fill(label, typeof value === 'string' ? value : '', options);
      } else {
        const chosen = typeof value === 'string' || Array.isArray(value) ? value : [];
        await place.choose(label, chosen, options);
      }
    }
  }

  /** Presses a button, also the submit or close button of a modal or a suggested prompt of a chat. */
  async press(button: string, options: WaitOptions & DialogChoice = {}): Promise<void> {
    const press = await this.#waitFor(`a button [${button}]`, options, () => {
      const modal = this.actor.topModal();
      const own = modal && findModalButton(modal, button);
      if (own) return own;
      const chat = this.#tab instanceof Chat && !modal ? this.#tab : undefined;
      if (chat?.prompts().some(({ title }) => title === button)) return () => chat.pick(button);
      const place = this.#places().findLast((each) => findElement(each, button, isButton));
      return place && (() => place.press(button, options));
    });
    await press();
  }

  async enter(field: string, options: WaitOptions = {}): Promise<void> {
    await (await this.#findField(field, options)).place.enter(field);
  }

  /** The options that a menu offers, after typing a text into it if the app loads its options. */
  async listOptions(menu: string, typed: string | undefined, options: WaitOptions = {}): Promise<string[]> {
    const { place, placed } = await this.#findField(menu, options);
    return isExternal(placed) ? place.search(menu, typed ?? '') : place.options(menu);
  }

  /** Waits until all of this is true at the same time. `modal` is the title of the modal on top. */
  async wait(
    { text, no_text: noText, modal }: { text?: string; no_text?: string; modal?: string },
    options: WaitOptions = {},
  ): Promise<void> {
    const parts = [
      text === undefined ? undefined : `“${text}”`,
      noText === undefined ? undefined : `“${noText}” to disappear`,
      modal === undefined ? undefined : `a modal “${modal}”`,
    ];
    await this.#waitFor(parts.filter((part) => part !== undefined).join(' and '), options, () => {
      const visible = this.text();
      return (
        (text === undefined || visible.includes(text)) &&
        (noText === undefined || !visible.includes(noText)) &&
        (modal === undefined || this.actor.topModal()?.title() === modal)
      );
    });
  }

  /** The places whose elements can be used, the newest last. */
  #places(): Place[] {
    const modal = this.actor.topModal();
    if (modal) return [modal];
    return this.#tab instanceof HomeTab ? [this.#tab] : (this.#tab ?? this.actor).places();
  }

  #findField(label: string, options: WaitOptions): Promise<{ place: Place; placed: InteractiveElement }> {
    return this.#waitFor(`a field “${label}”`, options, () =>
      this.#places()
        .flatMap((place) => {
          const placed = findElement(place, label, isField);
          return placed ? [{ place, placed }] : [];
        })
        .at(-1),
    );
  }

  #waitFor<T>(description: string, options: WaitOptions, find: () => T | undefined | false): Promise<T> {
    return this.waitUntil(description, options, find, () => this.text());
  }
}

function findModalButton(modal: Form, name: string): (() => Promise<void>) | undefined {
  const { submit, close } = modal.buttons();
  if (name === close) return () => modal.close();
  if (name !== submit) return undefined;
  return async () => {
    const { trouble } = await modal.submit();
    if (trouble !== undefined) throw new Refusal(trouble);
  };
}
