import type { StepFunction } from '../app-manifest.ts';
import { startChat } from '../interactions/assistant.ts';
import { findStepRun, runStep } from '../interactions/run-step.ts';
import type { Json } from '../json.ts';
import type { Channel, Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import {
  canSee,
  findChannelByName,
  findPerson,
  findPersonByName,
  listVisibleChannels,
  openDirectMessage,
} from '../state/directory.ts';
import { uploadByPerson } from '../state/files.ts';
import { listMessages } from '../state/messages.ts';
import type { StepRun, StoredMessage } from '../state/saved-state.ts';
import { getModalStack } from '../state/views.ts';
import { ActingError } from './acting-error.ts';
import { Chat, Conversation } from './chat.ts';
import { Form, HomeTab } from './form.ts';
import { type BrowserPage, consent, type InstallChoice, install } from './install.ts';
import { Participant, type WaitOptions } from './participant.ts';
import type { LocalFile } from './place.ts';
import { describeThreadStatuses, readMessage } from './read-blocks.ts';
import { type AppChoice, requireApp, requireChannel, requireHome } from './require-by-name.ts';

/** Replaces names of people and channels by their ids. */
function resolveInputs(site: Site, { inputs }: StepFunction, given: Json): Json {
  const resolve = (type: string | undefined, value: unknown) => {
    if (type === 'slack#/types/user_id') return findPersonByName(site, String(value))?.id ?? value;
    return type === 'slack#/types/channel_id' ? (findChannelByName(site, String(value))?.id ?? value) : value;
  };
  const entries = Object.entries(given).map(([name, value]) => {
    const input = inputs.find((each) => each.name === name);
    const isList = Array.isArray(value);
    return [name, isList ? value.map((item) => resolve(input?.itemType, item)) : resolve(input?.type, value)];
  });
  return Object.fromEntries(entries);
}

/** A run of an app's step by a person in a test. */
class Step extends Participant {
  readonly id: string;

  constructor(site: Site, person: Person, id: string) {
    super(site, person);
    this.id = id;
  }

  /** Waits until the step is completed. Rejects if it fails. */
  async outputs(options: WaitOptions = {}): Promise<Json> {
    const { error, outputs = {} } = await this.#end(options);
    if (error !== undefined) throw new ActingError('step_failed', `The step failed: ${error}`);
    return outputs;
  }

  /** Waits until the step fails. Rejects if it is completed. */
  async error(options: WaitOptions = {}): Promise<string> {
    const { error, outputs } = await this.#end(options);
    if (error !== undefined) return error;
    throw new ActingError('step_completed', `The step was completed: ${JSON.stringify(outputs)}`);
  }

  #end(options: WaitOptions): Promise<StepRun> {
    const findRun = () => findStepRun(this.site, this.id);
    return this.waitUntil(
      'the end of the step',
      options,
      () => findRun()?.state !== 'running' && findRun(),
      () => `The step is ${findRun()?.state}`,
    );
  }
}

/** A person in a test: goes to channels, types, presses and reads, as on the page. */
export class Actor extends Conversation {
  #channel: Channel;
  /** Slack's own notices, such as a failed command, which no channel stores. */
  readonly #notices: string[] = [];
  /** The open modals by view id, with the person's unsent input. */
  readonly #forms = new Map<string, Form>();

