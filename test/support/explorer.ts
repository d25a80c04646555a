import { features } from '../../src/app/features.ts';
import { RespondingApp } from '../../src/slack/bolt/bolt.ts';
import type { Running } from './bot.ts';

type Actor = ReturnType<Running['workspace']['as']>;
type Form = Awaited<ReturnType<Actor['modal']>>;

/** Limits on presses in a message or view, and on steps of a form. */
const MAX_PRESSES = 12;
const MAX_STEPS = 4;
/** How often the same form is filled in and the same button is pressed. */
const MAX_REPEATS = 2;

/** Values of fields that accept only certain texts, by label. */
const FIELD_VALUES: Readonly<Record<string, string>> = {
  When: 'tomorrow 9am and Sunday 9am',
  'E-mail': 'zoe@elsewhere.test',
  'Phone number': '+351 555 0100',
};

let inFlight = 0;
const waiting = new Set<() => void>();

/** Counts the bot's requests in flight, for `waitUntilIdle`. */
export function watchHandling(): void {
  const { processEvent } = RespondingApp.prototype;
  RespondingApp.prototype.processEvent = async function (event) {
    inFlight += 1;
    try {
      await processEvent.call(this, event);
    } finally {
      inFlight -= 1;
      if (inFlight === 0) for (const resume of waiting) resume();
    }
  };
}

/** Resolves when the bot is idle. `watchHandling` must be called before the bot starts. */
export async function waitUntilIdle(): Promise<void> {
  while (inFlight > 0) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    await promise;
    waiting.delete(resolve);
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
  #title: string | undefined;
  /** The buttons of the last view and of the last message. */
  #inView: readonly Button[] = [];
  #inMessage: readonly Button[] = [];
  /** How often each form was filled in, by title, and each button pressed. */
  readonly #done = new Map<string, number>();

  constructor(running: Running, text: string) {
    this.#ana = running.workspace.as('Ana').in('#harbour-coffee');
    this.#text = text;
  }

  /** Records a payload that the bot sent. A modal becomes the open form. */
  record({ to, payload }: { to: string; payload: Readonly<Record<string, unknown>> }): void {
    const view = payload.view as { type?: string; title?: { text: string } } | undefined;
    if (view !== undefined) this.#inView = findButtons(view);
    else if (payload.text !== undefined) this.#inMessage = findButtons(payload.blocks);
    if (to !== 'views.publish' && view?.type === 'modal') this.#title = view.title?.text;
  }

  /** Types these lines. `atHome`: also presses the buttons of Home, which do the same as commands. */
  async explore(lines: readonly string[], { atHome }: { atHome: boolean }): Promise<void> {
    for (const line of lines) {
      await this.#act(() => (line.startsWith('@') ? this.#ana.mention(line.slice(1)) : this.#ana.type(line)));
      await this.#pressAllButtons();
    }
    const home = await this.#ana.home('What you can do');
    await waitUntilIdle();
    for (const button of atHome ? this.#inView : [])
      if (this.#isNewAction(button)) await this.#attempt(() => home.press(button.label));
  }

  /** Counts an action. Returns false if it has been done often enough. */
  #isNewAction(thing: Button | string): boolean {
    const key = typeof thing === 'string' ? thing : `${thing.id} ${thing.label}`;
    const times = this.#done.get(key) ?? 0;
    this.#done.set(key, times + 1);
    return times < MAX_REPEATS;
  }

  /** Presses every button in the newest message, and completes the forms that open. */
  async #pressAllButtons(): Promise<void> {
    if (await this.#completeForms()) return;
    const seen = new Set<string>();
    for (let step = 0; step < MAX_PRESSES; step += 1) {
      const button = this.#inMessage.find(({ label }) => !seen.has(label));
      if (button === undefined) return;
      seen.add(button.label);
      if (this.#isNewAction(button)) await this.#attempt(() => this.#ana.press(button.label));
    }
  }

  /** Runs an action on an element that may be gone, and completes the forms that open. */
  async #attempt(action: () => Promise<void>): Promise<void> {
    await this.#act(() => action().catch(ignoreGone));
    await this.#completeForms();
  }

  async #act(action: () => Promise<void>): Promise<void> {
    this.#title = undefined;
    await action();
    await waitUntilIdle();
  }

  /** Fills in and submits the open form and its next steps. */
  async #completeForms(): Promise<boolean> {
    for (let step = 0; step < MAX_STEPS && this.#title !== undefined; step += 1) {
      if (!this.#isNewAction(this.#title)) break;
      const form = await this.#ana.modal(this.#title);
      for (const label of form.labels()) await this.#fill(form, label);
      const buttons = this.#inView.filter(({ label }) => label !== 'Back').slice(0, MAX_PRESSES);
      for (const button of buttons)
        if (this.#isNewAction(button)) await form.press(button.label).then(waitUntilIdle).catch(ignoreGone);
      if (!form.open) continue;
      const before = form.title();
      await form.submit().catch(ignoreGone);
      await waitUntilIdle();
      if (!form.open || form.title() === before) break;
    }
    const wasOpen = this.#title !== undefined;
    while (this.#title !== undefined) {
      const form = await this.#ana.modal(this.#title).catch(() => undefined);
      this.#title = undefined;
      await form?.close();
      await waitUntilIdle();
    }
    return wasOpen;
  }

  async #fill(form: Form, label: string): Promise<void> {
    const value = FIELD_VALUES[label];
    if (value !== undefined) return form.fill(label, value).then(waitUntilIdle).catch(ignoreGone);
    const listed = await Promise.resolve()
      .then(() => form.options(label))
      .catch(ignoreGone);
    const options = listed?.length ? listed : await form.search(label, '').catch(ignoreGone);
    const [first] = options ?? [];
    if (first !== undefined)
      await form.choose(label, first).catch(() => form.choose(label, [first]).catch(ignoreGone));
    else await form.fill(label, this.#text).catch(ignoreGone);
    await waitUntilIdle();
  }
}

/** Commands that no example contains: typing errors, questions, and mentions of the bot. */
const ODD_LINES = [
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

/** Every command line. */
export const EVERY_LINE: readonly string[] = [
  ...ODD_LINES,
  ...new Set(
    commands.flatMap(({ name, slashCommand, examples }) => [
      `/upnext ${name}`,
      ...(slashCommand === undefined ? [] : [slashCommand]),
      ...examples,
    ]),
  ),
];

/** The command lines that open forms, and those with a one-line preview. */
export const FORM_LINES: readonly string[] = commands
  .filter(({ opensForm }) => opensForm !== undefined && opensForm !== false)
  .flatMap(({ name, examples }) => [`/upnext ${name}`, ...examples]);

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

/** Ignores the error of an action on an element that is gone. Errors of the bot are in its log. */
function ignoreGone(error: unknown): undefined {
  if (!(error instanceof Error)) throw error;
  return undefined;
}
