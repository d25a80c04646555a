import { features } from '../../src/app/features.ts';
import { RespondingApp } from '../../src/handlers/bolt/bolt.ts';
import type { Running } from './bot.ts';
import { pressAndConfirm } from './press-and-confirm.ts';

type Actor = ReturnType<Running['workspace']['as']>;
type Form = Awaited<ReturnType<Actor['modal']>>;

/** Maximum number of presses in a message or view, and of steps of a form. */
const MAX_PRESSES = 12;
const MAX_STEPS = 4;
/** Maximum number of times that a form is filled in or a button is pressed. */
const MAX_REPEATS = 2;

/** Values of fields that accept only certain texts, by label. */
const FIELD_VALUES: Readonly<Record<string, string>> = {
  When: 'tomorrow 9am and Sunday 9am',
  Email: 'zoe@elsewhere.test',
  'Phone number': '+351 555 0100',
};

const { processEvent } = RespondingApp.prototype;
let requestsInFlight = { count: 0 };
const idleListeners = new Set<() => void>();

/**
 * Counts the bot's requests in flight from now on, for `waitUntilIdle`. Files of tests share a process, so requests of
 * earlier bots, which may never end, don't count.
 */
export function countRequestsInFlight(): void {
  const ownRequests = { count: 0 };
  requestsInFlight = ownRequests;
  RespondingApp.prototype.processEvent = async function (event) {
    ownRequests.count += 1;
    try {
      await processEvent.call(this, event);
    } finally {
      ownRequests.count -= 1;
      if (ownRequests.count === 0) for (const notifyIdle of idleListeners) notifyIdle();
    }
  };
}

/** Resolves when the bot is idle. `countRequestsInFlight` must be called before the bot starts. */
export async function waitUntilIdle(): Promise<void> {
  while (requestsInFlight.count > 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    idleListeners.add(resolve);
    await promise;
    idleListeners.delete(resolve);
  }
}

interface Button {
  label: string;
  id: string;
}

/** Types commands, presses every button, and fills in every form with `text`. */
export class Explorer {
  readonly #ana: Actor;
  readonly #text: string;
  /** The title of the open form. Undefined if none is open. */
  #openTitle: string | undefined;
  /** The buttons of the newest view and of the newest message. */
  #viewButtons: readonly Button[] = [];
  #messageButtons: readonly Button[] = [];
  /** The number of times that each button was pressed and each form was filled in, by its key. */
  readonly #actionCounts = new Map<string, number>();

  constructor(startedBot: Running, text: string) {
    this.#ana = startedBot.workspace.as('Ana').in('#harbour-coffee');
    this.#text = text;
  }

  /** Records a payload that the bot sent. A modal becomes the open form. */
  record({ to, payload }: { to: string; payload: Readonly<Record<string, unknown>> }): void {
    const view = payload.view as { type?: string; title?: { text: string } } | undefined;
    if (view !== undefined) this.#viewButtons = findButtons(view);
    else if (payload.text !== undefined) this.#messageButtons = findButtons(payload.blocks);
    if (to !== 'views.publish' && view?.type === 'modal') this.#openTitle = view.title?.text;
  }

  /**
   * Types these lines. If `usesHome`, also presses the buttons of Home, which do the same as commands. Stops when
   * `signal` is aborted, because otherwise the bot of a test that timed out would disturb the next test.
   */
  async explore(
    lines: readonly string[],
    { usesHome, signal }: { usesHome: boolean; signal?: AbortSignal },
  ): Promise<void> {
    for (const line of lines) {
      signal?.throwIfAborted();
      await this.#perform(() =>
        line.startsWith('@') ? this.#ana.mention(line.slice(1)) : this.#ana.type(line),
      );
      await this.#pressAllButtons();
    }
    const home = await this.#ana.home('Commands');
    await waitUntilIdle();
    for (const button of usesHome ? this.#viewButtons : [])
      if (this.#countAction(button)) await this.#attempt(() => pressAndConfirm(home, button.label));
  }

  /** Counts a press of a button or a form with this title. Returns false after MAX_REPEATS. */
  #countAction(target: Button | string): boolean {
    const key = typeof target === 'string' ? target : `${target.id} ${target.label}`;
    const count = this.#actionCounts.get(key) ?? 0;
    this.#actionCounts.set(key, count + 1);
    return count < MAX_REPEATS;
  }

