import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../src/emulators/slack/acting/actor.ts';
import type { Luck } from '../../support/luck.ts';
import { lastTold, type PostHistory, type Told } from './history.ts';
import { Inbox } from './inbox.ts';
import { buttonsIn, DECISIONS, toldBy } from './told-words.ts';
import { openForm, type Written, writeLine } from './write-post.ts';

/** How long a person looks at what does not change before they do something, ms. */
const PATIENCE_MS = 8_000;
const GLANCE_MS = 250;
/** So often the same words are tried before somebody gives up. */
const MAX_ATTEMPTS = 6;

/** After these somebody sends it again, or writes it anew. */
const IN_DOUBT: readonly Told[] = ['unsure', 'not-saved', 'trouble', 'unclear'];

interface AuthorOptions {
  actor: Actor;
  name: string;
  luck: Luck;
  /** The words of the next post, and when it is due. */
  nextPost: () => { token: string; content: string; when: string };
  /** How many posts with these words the service really has. */
  held: (content: string) => Promise<number>;
  /** On average between two posts. */
  pauseMs: number;
}

/** Somebody who schedules post after post, reads what they are told, and does what people do about it. */
export class Author {
  /** Figures of what did not come as far as a post. */
  neverOpened = 0;
  readonly waits: number[] = [];
  readonly #options: AuthorOptions;
  readonly #inbox: Inbox;

  constructor(options: AuthorOptions) {
    this.#options = options;
    this.#inbox = new Inbox(options.actor);
  }

  get name(): string {
    return this.#options.name;
  }

  get posts(): readonly PostHistory[] {
    return this.#inbox.posts;
  }

  /** Writes until told to stop, and ends what was begun. */
  async write(until: () => boolean): Promise<void> {
    const { luck, pauseMs } = this.#options;
    await delay(luck.next() * pauseMs);
    while (!until()) {
      await this.#schedule(until);
      await this.look();
      await delay(-Math.log(1 - luck.next()) * pauseMs);
    }
  }

  /** Reads what is new, and answers what it asks. */
  async look(): Promise<void> {
    this.#inbox.readAll();
    await this.#decide();
    this.#inbox.readAll();
  }

  /** What `/upnext outbox` shows, undefined where it does not answer. */
  async outbox(): Promise<string | undefined> {
    const { actor } = this.#options;
    await actor.inDirectMessage();
    const before = actor.messages().length;
    await actor.type('/upnext outbox').catch(() => undefined);
    const ends = Date.now() + PATIENCE_MS;
    while (Date.now() < ends) {
      const [text] = actor.messages().slice(before);
      if (text !== undefined) return text;
      await delay(GLANCE_MS);
    }
    return undefined;
  }

