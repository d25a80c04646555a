import { act } from '../interactions/act.ts';
import { findChat } from '../interactions/assistant.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { findByName, isButton, type Place } from './place.ts';
import { describeThreadStatuses, readMessage } from './read-blocks.ts';
import { requireChannel } from './require-by-name.ts';
import { createMessagePlace, type DialogChoice, type MessageChoices, pressButton } from './use-element.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** A chat with the app as an assistant, in a test. */
export class Chat {
  readonly #site: Site;
  readonly #person: Person;
  /** The direct message with the app. */
  readonly channel: string;
  /** The ts of the thread. */
  readonly ts: string;
  readonly #choices: MessageChoices = new Map();

  constructor(site: Site, person: Person, { channel, ts }: { channel: string; ts: string }) {
    this.#site = site;
    this.#person = person;
    this.channel = channel;
    this.ts = ts;
  }

  /** Sends a message. */
  async type(text: string): Promise<void> {
    const { channel, ts: threadTs } = this;
    await act(this.#site, this.#person.id, { id: 0, act: 'message', channel, text, threadTs });
  }

  /** Sends the message of a suggested prompt, once the app has suggested it. */
  async pick(prompt: string, options: WaitOptions = {}): Promise<void> {
    const found = await this.#waitFor(`the suggestion [${prompt}]`, options, () =>
      this.prompts().find(({ title }) => title === prompt),
    );
    await this.type(found.message);
  }

  /** Presses a button of the newest message that has it. Resolves when the app has acknowledged. */
  async press(button: string, options: WaitOptions & DialogChoice = {}): Promise<void> {
    const place = await this.#waitFor(`a message with [${button}]`, options, () =>
      this.listMessagePlaces().findLast((each) => findByName(each, button, isButton)),
    );
    await pressButton(place, button, options);
  }

  /** Goes to another channel, such as `#general`, with the chat open beside it. */
  async goTo(name: string): Promise<void> {
    const channel = requireChannel(this.#site, name).id;
    await act(this.#site, this.#person.id, { id: 0, act: 'chat-context', ts: this.ts, channel });
  }

  /** Waits until this text is visible in the chat. */
  async sees(text: string, options: WaitOptions = {}): Promise<void> {
    await this.#waitFor(`“${text}”`, options, () => (this.read().includes(text) ? true : undefined));
  }

  /** The title, the messages, the app's status, and its suggested prompts in brackets. */
  read(): string {
    const chat = findChat(this.#site, this.channel, this.ts);
    const messages = this.messages().map((message) => readMessage(this.#site, this.#person, message));
    const statuses = describeThreadStatuses(this.#site, this.#person.id, this.channel, this.ts);
    const title = chat?.prompts?.title ?? '';
    const prompts = this.prompts().map((prompt) => `[${prompt.title}]`);
    return [this.#title(), ...messages, ...statuses, title, ...prompts]
      .filter((line) => line !== '')
      .join('\n');
  }

  #title(): string {
    return findChat(this.#site, this.channel, this.ts)?.title ?? 'New chat';
  }

  /** The prompts that the app suggests now. */
  prompts(): readonly { title: string; message: string }[] {
    return findChat(this.#site, this.channel, this.ts)?.prompts?.prompts ?? [];
  }

  /** The messages of the chat, whose buttons and menus the person can use. */
  listMessagePlaces(): Place[] {
    return this.messages().map((message) =>
      createMessagePlace(this.#site, this.#person, message, this.#choices),
    );
  }

  /** The messages of the chat, as the workspace stores them. */
  messages(): StoredMessage[] {
    const all = this.#site.state.messages[this.channel] ?? [];
    return all.filter(
      ({ threadTs, ephemeralTo = this.#person.id }) =>
        threadTs === this.ts && ephemeralTo === this.#person.id,
    );
  }

  #waitFor<T>(description: string, options: WaitOptions, find: () => T | undefined): Promise<T> {
    const readVisible = () => this.read();
    return waitFor(this.#site, this.#person.id, { description, find, readVisible, ...options });
  }
}
