import type { StepFunction } from '../app-manifest.ts';
import { getScopeField } from '../http/oauth-route.ts';
import { buildPageCookie } from '../http/page-access.ts';
import { act } from '../interactions/act.ts';
import { startChat } from '../interactions/assistant.ts';
import { findStepRun, runStep } from '../interactions/run-step.ts';
import { shareFiles } from '../interactions/write-message.ts';
import type { Json } from '../json.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppOfClient } from '../state/apps.ts';
import { findChannelByName, findPerson, findPersonByName } from '../state/directory.ts';
import { uploadByPerson } from '../state/files.ts';
import type { StepRun, StoredMessage } from '../state/saved-state.ts';
import { ActingError } from './acting-error.ts';
import { Chat } from './chat.ts';
import { choose } from './choose.ts';
import { HomeTab } from './home-tab.ts';
import { Onlooker } from './onlooker.ts';
import { findByName, isButton, type Place } from './place.ts';
import { type AppChoice, requireApp, requireHome } from './require-by-name.ts';
import {
  createMessagePlace,
  type DialogChoice,
  type LocalFile,
  type MessageChoices,
  pressButton,
} from './use-element.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

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
class Step {
  readonly #site: Site;
  readonly #person: Person;
  /** `Fx…` */
  readonly id: string;

  constructor(site: Site, person: Person, id: string) {
    this.#site = site;
    this.#person = person;
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
    const find = () => findStepRun(this.#site, this.id);
    return waitFor(this.#site, this.#person.id, {
      description: 'the end of the step',
      find: () => {
        const run = find();
        return run?.state === 'running' ? undefined : run;
      },
      readVisible: () => `The step is ${find()?.state}`,
      ...options,
    });
  }
}

interface InstallChoice {
  /** Installs the app for the person's whole organisation. Defaults to their workspace. */
  organisation?: boolean;
  /** The workspaces of the organisation that get the app: `T…`. Defaults to all. */
  teams?: readonly string[];
  /** Optional scopes that the person declines. */
  declinedScopes?: readonly string[];
  /** Whether the person cancels. */
  cancel?: boolean;
}

/** Creates a browser that may open this workspace's pages. */
function createBrowser({ slack, url }: Site): Browser {
  return new Browser(url, slack.pageToken === undefined ? [] : [buildPageCookie(slack.pageToken)]);
}

/** Answers Slack's consent page. Returns the address of the redirect to the app. Throws with the text of the page. */
async function consent(
  site: Site,
  person: Person,
  authorizeUrl: string,
  choice: InstallChoice,
  browser = createBrowser(site),
): Promise<string> {
  const holder = choice.organisation === true ? site.state.team.organisation : site.state.team.id;
  const client = URL.parse(browser.resolve(authorizeUrl))?.searchParams.get('client_id');
  const { optionalScopes } = (findAppOfClient(site.slack, client) ?? site).manifest;
  const response = await browser.request(authorizeUrl, {
    choice: `${holder} ${person.id}`,
    answer: choice.cancel === true ? 'cancel' : 'allow',
    ...Object.fromEntries(
      optionalScopes
        .filter((scope) => choice.declinedScopes?.includes(scope) !== true)
        .map((scope) => [getScopeField(scope), 'on']),
    ),
    ...(choice.teams ? { teams: choice.teams.join(',') } : {}),
  });
  const to = response.headers.get('location');
  const page = await response.text();
  if (to !== null) return to;
  throw new ActingError('install_failed', `Slack says: ${page.replaceAll(/<[^>]*>|\s+/g, ' ').trim()}`);
}

/** Installs the app from its own page, which links or redirects to Slack, and follows all redirects afterwards. */
async function install(site: Site, person: Person, url: string, choice: InstallChoice): Promise<BrowserPage> {
  const authorize = `${site.url}/oauth/v2/authorize`;
  const browser = createBrowser(site);
  const page = url.startsWith(authorize) ? { url, html: '' } : await browser.visit(url, authorize);
  const href = /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
  const to = href === undefined ? page.url : browser.resolve(href);
  if (!to.startsWith(authorize))
    throw new ActingError('install_failed', `${url} doesn't lead to Slack.`, page.html);
  return browser.visit(await consent(site, person, to, choice, browser));
}

/** A person in a test: goes to channels, types, presses and reads, as on the page. */
export class Actor extends Onlooker {
  readonly #choices: MessageChoices = new Map();

  /** Drops files into the channel, with a text or without. */
  async drop(files: readonly LocalFile[], text = ''): Promise<void> {
    const stored = await Promise.all(
      files.map(({ name, bytes }) => uploadByPerson(this.site, this.person.id, name, Buffer.from(bytes))),
    );
    const { id: channel } = this.channel;
    shareFiles(this.site, stored, { channel, user: this.person.id, subtype: 'file_share', text });
  }

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

/** An installation has fewer redirects. */
const MAX_REDIRECTS = 10;

/** The page that a browser shows in the end. */
interface BrowserPage {
  status: number;
  url: string;
  html: string;
}

/** The address of Slack in apps that know only slack.com. */
const SLACK_ORIGIN = 'https://slack.com';

/**
 * A person's browser, as far as an installation needs one: it stores cookies and follows redirects. Links to slack.com
 * lead to the workspace.
 */
class Browser {
  readonly #workspaceUrl: string;
  readonly #cookies: Map<string, string>;

  constructor(workspaceUrl: string, cookies: readonly { name: string; value: string }[]) {
    this.#workspaceUrl = workspaceUrl;
    this.#cookies = new Map(cookies.map(({ name, value }) => [name, value]));
  }

  /** The address that this browser opens for a link. */
  resolve(link: string): string {
    return link.startsWith(`${SLACK_ORIGIN}/`) ? this.#workspaceUrl + link.slice(SLACK_ORIGIN.length) : link;
  }

  /** Sends one request, without following a redirect. */
  async request(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.resolve(url), {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    }).catch((error: unknown) => {
      throw new ActingError('install_failed', `${url} doesn't answer: ${describeFailure(error)}`);
    });
    for (const set of response.headers.getSetCookie()) this.#storeCookie(set);
    return response;
  }

  /** Opens an address and follows its redirects, up to an address that begins with `stopAt`. */
  async visit(url: string, stopAt?: string): Promise<BrowserPage> {
    let at = this.resolve(url);
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const response = await this.request(at);
      const to = response.headers.get('location');
      if (to === null) return { status: response.status, url: at, html: await response.text() };
      at = this.resolve(new URL(to, at).href);
      await response.arrayBuffer();
      if (stopAt !== undefined && at.startsWith(stopAt))
        return { status: response.status, url: at, html: '' };
    }
    throw new ActingError('install_failed', `${url} has more than ${MAX_REDIRECTS} redirects`);
  }

  #storeCookie(header: string): void {
    const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(header) ?? [];
    const seconds = /;\s*max-age=(-?\d+)/i.exec(header)?.[1];
    const expires = /;\s*expires=([^;]+)/i.exec(header)?.[1];
    const isExpired = seconds === undefined ? Date.parse(expires ?? '') < Date.now() : Number(seconds) <= 0;
    if (isExpired) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** The reason of a failed fetch is in its cause. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