  async #schedule(until: () => boolean): Promise<void> {
    const { luck, name, nextPost } = this.#options;
    const { when, ...words } = nextPost();
    const post: PostHistory = { ...words, author: name, events: [] };
    let form = 0;
    let written: Written | undefined;
    for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
      const begins = written === undefined;
      written ??= await this.#open(post, when);
      if (begins && written) form += 1;
      if (!written) {
        this.neverOpened += 1;
        if (until()) break;
        continue;
      }
      if (!this.posts.includes(post)) this.#inbox.posts.push(post);
      this.#inbox.note(post, { kind: 'submitted', form });
      const told = await this.#submit(post, form, written);
      // Who goes home leaves it as they were told.
      if (!IN_DOUBT.includes(told) || until()) break;
      // Of those who were told that nobody knows, half write it again after a while, if they hear nothing else.
      if (told === 'unsure' && luck.chance(0.5)) break;
      await delay(told === 'unsure' ? 5_000 + luck.below(10_000) : 500 + luck.below(3_000));
      this.#inbox.readAll();
      const last = lastTold(post).get(form);
      if (last !== undefined && last !== 'nothing' && !IN_DOUBT.includes(last)) break;
      const isSame = told !== 'unsure' && luck.chance(0.6) && written.isThere();
      if (isSame) continue;
      await written.close().catch(() => undefined);
      written = undefined;
    }
    await written?.close().catch(() => undefined);
  }

  async #open(post: PostHistory, when: string): Promise<Written | undefined> {
    const { actor, luck } = this.#options;
    await actor.inDirectMessage();
    const way = luck.next();
    try {
      if (way < 0.75) return await openForm(actor, post.content, when);
      return await writeLine(actor, post, when, way < 0.85 ? 'draft' : 'post');
    } catch (error) {
      this.#inbox.note(post, { kind: 'note', form: 0, text: `not opened: ${String(error).slice(0, 100)}` });
      return undefined;
    }
  }

  /** What they were told, at the latest after some patience; `trouble` where that was nothing. */
  async #submit(post: PostHistory, form: number, written: Written): Promise<Told> {
    const began = performance.now();
    const before = written.text();
    const refused = await written.submit().catch((error: unknown) => String(error));
    const ends = Date.now() + PATIENCE_MS;
    let told: Told | undefined;
    while (told === undefined && Date.now() < ends) {
      const text = written.text();
      // What stood there before says nothing of a press that was not acknowledged.
      const isOld = refused !== undefined && text === before;
      told = text === undefined || isOld ? undefined : toldBy(text);
      if (told !== undefined && text !== undefined) this.#inbox.tell(post, form, told, text);
      else {
        this.#inbox.readAll();
        const last = lastTold(post).get(form);
        if (last !== 'nothing' && last !== undefined && last !== 'trouble') told = last;
        else if (refused !== undefined && Date.now() > ends - PATIENCE_MS + 2_000) break;
        else await delay(GLANCE_MS);
      }
    }
    if (told === undefined) {
      const text = written.text() ?? '';
      // A form whose fields still stand there has answered nothing.
      const isAnswer = refused === undefined && text.trim() !== '' && !written.isThere();
      const is = isAnswer ? 'unclear' : 'trouble';
      this.#inbox.tell(post, form, is, refused ?? text);
      return is;
    }
    if (told === 'confirmed') this.waits.push(performance.now() - began);
    // Half of them close it at once, as they are told that they can.
    if (told === 'saved' && this.#options.luck.chance(0.5)) await this.#watch(post, form, written);
    return told;
  }

  /** Looks at the open view for a while longer, until it says something else. */
  async #watch(post: PostHistory, form: number, written: Written): Promise<void> {
    const ends = Date.now() + PATIENCE_MS;
    while (Date.now() < ends) {
      await delay(GLANCE_MS);
      const text = written.text();
      const told = text === undefined ? undefined : toldBy(text);
      if (text === undefined) return;
      if (told !== undefined && told !== 'saved') return this.#inbox.tell(post, form, told, text);
    }
  }

  /** Where the app asks: looks at the service, and presses what fits. Sends again only what is not there. */
  async #decide(): Promise<void> {
    const { actor, held, luck } = this.#options;
    const asks = actor
      .messages()
      .findLast((text) => DECISIONS.some((decision) => buttonsIn(text).includes(decision)));
    const post = asks && this.posts.find(({ token }) => asks.includes(token));
    if (!asks || !post) return;
    const offered = buttonsIn(asks).filter((label) => DECISIONS.some((decision) => decision === label));
    const isThere = (await held(post.content)) > 0;
    const wanted = isThere
      ? ['Check again', 'Discard']
      : luck.chance(0.8)
        ? ['Send again', 'Discard']
        : ['Check again', 'Discard'];
    const button = wanted.find((label) => offered.includes(label));
    if (button === undefined) return;
    this.#inbox.note(post, { kind: 'pressed', form: Math.max(...lastTold(post).keys()), button });
    await actor.press(button).catch(() => undefined);
    const ends = Date.now() + PATIENCE_MS;
    while (actor.messages().includes(asks) && Date.now() < ends) await delay(GLANCE_MS);
  }
}
