import { act } from '../interactions/act.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { canSee, listVisibleChannels } from '../state/directory.ts';
import { listMessages } from '../state/messages.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { getModalStack } from '../state/views.ts';
import { ActingError } from './acting-error.ts';
import { Form } from './form.ts';
import { describeThreadStatuses, readMessage } from './read-blocks.ts';
import { type AppChoice, requireApp, requireChannel } from './require-by-name.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** A person in a test who goes to channels and reads. */
export class Onlooker {
  readonly site: Site;
  readonly person: Person;
  #channel: Channel;
  /** Slack's own notices, such as a failed command, which no channel stores. */
  readonly #notices: string[] = [];
  /** The open modals by view id, with the person's unsent input. */
  readonly #forms = new Map<string, Form>();

  constructor(site: Site, person: Person) {
    this.site = site;
    this.person = person;
    this.#channel = this.#findFirstChannel();
    site.audience.subscribe(person.id, (message) => {
      if (message.type === 'notice') this.#notices.push(message.text);
      // The workspace was reset.
      if (message.type === 'snapshot') this.#reset();
    });
  }

  /** The channel where the person is. */
  get channel(): Channel {
    return this.#channel;
  }

  /** Goes to a channel and stays there: `#general`. */
  in(name: string): this {
    this.#channel = this.#requireVisibleChannel(name);
    return this;
  }

  /** Goes to the direct message with an app. */
  async inDirectMessage({ app }: AppChoice = {}): Promise<this> {
    const { botUserId: user } = requireApp(this.site, app).state.app;
    await act(this.site, this.person.id, { id: 0, act: 'open-dm', user });
    const found = this.site.state.channels.find(
      (channel) =>
        channel.kind === 'im' && channel.members.includes(this.person.id) && channel.members.includes(user),
    );
    if (found) this.#channel = found;
    return this;
  }

  /** Waits for a modal with this title on top. */
  modal(title: string, options: WaitOptions = {}): Promise<Form> {
    return this.waitFor(`a modal “${title}”`, options, () => {
      const top = this.topModal();
      return top?.title() === title ? top : undefined;
    });
  }

  /** Waits until this text is visible: in the channel, in the modal on top, or in a notice of Slack's. */
  async sees(text: string, options: WaitOptions = {}): Promise<void> {
    await this.waitFor(`“${text}”`, options, () => (this.read().includes(text) ? true : undefined));
  }

  /** Waits until this text is nowhere visible. */
  async seesNoLonger(text: string, options: WaitOptions = {}): Promise<void> {
    await this.waitFor(`“${text}” to disappear`, options, () =>
      this.read().includes(text) ? undefined : true,
    );
  }

  /** The modal on top. Undefined if none is open. */
  topModal(): Form | undefined {
    const stack = getModalStack(this.site, this.person.id);
    const top = stack.at(-1);
    for (const id of this.#forms.keys()) if (!stack.some((view) => view.id === id)) this.#forms.delete(id);
    if (!top) return undefined;
    const form = this.#forms.get(top.id) ?? new Form(this.site, this.person, top.id);
    this.#forms.set(top.id, form);
    return form;
  }

  protected waitFor<T>(description: string, options: WaitOptions, find: () => T | undefined): Promise<T> {
    return waitFor(this.site, this.person.id, {
      description,
      find,
      readVisible: () => this.read(),
      ...options,
    });
  }

  /** Everything visible now: the channel's messages, Slack's notices, the modal on top. */
  read(): string {
    const top = this.topModal();
    return [
      ...this.messages(),
      ...this.#notices,
      ...describeThreadStatuses(this.site, this.person.id, this.channel.id),
      ...(top ? [top.text()] : []),
    ].join('\n');
  }

  /** Slack's own notices, such as a failed command. */
  notices(): readonly string[] {
    return this.#notices;
  }

  /** The texts of the visible messages, oldest first. Defaults to the channel where the person is. */
  messages(channel?: string): string[] {
    const { id } = channel === undefined ? this.channel : this.#requireVisibleChannel(channel);
    return listMessages(this.site, id, this.person.id).map((message) => this.messageText(message));
  }

  /** The messages that the person sees in the channel where they are, as the workspace stores them. */
  visible(): StoredMessage[] {
    const list = this.site.state.messages[this.channel.id] ?? [];
    return list.filter((entry) => (entry.ephemeralTo ?? this.person.id) === this.person.id);
  }

  /** A message as the person reads it. */
  messageText(message: Parameters<typeof readMessage>[2]): string {
    return readMessage(this.site, this.person, message);
  }

  /** Others don't see private channels, and guests and people from elsewhere see only their own. */
  #requireVisibleChannel(name: string): Channel {
    const found = requireChannel(this.site, name);
    if (canSee(this.site, found, this.person.id)) return found;
    throw new ActingError('unknown_channel', `${this.person.realName} doesn't see ${name}`);
  }

  #reset(): void {
    this.#notices.length = 0;
    this.#channel = this.#findFirstChannel();
  }

  /** A guest who is in no channel starts in the first channel, but can't write there. */
  #findFirstChannel(): Channel {
    const [first = this.site.state.channels[0]] = listVisibleChannels(this.site, this.person.id);
    if (!first) throw new Error('This workspace has no channels');
    return first;
  }
}