  constructor(site: Site, person: Person) {
    super(site, person);
    this.#channel = this.#findFirstChannel();
    site.audience.subscribe(person.id, (message) => {
      if (message.type === 'notice') this.#notices.push(message.text);
      // The workspace was reset.
      if (message.type !== 'snapshot') return;
      this.#notices.length = 0;
      this.#channel = this.#findFirstChannel();
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
    await this.act({ act: 'open-dm', user });
    this.#channel = openDirectMessage(this.site, this.person.id, user);
    return this;
  }

  /** Drops files into the channel, with a text or without. */
  async drop(files: readonly LocalFile[], text = ''): Promise<void> {
    const stored = await Promise.all(
      files.map(({ name, bytes }) => uploadByPerson(this.site, this.person.id, name, Buffer.from(bytes))),
    );
    const ids = stored.map(({ id }) => id);
    await this.act({ act: 'message', channel: this.channel.id, text, files: ids });
  }

  /** Sends a message or a command. For a command, resolves when the app has acknowledged, or Slack gave up on it. */
  async type(text: string): Promise<void> {
    const kind = text.startsWith('/') ? 'command' : 'message';
    await this.act({ act: kind, channel: this.channel.id, text });
  }

  /** Replies in the thread of the newest message that contains this text. */
  async reply(toMessage: string, text: string): Promise<void> {
    const { channel, ts, threadTs = ts } = this.#requireMessage(toMessage);
    await this.act({ act: 'message', channel, text, threadTs });
  }

  /** Adds an emoji such as `eyes` to the newest message that contains this text, or removes it. */
  async react(toMessage: string, name: string): Promise<void> {
    const { channel, ts } = this.#requireMessage(toMessage);
    await this.act({ act: 'react', channel, ts, name });
  }

  /** Mentions an app: in the channel, or in the thread of the newest message that contains `inThreadOf`. */
  async mention(text: string, { inThreadOf, app }: { inThreadOf?: string } & AppChoice = {}): Promise<void> {
    const mention = `@${this.#appHandle(app)} ${text}`;
    await (inThreadOf === undefined ? this.type(mention) : this.reply(inThreadOf, mention));
  }

  /** Goes to the direct message with an app and sends a message. */
  async directMessage(text: string, choice: AppChoice = {}): Promise<void> {
    await (await this.inDirectMessage(choice)).type(text);
  }

  /** Invites an app into the channel where the person is, with `/invite`. */
  async inviteApp({ app }: AppChoice = {}): Promise<void> {
    await this.type(`/invite @${this.#appHandle(app)}`);
  }

  /** Installs the app from its own page and follows all redirects. Resolves with what the browser shows at the end. */
  install(url: string, choice: InstallChoice = {}): Promise<BrowserPage> {
    return install(this.site, this.person, url, choice);
  }

  /** Answers Slack's consent page. Resolves with the address of the redirect, which isn't visited. */
  consent(authorizeUrl: string, choice: InstallChoice = {}): Promise<string> {
    return consent(this.site, this.person, authorizeUrl, choice);
  }

  /** Runs a shortcut by its name. A message shortcut runs on the newest message that contains `onMessage`. */
  async shortcut(name: string, onMessage?: string, { app: appName }: AppChoice = {}): Promise<void> {
    const find = ({ manifest }: Site) => manifest.shortcuts.find((entry) => entry.name === name);
    const app = this.#findApp(appName, find);
    const found = app && find(app);
    if (!app || !found) throw new ActingError('unknown_shortcut', `The app has no shortcut “${name}”`);
    const message = onMessage === undefined ? undefined : this.#requireMessage(onMessage);
    await this.act({
      act: 'shortcut',
      callbackId: found.callbackId,
      app: app.state.app.botUserId,
      ...(message && { message: { channel: message.channel, ts: message.ts } }),
    });
  }

  /** Opens the Home tab of the first app, or of the named one, and waits until it contains this text. */
  async home(text: string, { app: name, ...options }: WaitOptions & AppChoice = {}): Promise<HomeTab> {
    const app = requireHome(this.site, name);
    await this.act({ act: 'home-opened', app: app.state.app.botUserId });
    const tab = new HomeTab(app, this.person);
    const find = () => tab.text().includes(text) && tab;
    return this.waitUntil(`“${text}” on Home`, options, find, () => tab.text());
  }

  /** Opens a new chat with an app as an assistant. Its context is the channel where the person is. */
  startChat({ app: name }: AppChoice = {}): Chat {
    const app = requireApp(this.site, name);
    return new Chat(app, this.person, startChat(app, this.person.id, this.channel.id));
  }

  /** Runs a step of an app by its title, as a workflow would. People and channels can be named: `Ben`, `#general`. */
  runStep(title: string, inputs: Json = {}, { app: name }: AppChoice = {}): Step {
    const find = ({ manifest }: Site) => manifest.functions.find((each) => each.title === title);
    const app = this.#findApp(name, find);
    const step = app && find(app);
    if (!app || !step) throw new ActingError('unknown_step', `The app has no step “${title}”`);
    const given = resolveInputs(this.site, step, inputs);
    return this.step(runStep(app, this.person.id, step.callbackId, given).id);
  }

  /** A run of a step, by its `function_execution_id`. */
  step(id: string): Step {
    return new Step(this.site, this.person, id);
  }

  /** Opens an app's Messages tab. */
  async openMessages({ app: name }: AppChoice = {}): Promise<void> {
    await this.act({ act: 'messages-opened', app: requireApp(this.site, name).state.app.botUserId });
  }

  /** Waits for a modal with this title on top. */
  modal(title: string, options: WaitOptions = {}): Promise<Form> {
    return this.waitFor(`a modal “${title}”`, options, () => {
      const top = this.topModal();
      return top?.title() === title && top;
    });
  }

  topModal(): Form | undefined {
    const stack = getModalStack(this.site, this.person.id);
    const top = stack.at(-1);
    for (const id of this.#forms.keys()) if (!stack.some((view) => view.id === id)) this.#forms.delete(id);
    if (!top) return undefined;
    const form = this.#forms.get(top.id) ?? new Form(this.site, this.person, top.id);
    this.#forms.set(top.id, form);
    return form;
  }

  /** Everything visible now: the channel's messages, Slack's notices, the app's status, the modal on top. */
  read(): string {
    const top = this.topModal();
    return [
      ...this.messages(),
      ...this.#notices,
      ...describeThreadStatuses(this.site, this.person.id, this.channel.id),
      ...(top ? [top.text()] : []),
    ].join('\n');
  }

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

  messageText(message: Parameters<typeof readMessage>[2]): string {
    return readMessage(this.site, this.person, message);
  }

  protected get where(): string {
    return ` in #${this.channel.name}`;
  }

  #requireVisibleChannel(name: string): Channel {
    const found = requireChannel(this.site, name);
    if (canSee(this.site, found, this.person.id)) return found;
    throw new ActingError('unknown_channel', `${this.person.realName} doesn't see ${name}`);
  }

  /** A guest who is in no channel starts in the first channel, but can't write there. */
  #findFirstChannel(): Channel {
    const [first = this.site.state.channels[0]] = listVisibleChannels(this.site, this.person.id);
    if (!first) throw new Error('This workspace has no channels');
    return first;
  }

  /** Finds the app of this name. Without a name, the first app that fits. */
  #findApp(name: string | undefined, fits: (app: Site) => unknown): Site | undefined {
    return name === undefined ? this.site.apps.find(fits) : requireApp(this.site, name);
  }

  #requireMessage(text: string): StoredMessage {
    const found = this.visible().findLast((entry) => this.messageText(entry).includes(text));
    if (found) return found;
    throw new ActingError('unknown_message', `There is no message with “${text}”${this.where}.`, this.read());
  }

  #appHandle(name: string | undefined): string {
    return findPerson(this.site, requireApp(this.site, name).state.app.botUserId)?.name ?? '';
  }
}
