import { valuesOf } from '../blocks/element-state.ts';
import { act } from '../interactions/act.ts';
import { wordsIn } from '../json.ts';
import type { Channel, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelByName } from '../state/directory.ts';
import { messagesFor } from '../state/messages.ts';
import { stackOf } from '../state/modals.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { choose } from './choose.ts';
import { Form } from './form.ts';
import { HomeTab } from './home-tab.ts';
import { messageWords } from './message-words.ts';
import { findByName, isButton, type Place } from './place.ts';
import { until } from './until.ts';
import { dispatch, pressButton } from './use-element.ts';

/** A person in a test: goes to channels, types, presses and reads, as on the page. */
export class Actor {
  readonly #site: Site;
  readonly #person: Person;
  #channel: Channel;
  /** What was chosen in messages, by their ts: an app gets it with the next press. */
  readonly #chosen = new Map<string, ViewValues>();
  /** What Slack said itself, which no channel keeps. */
  readonly #notices: string[] = [];

  constructor(site: Site, person: Person) {
    const [first] = site.state.channels;
    if (!first) throw new Error('This workspace has no channels');
    this.#site = site;
    this.#person = person;
    this.#channel = first;
    site.audience.join(person.id, (message) => {
      if (message.type === 'notice') this.#notices.push(message.text);
    });
  }

  /** Goes to a channel and stays there: `#general`. */
  in(name: string): this {
    const found = channelByName(this.#site, name);
    if (!found) throw new Error(`There is no channel ${name} in this workspace`);
    this.#channel = found;
    return this;
  }

  /** Goes to the direct message with the app. */
  async inDirectMessage(): Promise<this> {
    await act(this.#site, this.#person.id, { id: 0, act: 'open-dm', user: this.#site.state.app.botUserId });
    const found = this.#site.state.channels.find(
      (channel) =>
        channel.kind === 'im' &&
        channel.members.includes(this.#person.id) &&
        channel.members.includes(this.#site.state.app.botUserId),
    );
    if (found) this.#channel = found;
    return this;
  }

  /** Types and sends. A command resolves when it is acknowledged, or when Slack gave up on it. */
  async type(text: string): Promise<void> {
    const kind = text.startsWith('/') ? 'command' : 'message';
    await act(this.#site, this.#person.id, { id: 0, act: kind, channel: this.#channel.id, text });
  }

  /** Answers in the thread of the newest message that holds this text. */
  async reply(toMessage: string, text: string): Promise<void> {
    const first = this.#visible().findLast((entry) => this.#messageText(entry).includes(toMessage));
    if (!first) throw new Error(`There is no message with “${toMessage}” in #${this.#channel.name}`);
    const threadTs = first.threadTs ?? first.ts;
    const { channel } = first;
    await act(this.#site, this.#person.id, { id: 0, act: 'message', channel, text, threadTs });
  }

  /** Waits until a modal with this title is on top. */
  modal(title: string): Promise<Form> {
    return until(this.#site, this.#person.id, {
      for: `a modal “${title}”`,
      look: () => {
        const top = stackOf(this.#site, this.#person.id).at(-1);
        return top && wordsIn(top.view, 'title') === title
          ? new Form(this.#site, this.#person, top.id)
          : undefined;
      },
      shown: () => this.read(),
    });
  }

  /** Waits until this text is visible in the channel, in the modal on top or in what Slack says. */
  async sees(text: string): Promise<void> {
    await until(this.#site, this.#person.id, {
      for: `“${text}”`,
      look: () => (this.read().includes(text) ? true : undefined),
      shown: () => this.read(),
    });
  }

  /** All that is visible now: the channel's messages, Slack's notices, the modal on top. */
  read(): string {
    const top = stackOf(this.#site, this.#person.id).at(-1);
    return [
      ...this.messages(),
      ...this.#notices,
      ...(top ? [new Form(this.#site, this.#person, top.id).text()] : []),
    ].join('\n');
  }

  /** The visible messages of a channel as texts, oldest first; where the person is, unless named. */
  messages(channel?: string): string[] {
    const id = channel === undefined ? this.#channel.id : channelByName(this.#site, channel)?.id;
    if (id === undefined) throw new Error(`There is no channel ${channel} in this workspace`);
    return messagesFor(this.#site, id, this.#person.id).map((message) => this.#messageText(message));
  }

  /** Presses a button of the newest message that has it; resolves when the app has acknowledged. */
  async press(button: string): Promise<void> {
    await pressButton(await this.#messageWith(button, true), button);
  }

  /** Chooses in a menu of the newest message that has it. */
  async choose(menu: string, wanted: string | readonly string[]): Promise<void> {
    const place = await this.#messageWith(menu, false);
    const { container } = place;
    await choose(
      place,
      async (placed, state) => {
        const { blockId, actionId } = placed;
        const values = place.values();
        if (container.type === 'message') {
          this.#chosen.set(container.ts, { ...values, [blockId]: { ...values[blockId], [actionId]: state } });
        }
        await dispatch(place, placed, state);
      },
      menu,
      wanted,
    );
  }

  /** Runs a shortcut by its name; one for messages on the newest message that holds `onMessage`. */
  async shortcut(name: string, onMessage?: string): Promise<void> {
    const found = this.#site.facts.shortcuts.find((entry) => entry.name === name);
    if (!found) throw new Error(`The app has no shortcut “${name}”`);
    const message =
      onMessage === undefined
        ? undefined
        : this.#visible().findLast((entry) => this.#messageText(entry).includes(onMessage));
    await act(this.#site, this.#person.id, {
      id: 0,
      act: 'shortcut',
      callbackId: found.callbackId,
      ...(message ? { message: { channel: message.channel, ts: message.ts } } : {}),
    });
  }

  /** Opens the app's Home tab and waits until it holds this text. */
  async home(text: string): Promise<HomeTab> {
    await act(this.#site, this.#person.id, { id: 0, act: 'home-opened' });
    const tab = new HomeTab(this.#site, this.#person);
    await until(this.#site, this.#person.id, {
      for: `“${text}” on Home`,
      look: () => (tab.text().includes(text) ? true : undefined),
      shown: () => tab.text(),
    });
    return tab;
  }

  #visible(): StoredMessage[] {
    const list = this.#site.state.messages[this.#channel.id] ?? [];
    return list.filter((entry) => (entry.ephemeralTo ?? this.#person.id) === this.#person.id);
  }

  #messageText(message: Parameters<typeof messageWords>[2]): string {
    return messageWords(this.#site, this.#person, message);
  }

  #placeOf(message: StoredMessage): Place {
    const blocks = message.blocks ?? [];
    return {
      site: this.#site,
      person: this.#person,
      container: { type: 'message', channel: message.channel, ts: message.ts },
      name: `the message “${message.text}”`,
      blocks: () => blocks,
      values: () => valuesOf(blocks, this.#chosen.get(message.ts) ?? {}),
    };
  }

  #messageWith(name: string, button: boolean): Promise<Place> {
    return until(this.#site, this.#person.id, {
      for: `a message with ${button ? `[${name}]` : `“${name}”`} in #${this.#channel.name}`,
      look: () =>
        this.#visible()
          .map((message) => this.#placeOf(message))
          .findLast((place) => findByName(place, name, (placed) => isButton(placed) === button)),
      shown: () => this.read(),
    });
  }
}
