import { act } from '../interactions/act.ts';
import { startChat } from '../interactions/assistant.ts';
import { runStep } from '../interactions/run-step.ts';
import type { Json } from '../json.ts';
import type { Site } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import { ActingError } from './acting-error.ts';
import type { BrowserPage } from './browser.ts';
import { Chat } from './chat.ts';
import { choose } from './choose.ts';
import type { DialogChoice } from './confirm-dialog.ts';
import { HomeTab } from './home-tab.ts';
import { consent, type InstallChoice, install } from './install.ts';
import { createMessagePlace, type MessageChoices } from './message-place.ts';
import { Onlooker } from './onlooker.ts';
import { findByName, isButton, type Place } from './place.ts';
import { type AppChoice, requireApp, requireHome } from './require-by-name.ts';
import { resolveInputs, Step } from './step.ts';
import { pressButton } from './use-element.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** A person in a test: goes to channels, types, presses and reads, as on the page. */
export class Actor extends Onlooker {
  readonly #choices: MessageChoices = new Map();

  /** Sends a message or a command. For a command, resolves when the app has acknowledged, or Slack gave up on it. */
  async type(text: string): Promise<void> {
    const kind = text.startsWith('/') ? 'command' : 'message';
    await act(this.site, this.person.id, { id: 0, act: kind, channel: this.channel.id, text });
  }

  /** Replies in the thread of the newest message that contains this text. */
  async reply(toMessage: string, text: string): Promise<void> {
    const { channel, ts, threadTs = ts } = this.#requireMessage(toMessage);
    await act(this.site, this.person.id, { id: 0, act: 'message', channel, text, threadTs });
  }

  /** Adds an emoji such as `eyes` to the newest message that contains this text, or removes it. */
  async react(toMessage: string, name: string): Promise<void> {
    const { channel, ts } = this.#requireMessage(toMessage);
    await act(this.site, this.person.id, { id: 0, act: 'react', channel, ts, name });
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

  /** Presses a button of the newest message that has it. Resolves when the app has acknowledged. */
  async press(button: string, options: WaitOptions & DialogChoice = {}): Promise<void> {
    await pressButton(await this.#messageWith(button, true, options), button, options);
  }

  /** Chooses options of a menu, in the newest message that has it. */
  async choose(
    menu: string,
    wanted: string | readonly string[],
    options: WaitOptions & DialogChoice = {},
  ): Promise<void> {
    await choose(await this.#messageWith(menu, false, options), menu, wanted, options);
  }

  /** Runs a shortcut by its name. A message shortcut runs on the newest message that contains `onMessage`. */
  async shortcut(name: string, onMessage?: string, { app: appName }: AppChoice = {}): Promise<void> {
    const app = this.#findApp(appName, ({ manifest }) =>
      manifest.shortcuts.some((entry) => entry.name === name),
    );
    const found = app?.manifest.shortcuts.find((entry) => entry.name === name);
    if (!app || !found) throw new ActingError('unknown_shortcut', `The app has no shortcut “${name}”`);
    const message = onMessage === undefined ? undefined : this.#requireMessage(onMessage);
    await act(this.site, this.person.id, {
      id: 0,
      act: 'shortcut',
      callbackId: found.callbackId,
      app: app.state.app.botUserId,
      ...(message ? { message: { channel: message.channel, ts: message.ts } } : {}),
    });
  }

  /** Opens the Home tab of the first app, or of the named one, and waits until it contains this text. */
  async home(text: string, { app: name, ...options }: WaitOptions & AppChoice = {}): Promise<HomeTab> {
    const app = requireHome(this.site, name);
    await act(this.site, this.person.id, { id: 0, act: 'home-opened', app: app.state.app.botUserId });
    const tab = new HomeTab(app, this.person);
    await waitFor(this.site, this.person.id, {
      description: `“${text}” on Home`,
      find: () => (tab.text().includes(text) ? true : undefined),
      readVisible: () => tab.text(),
      ...options,
    });
    return tab;
  }

  /** Opens a new chat with an app as an assistant. Its context is the channel where the person is. */
  startChat({ app: name }: AppChoice = {}): Chat {
    const app = requireApp(this.site, name);
    const { channel, ts } = startChat(app, this.person.id, this.channel.id);
    return new Chat(app, this.person, { channel, ts });
  }

  /** Runs a step of an app by its title, as a workflow would. People and channels can be named: `Ben`, `#general`. */
  runStep(title: string, inputs: Json = {}, { app: name }: AppChoice = {}): Step {
    const app = this.#findApp(name, ({ manifest }) =>
      manifest.functions.some((each) => each.title === title),
    );
    const step = app?.manifest.functions.find((each) => each.title === title);
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
    const app = requireApp(this.site, name).state.app.botUserId;
    await act(this.site, this.person.id, { id: 0, act: 'messages-opened', app });
  }

  /** The messages of the channel, whose buttons and menus the person can use. */
  listMessagePlaces(): Place[] {
    return this.visible().map((message) =>
      createMessagePlace(this.site, this.person, message, this.#choices),
    );
  }

  /** Finds the app of this name. Without a name, the first app that fits. */
  #findApp(name: string | undefined, fits: (app: Site) => boolean): Site | undefined {
    return name === undefined ? this.site.apps.find(fits) : requireApp(this.site, name);
  }

  #requireMessage(text: string): StoredMessage {
    const found = this.visible().findLast((entry) => this.messageText(entry).includes(text));
    if (found) return found;
    const where = `There is no message with “${text}” in #${this.channel.name}.`;
    throw new ActingError('unknown_message', where, this.read());
  }

  #appHandle(name: string | undefined): string {
    return findPerson(this.site, requireApp(this.site, name).state.app.botUserId)?.name ?? '';
  }

  #messageWith(name: string, wantsButton: boolean, options: WaitOptions): Promise<Place> {
    const description = `a message with ${wantsButton ? `[${name}]` : `“${name}”`} in #${this.channel.name}`;
    return this.waitFor(description, options, () =>
      this.listMessagePlaces().findLast((place) =>
        findByName(place, name, (placed) => isButton(placed) === wantsButton),
      ),
    );
  }
}
