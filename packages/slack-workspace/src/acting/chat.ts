import { findChat } from '../interactions/assistant.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { type MessageChoices, MessagePlace } from './form.ts';
import { Participant, type WaitOptions } from './participant.ts';
import { type DialogChoice, findElement, isButton, isField, type Place } from './place.ts';
import { describeThreadStatuses, readMessage } from './read-blocks.ts';
import { requireChannel } from './require-by-name.ts';

/** The messages of a channel or chat in front of a person. */
export abstract class Conversation extends Participant {
  /** For errors: ` in #general`. */
  protected abstract readonly where: string;
  readonly #choices: MessageChoices = new Map();

  /** Everything visible now, such as messages, Slack's notices, the app's status and the modal on top. */
  abstract read(): string;

  /** The visible messages, as the workspace stores them. */
  abstract visible(): StoredMessage[];

  /** The visible messages as places, in which the person can use buttons and menus. */
  places(): Place[] {
    return this.visible().map((message) => new MessagePlace(this.site, this.person, message, this.#choices));
  }

  /** Presses a button of the newest message that has it. Resolves when the app has acknowledged. */
  async press(button: string, options: WaitOptions & DialogChoice = {}): Promise<void> {
    const place = await this.waitFor(`a message with [${button}]${this.where}`, options, () =>
      this.places().findLast((each) => findElement(each, button, isButton)),
    );
    await place.press(button, options);
  }

  /** Chooses options of a menu, in the newest message that has it. */
  async choose(
    menu: string,
    wanted: string | readonly string[],
    options: WaitOptions & DialogChoice = {},
  ): Promise<void> {
    const place = await this.waitFor(`a message with “${menu}”${this.where}`, options, () =>
      this.places().findLast((each) => findElement(each, menu, isField)),
    );
    await place.choose(menu, wanted, options);
  }

  /** Waits until `read()` contains this text. */
  async sees(text: string, options: WaitOptions = {}): Promise<void> {
    await this.waitFor(`“${text}”`, options, () => this.read().includes(text));
  }

  /** Waits until `read()` doesn't contain this text any more. */
  async seesNoLonger(text: string, options: WaitOptions = {}): Promise<void> {
    await this.waitFor(`“${text}” to disappear`, options, () => !this.read().includes(text));
  }

  protected waitFor<T>(description: string, options: WaitOptions, find: () => T | undefined | false) {
    return this.waitUntil(description, options, find, () => this.read());
  }
}

/** A chat with the app as an assistant, in a test. */
export class Chat extends Conversation {
  protected readonly where = '';
  /** The direct message with the app. */
  readonly channel: string;
  readonly ts: string;

  constructor(site: Site, person: Person, { channel, ts }: { channel: string; ts: string }) {
    super(site, person);
    this.channel = channel;
    this.ts = ts;
  }

  async type(text: string): Promise<void> {
    const { channel, ts: threadTs } = this;
    await this.act({ act: 'message', channel, text, threadTs });
  }

  /** Sends the message of a suggested prompt, once the app has suggested it. */
  async pick(prompt: string, options: WaitOptions = {}): Promise<void> {
    const found = await this.waitFor(`the suggestion [${prompt}]`, options, () =>
      this.prompts().find(({ title }) => title === prompt),
    );
    await this.type(found.message);
  }

  /** Goes to another channel, such as `#general`, with the chat open beside it. */
  async goTo(name: string): Promise<void> {
    const channel = requireChannel(this.site, name).id;
    await this.act({ act: 'chat-context', ts: this.ts, channel });
  }

  /** The title, the messages, the app's status, and its suggested prompts in brackets. */
  read(): string {
    const chat = findChat(this.site, this.channel, this.ts);
    return [
      chat?.title ?? 'New chat',
      ...this.visible().map((message) => readMessage(this.site, this.person, message)),
      ...describeThreadStatuses(this.site, this.person.id, this.channel, this.ts),
      chat?.prompts?.title ?? '',
      ...this.prompts().map((prompt) => `[${prompt.title}]`),
    ]
      .filter((line) => line !== '')
      .join('\n');
  }

  prompts(): readonly { title: string; message: string }[] {
    return findChat(this.site, this.channel, this.ts)?.prompts?.prompts ?? [];
  }

  visible(): StoredMessage[] {
    const all = this.site.state.messages[this.channel] ?? [];
    const { id } = this.person;
    return all.filter(({ threadTs, ephemeralTo = id }) => threadTs === this.ts && ephemeralTo === id);
  }
}
