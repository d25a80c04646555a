import { features } from '../../src/app/features.ts';
import { AnsweringApp } from '../../src/slack/bolt/bolt.ts';
import type { Running } from './bot.ts';

type Actor = ReturnType<Running['workspace']['as']>;
type Form = Awaited<ReturnType<Actor['modal']>>;

/** Presses per list and steps per form. */
const MAX_PRESSES = 12;
const MAX_STEPS = 4;
/** How often the same form is filled in, and the same button pressed. */
const MAX_REPEATS = 2;

/** Values of fields that don't accept any text, by label. */
const WANTED: Readonly<Record<string, string>> = {
  When: 'tomorrow 9am and Sunday 9am',
  'E-mail': 'zoe@elsewhere.test',
  'Phone number': '+351 555 0100',
};

let underWay = 0;
const waiting = new Set<() => void>();

/** Counts the bot's requests in flight, so that tests wait no longer than needed. */
export function watchHandling(): void {
  const { processEvent } = AnsweringApp.prototype;
  AnsweringApp.prototype.processEvent = async function (event) {
    underWay += 1;
    try {
      await processEvent.call(this, event);
    } finally {
      underWay -= 1;
      if (underWay === 0) for (const go of waiting) go();
    }
  };
}

/** Resolves when the bot is idle. `watchHandling` must be called before the bot starts. */
export async function isIdle(): Promise<void> {
  while (underWay > 0) {
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

/** Types every command, presses every button, and fills in every form with `words`. */
export class Explorer {
  readonly #ana: Actor;
  readonly #words: string;
  /** The form in front; undefined if there is none. */
  #title: string | undefined;
  /** The buttons of the last view and of the last message. */
  #inView: readonly Button[] = [];
  #inMessage: readonly Button[] = [];
  /** How often each form was filled in, by title, and each button pressed. */
  readonly #done = new Map<string, number>();

  constructor(running: Running, words: string) {
    this.#ana = running.workspace.as('Ana').in('#harbour-coffee');
    this.#words = words;
  }

  /** Receives everything that the bot sends. A view becomes the one in front. */
  hears({ to, payload }: { to: string; payload: Readonly<Record<string, unknown>> }): void {
    const view = payload.view as { type?: string; title?: { text: string } } | undefined;
    if (view !== undefined) this.#inView = buttonsIn(view);
    else if (payload.text !== undefined) this.#inMessage = buttonsIn(payload.blocks);
    if (to !== 'views.publish' && view?.type === 'modal') this.#title = view.title?.text;
  }

  /** `atHome`: also presses Home's buttons, each of which does what a command does. */
  async everything(lines: readonly string[], { atHome }: { atHome: boolean }): Promise<void> {
    for (const line of lines) {
      await this.#doing(() =>
        line.startsWith('@') ? this.#ana.mention(line.slice(1)) : this.#ana.type(line),
      );
      await this.#lookAround();
    }
    const home = await this.#ana.home('What you can do');
    await isIdle();
    for (const button of atHome ? this.#inView : [])
      if (this.#isWorthIt(button)) await this.#attempt(() => home.press(button.label));
  }

  /** Counts an action; false if it was done often enough. */
  #isWorthIt(thing: Button | string): boolean {
    const key = typeof thing === 'string' ? thing : `${thing.id} ${thing.label}`;
    const times = this.#done.get(key) ?? 0;
    this.#done.set(key, times + 1);
    return times < MAX_REPEATS;
  }

  /** Presses everything in the newest message, and follows what it opens. */
  async #lookAround(): Promise<void> {
    if (await this.#throughForms()) return;
    const seen = new Set<string>();
    for (let step = 0; step < MAX_PRESSES; step += 1) {
      const button = this.#inMessage.find(({ label }) => !seen.has(label));
      if (button === undefined) return;
      seen.add(button.label);
      if (this.#isWorthIt(button)) await this.#attempt(() => this.#ana.press(button.label));
    }
  }

  /** Runs an action on an element that may be gone, and follows the forms that it opens. */
  async #attempt(doing: () => Promise<void>): Promise<void> {
    await this.#doing(() => doing().catch(isGone));
    await this.#throughForms();
  }

  async #doing(doing: () => Promise<void>): Promise<void> {
    this.#title = undefined;
    await doing();
    await isIdle();
  }

  /** Fills in and sends the form in front, and its next steps. */
  async #throughForms(): Promise<boolean> {
    for (let step = 0; step < MAX_STEPS && this.#title !== undefined; step += 1) {
      if (!this.#isWorthIt(this.#title)) break;
      const form = await this.#ana.modal(this.#title);
      for (const label of form.labels()) await this.#fill(form, label);
      const buttons = this.#inView.filter(({ label }) => label !== 'Back').slice(0, MAX_PRESSES);
      for (const button of buttons)
        if (this.#isWorthIt(button)) await form.press(button.label).then(isIdle).catch(isGone);
      if (!form.open) continue;
      const before = form.title();
      await form.submit().catch(isGone);
      await isIdle();
      if (!form.open || form.title() === before) break;
    }
    const isThere = this.#title !== undefined;
    while (this.#title !== undefined) {
      const form = await this.#ana.modal(this.#title).catch(() => undefined);
      this.#title = undefined;
      await form?.close();
      await isIdle();
    }
    return isThere;
  }

  async #fill(form: Form, label: string): Promise<void> {
    const named = WANTED[label];
    if (named !== undefined) return form.fill(label, named).then(isIdle).catch(isGone);
    const offered = await Promise.resolve()
      .then(() => form.options(label))
      .catch(isGone);
    const searched = offered?.length ? offered : await form.search(label, '').catch(isGone);
    const [first] = searched ?? [];
    if (first !== undefined)
      await form.choose(label, first).catch(() => form.choose(label, [first]).catch(isGone));
    else await form.fill(label, this.#words).catch(isGone);
    await isIdle();
  }
}

/** Commands that no example covers: typing errors, questions, and mentions of the bot. */
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
export const everyLine: readonly string[] = [
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
export const linesOfForms: readonly string[] = commands
  .filter(({ opensForm }) => opensForm !== undefined && opensForm !== false)
  .flatMap(({ name, examples }) => [`/upnext ${name}`, ...examples]);

/** All buttons in a payload, one for each label. */
function buttonsIn(value: unknown): Button[] {
  return [...new Map(everyButtonIn(value).map((button) => [button.label, button])).values()];
}

function everyButtonIn(value: unknown): Button[] {
  if (typeof value !== 'object' || value === null) return [];
  const {
    type,
    text,
    action_id: id,
  } = value as { type?: unknown; text?: { text?: string }; action_id?: string };
  if (type !== 'button') return Object.values(value).flatMap(everyButtonIn);
  return text?.text === undefined || id === undefined ? [] : [{ label: text.text, id }];
}

/** Ignores elements that are gone. The bot's own errors are in its log. */
function isGone(error: unknown): undefined {
  if (!(error instanceof Error)) throw error;
  return undefined;
}
