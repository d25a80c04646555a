import { act } from '../interactions/act.ts';
import { wordsIn } from '../json.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelByName } from '../state/directory.ts';
import { messagesFor } from '../state/messages.ts';
import { stackOf } from '../state/modals.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { Form } from './form.ts';
import { messageWords } from './message-words.ts';
import { threadStatuses } from './thread-statuses.ts';
import { until } from './until.ts';

/** A person in a test as far as they go to channels and look. */
export class Onlooker {
  protected readonly site: Site;
  protected readonly person: Person;
  protected channel: Channel;
  /** What Slack said itself, which no channel keeps. */
  readonly #notices: string[] = [];

  constructor(site: Site, person: Person) {
    const [first] = site.state.channels;
    if (!first) throw new Error('This workspace has no channels');
    this.site = site;
    this.person = person;
    this.channel = first;
    site.audience.join(person.id, (message) => {
      if (message.type === 'notice') this.#notices.push(message.text);
    });
  }

  /** Goes to a channel and stays there: `#general`. */
  in(name: string): this {
    const found = channelByName(this.site, name);
    if (!found) throw new Error(`There is no channel ${name} in this workspace`);
    this.channel = found;
    return this;
  }

  /** Goes to the direct message with the app. */
  async inDirectMessage(): Promise<this> {
    await act(this.site, this.person.id, { id: 0, act: 'open-dm', user: this.site.state.app.botUserId });
    const found = this.site.state.channels.find(
      (channel) =>
        channel.kind === 'im' &&
        channel.members.includes(this.person.id) &&
        channel.members.includes(this.site.state.app.botUserId),
    );
    if (found) this.channel = found;
    return this;
  }

  /** Waits until a modal with this title is on top. */
  modal(title: string): Promise<Form> {
    return until(this.site, this.person.id, {
      for: `a modal “${title}”`,
      look: () => {
        const top = stackOf(this.site, this.person.id).at(-1);
        return top && wordsIn(top.view, 'title') === title
          ? new Form(this.site, this.person, top.id)
          : undefined;
      },
      shown: () => this.read(),
    });
  }

  /** Waits until this text is visible in the channel, in the modal on top or in what Slack says. */
  async sees(text: string): Promise<void> {
    await until(this.site, this.person.id, {
      for: `“${text}”`,
      look: () => (this.read().includes(text) ? true : undefined),
      shown: () => this.read(),
    });
  }

  /** All that is visible now: the channel's messages, Slack's notices, the modal on top. */
  read(): string {
    const top = stackOf(this.site, this.person.id).at(-1);
    return [
      ...this.messages(),
      ...this.#notices,
      ...threadStatuses(this.site, this.person.id, this.channel.id),
      ...(top ? [new Form(this.site, this.person, top.id).text()] : []),
    ].join('\n');
  }

  /** The visible messages of a channel as texts, oldest first; where the person is, unless named. */
  messages(channel?: string): string[] {
    const id = channel === undefined ? this.channel.id : channelByName(this.site, channel)?.id;
    if (id === undefined) throw new Error(`There is no channel ${channel} in this workspace`);
    return messagesFor(this.site, id, this.person.id).map((message) => this.messageText(message));
  }

  /** The messages of the channel where they are, seen by them. */
  protected visible(): StoredMessage[] {
    const list = this.site.state.messages[this.channel.id] ?? [];
    return list.filter((entry) => (entry.ephemeralTo ?? this.person.id) === this.person.id);
  }

  protected messageText(message: Parameters<typeof messageWords>[2]): string {
    return messageWords(this.site, this.person, message);
  }
}
