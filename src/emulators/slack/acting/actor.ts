import { act } from '../interactions/act.ts';
import { startChat } from '../interactions/assistant.ts';
import type { ViewValues } from '../protocol.ts';
import { personById } from '../state/directory.ts';
import type { StoredMessage } from '../state/saved-state.ts';
import type { Shown } from './browser.ts';
import { Chat } from './chat.ts';
import { choose } from './choose.ts';
import { HomeTab } from './home-tab.ts';
import { consent, type InstallChoice, install } from './install.ts';
import { messageWith, type Scene } from './message-with.ts';
import { Onlooker } from './onlooker.ts';
import type { Place } from './place.ts';
import { until } from './until.ts';
import { dispatch, pressButton } from './use-element.ts';

/** A person in a test: goes to channels, types, presses and reads, as on the page. */
export class Actor extends Onlooker {
  /** What was chosen in messages, by their ts: an app gets it with the next press. */
  readonly #chosen = new Map<string, ViewValues>();

  /** Types and sends. A command resolves when it is acknowledged, or when Slack gave up on it. */
  async type(text: string): Promise<void> {
    const kind = text.startsWith('/') ? 'command' : 'message';
    await act(this.site, this.person.id, { id: 0, act: kind, channel: this.channel.id, text });
  }

  /** Answers in the thread of the newest message that holds this text. */
  async reply(toMessage: string, text: string): Promise<void> {
    const { channel, ts, threadTs = ts } = this.#messageThatSays(toMessage);
    await act(this.site, this.person.id, { id: 0, act: 'message', channel, text, threadTs });
  }

  /** Adds an emoji to the newest message that holds this text, or removes it: `eyes`. */
  async react(toMessage: string, name: string): Promise<void> {
    const { channel, ts } = this.#messageThatSays(toMessage);
    await act(this.site, this.person.id, { id: 0, act: 'react', channel, ts, name });
  }

  /** Writes to the app by its name: in the channel, or in the thread of the newest message that holds `inThreadOf`. */
  async mention(text: string, { inThreadOf }: { inThreadOf?: string } = {}): Promise<void> {
    const said = `@${this.#appHandle()} ${text}`;
    await (inThreadOf === undefined ? this.type(said) : this.reply(inThreadOf, said));
  }

  /** Goes to the direct message with the app and writes there. */
  async directMessage(text: string): Promise<void> {
    await (await this.inDirectMessage()).type(text);
  }

  /** Invites the app into the channel where the person is, as by `/invite`. */
  async inviteApp(): Promise<void> {
    await this.type(`/invite @${this.#appHandle()}`);
  }

  /** Installs the app from its own page, all the way back to it. Resolves with what the browser shows at the end. */
  install(url: string, choice: InstallChoice = {}): Promise<Shown> {
    return install(this.site, this.person, url, choice);
  }

  /** Says yes (or no) on Slack's page alone. Resolves with the address that the browser is sent to, not yet visited. */
  consent(authorizeUrl: string, choice: InstallChoice = {}): Promise<string> {
    return consent(this.site, this.person, authorizeUrl, choice);
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
    const found = this.site.facts.shortcuts.find((entry) => entry.name === name);
    if (!found) throw new Error(`The app has no shortcut “${name}”`);
    const message =
      onMessage === undefined
        ? undefined
        : this.visible().findLast((entry) => this.messageText(entry).includes(onMessage));
    await act(this.site, this.person.id, {
      id: 0,
      act: 'shortcut',
      callbackId: found.callbackId,
      ...(message ? { message: { channel: message.channel, ts: message.ts } } : {}),
    });
  }

  /** Opens the app's Home tab and waits until it holds this text. */
  async home(text: string): Promise<HomeTab> {
    await act(this.site, this.person.id, { id: 0, act: 'home-opened' });
    const tab = new HomeTab(this.site, this.person);
    await until(this.site, this.person.id, {
      for: `“${text}” on Home`,
      look: () => (tab.text().includes(text) ? true : undefined),
      shown: () => tab.text(),
    });
    return tab;
  }

  /** Opens a new chat with the app as an assistant, beside the channel where the person is. */
  startChat(): Chat {
    const { channel, ts } = startChat(this.site, this.person.id, this.channel.id);
    return new Chat(this.site, this.person, { channel, ts });
  }

  /** Opens the app's Messages tab. */
  async openMessages(): Promise<void> {
    await act(this.site, this.person.id, { id: 0, act: 'messages-opened' });
  }

  #messageThatSays(text: string): StoredMessage {
    const found = this.visible().findLast((entry) => this.messageText(entry).includes(text));
    if (!found) throw new Error(`There is no message with “${text}” in #${this.channel.name}`);
    return found;
  }

  #appHandle(): string {
    return personById(this.site, this.site.state.app.botUserId)?.name ?? '';
  }

  /** What stands in the channel where the person is. */
  get #scene(): Scene {
    const { name } = this.channel;
    return { site: this.site, person: this.person, channel: name, chosen: this.#chosen };
  }

  #messageWith(name: string, button: boolean): Promise<Place> {
    return messageWith(
      this.#scene,
      { name, button },
      () => this.visible(),
      () => this.read(),
    );
  }
}