  /** Presses every button in the newest message, and completes the forms that open. */
  async #pressAllButtons(): Promise<void> {
    if (await this.#completeForms()) return;
    const pressedLabels = new Set<string>();
    for (let step = 0; step < MAX_PRESSES; step += 1) {
      const button = this.#messageButtons.find(({ label }) => !pressedLabels.has(label));
      if (button === undefined) return;
      pressedLabels.add(button.label);
      if (this.#countAction(button)) await this.#attempt(() => pressAndConfirm(this.#ana, button.label));
    }
  }

  /** Runs an action on an element that may no longer exist, and completes the forms that open. */
  async #attempt(action: () => Promise<void>): Promise<void> {
    await this.#perform(() => action().catch(ignoreMissingElement));
    await this.#completeForms();
  }

  async #perform(action: () => Promise<void>): Promise<void> {
    this.#openTitle = undefined;
    await action();
    await waitUntilIdle();
  }

  /** Fills in and submits the open form and its next steps. */
  async #completeForms(): Promise<boolean> {
    for (let step = 0; step < MAX_STEPS && this.#openTitle !== undefined; step += 1) {
      if (!this.#countAction(this.#openTitle)) break;
      const form = await this.#ana.modal(this.#openTitle);
      for (const label of form.labels()) await this.#fill(form, label);
      const buttons = this.#viewButtons.filter(({ label }) => label !== 'Back').slice(0, MAX_PRESSES);
      for (const button of buttons)
        if (this.#countAction(button))
          await pressAndConfirm(form, button.label).then(waitUntilIdle).catch(ignoreMissingElement);
      if (!form.open) continue;
      const titleBefore = form.title();
      await form.submit().catch(ignoreMissingElement);
      await waitUntilIdle();
      if (!form.open || form.title() === titleBefore) break;
    }
    const wasOpen = this.#openTitle !== undefined;
    while (this.#openTitle !== undefined) {
      const form = await this.#ana.modal(this.#openTitle).catch(() => undefined);
      this.#openTitle = undefined;
      await form?.close();
      await waitUntilIdle();
    }
    return wasOpen;
  }

  async #fill(form: Form, label: string): Promise<void> {
    const value = FIELD_VALUES[label];
    if (value !== undefined) return form.fill(label, value).then(waitUntilIdle).catch(ignoreMissingElement);
    const staticOptions = await Promise.resolve()
      .then(() => form.options(label))
      .catch(ignoreMissingElement);
    const options = staticOptions?.length
      ? staticOptions
      : await form.search(label, '').catch(ignoreMissingElement);
    const [first] = options ?? [];
    if (first !== undefined)
      await form.choose(label, first).catch(() => form.choose(label, [first]).catch(ignoreMissingElement));
    else await form.fill(label, this.#text).catch(ignoreMissingElement);
    await waitUntilIdle();
  }
}

/** Lines besides the examples of commands: typing errors, questions, and mentions of the bot. */
const UNUSUAL_LINES = [
  '/upnext help nothing like it',
  '/upnext help schedule',
  '/upnext schedle',
  '/upnext use x',
  '/upnext zone here Nowhereland',
  '/upnext digest at 9',
  '/upnext posts at the weekend',
  '/upnext posts nothing like it',
  '@schedule',
  '@digest new',
];

const commands = features.flatMap((feature) => feature.commands);

/** All command lines: the unusual lines, and each command with its examples. */
export const EVERY_LINE: readonly string[] = [
  ...UNUSUAL_LINES,
  ...new Set(
    commands.flatMap(({ name, slashCommand, examples }) => [
      `/upnext ${name}`,
      ...(slashCommand === undefined ? [] : [slashCommand]),
      ...Object.keys(examples),
    ]),
  ),
];

/** The command lines of commands with a form. Some examples show a preview instead. */
export const FORM_LINES: readonly string[] = commands
  .filter(({ opensForm }) => opensForm !== undefined && opensForm !== false)
  .flatMap(({ name, examples }) => [`/upnext ${name}`, ...Object.keys(examples)]);

/** Finds the buttons in a payload, one for each label. */
function findButtons(value: unknown): Button[] {
  return [...new Map(findAllButtons(value).map((button) => [button.label, button])).values()];
}

function findAllButtons(value: unknown): Button[] {
  if (typeof value !== 'object' || value === null) return [];
  const {
    type,
    text,
    action_id: id,
  } = value as { type?: unknown; text?: { text?: string }; action_id?: string };
  if (type !== 'button') return Object.values(value).flatMap(findAllButtons);
  return text?.text === undefined || id === undefined ? [] : [{ label: text.text, id }];
}

/** Ignores the error of an action on an element that no longer exists. Errors of the bot itself are in the log. */
function ignoreMissingElement(error: unknown): undefined {
  if (!(error instanceof Error)) throw error;
  return undefined;
}
