import { act } from '../interactions/act.ts';
import { chatOf } from '../interactions/assistant.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelByName } from '../state/directory.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { messageWith } from './message-with.ts';
import { messageWords } from './message-words.ts';
import { threadStatuses } from './thread-statuses.ts';
import { until } from './until.ts';
import { pressButton } from './use-element.ts';

/** A chat with the app as an assistant, in a test. */
export class Chat {
  readonly #site: Site;
  readonly #person: Person;
  /** The direct message with the app. */
  readonly channel: string;
  /** Of the thread. */
  readonly ts: string;

  constructor(site: Site, person: Person, { channel, ts }: { channel: string; ts: string }) {
    this.#site = site;
    this.#person = person;
    this.channel = channel;
    this.ts = ts;
  }

  async type(text: string): Promise<void> {
    const { channel, ts: threadTs } = this;
    await act(this.#site, this.#person.id, { id: 0, act: 'message', channel, text, threadTs });
  }

  /** Sends the message of a suggestion, once the app has made it. */
  async pick(prompt: string): Promise<void> {
    const found = await this.#until(`the suggestion [${prompt}]`, () =>
      this.#prompts().find(({ title }) => title === prompt),
    );
    await this.type(found.message);
  }

  /** Presses a button of the newest message that has it; resolves when the app has acknowledged. */
  async press(button: string): Promise<void> {
    const scene = { site: this.#site, person: this.#person, channel: this.#title(), chosen: new Map() };
    const place = await messageWith(
      scene,
      { name: button, button: true },
      () => this.#messages(),
      () => this.read(),
    );
    await pressButton(place, button);
  }

  /** Goes to another channel with the chat open: `#general`. */
  async goTo(name: string): Promise<void> {
    const found = channelByName(this.#site, name);
    if (!found) throw new Error(`There is no channel ${name} in this workspace`);
    const { ts } = this;
    await act(this.#site, this.#person.id, { id: 0, act: 'chat-context', ts, channel: found.id });
  }

  async sees(text: string): Promise<void> {
    await this.#until(`“${text}”`, () => (this.read().includes(text) ? true : undefined));
  }

  /** The title, the messages, what the app does now, and its suggestions in brackets. */
  read(): string {
    const chat = chatOf(this.#site, this.channel, this.ts);
    const messages = this.#messages().map((message) => messageWords(this.#site, this.#person, message));
    const statuses = threadStatuses(this.#site, this.#person.id, this.channel, this.ts);
    const title = chat?.prompts?.title ?? '';
    const prompts = this.#prompts().map((prompt) => `[${prompt.title}]`);
    return [this.#title(), ...messages, ...statuses, title, ...prompts]
      .filter((line) => line !== '')
      .join('\n');
  }

  #title(): string {
    return chatOf(this.#site, this.channel, this.ts)?.title ?? 'New chat';
  }

  #prompts() {
    return chatOf(this.#site, this.channel, this.ts)?.prompts?.prompts ?? [];
  }

  #messages(): StoredMessage[] {
    const all = this.#site.state.messages[this.channel] ?? [];
    return all.filter(
      ({ threadTs, ephemeralTo = this.#person.id }) =>
        threadTs === this.ts && ephemeralTo === this.#person.id,
    );
  }

  #until<T>(what: string, look: () => T | undefined): Promise<T> {
    return until(this.#site, this.#person.id, { for: what, look, shown: () => this.read() });
  }
}
