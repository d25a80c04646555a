import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../../src/emulators/slack/acting/actor.ts';
import type { Random } from '../../support/random.ts';
import { lastReports, type PostHistory, type ReportedState } from './history.ts';
import { Inbox } from './inbox.ts';
import { DECISIONS, findButtons, parseReport } from './told-words.ts';
import { type PreparedPost, prepareByCommand, prepareInForm } from './write-post.ts';

/** How long a person watches an unchanged screen before doing something, ms. */
const PATIENCE_MS = 8_000;
const GLANCE_MS = 250;
/** How often somebody tries to send the same text before giving up. */
const MAX_ATTEMPTS = 6;

/** After these reports, an author submits the form again or writes a new one. */
const UNCERTAIN_STATES: readonly ReportedState[] = ['unsure', 'not-saved', 'no-answer', 'unrecognized'];

interface AuthorOptions {
  actor: Actor;
  name: string;
  random: Random;
  /** The text of the next post, and its date. */
  nextPost: () => { token: string; content: string; when: string };
  /** Counts the posts with this text in the service. */
  countInService: (content: string) => Promise<number>;
  /** Average pause between two posts, ms. */
  meanPauseMs: number;
}

/** Schedules one post after another, reads what the app reports, and reacts as people do. */
export class Author {
  /** The number of forms and previews that didn't open. */
  unopenedFormCount = 0;
  /** Times from submitting to the report that the post is scheduled. */
  readonly confirmationTimesMs: number[] = [];
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

  /** Writes posts until `until` returns true, and finishes the last one. */
  async write(until: () => boolean): Promise<void> {
    const { random, meanPauseMs } = this.#options;
    await delay(random.next() * meanPauseMs);
    while (!until()) {
      await this.#schedule(until);
      await this.readAndDecide();
      await delay(-Math.log(1 - random.next()) * meanPauseMs);
    }
  }

  /** Reads new messages, and decides about a post that needs a decision. */
  async readAndDecide(): Promise<void> {
    this.#inbox.readAll();
    await this.#decide();
    this.#inbox.readAll();
  }

  /** The text of `/upnext outbox`. Undefined if the app doesn't answer. */
  async readOutbox(): Promise<string | undefined> {
    const { actor } = this.#options;
    await actor.inDirectMessage();
    const before = actor.messages().length;
    await actor.type('/upnext outbox').catch(() => undefined);
    const endsAt = Date.now() + PATIENCE_MS;
    while (Date.now() < endsAt) {
      const [text] = actor.messages().slice(before);
      if (text !== undefined) return text;
      await delay(GLANCE_MS);
    }
    return undefined;
  }

  async #schedule(until: () => boolean): Promise<void> {
    const { random, name, nextPost } = this.#options;
    const { when, ...text } = nextPost();
    const post: PostHistory = { ...text, author: name, events: [] };
    let form = 0;
    let prepared: PreparedPost | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const isNew = prepared === undefined;
      prepared ??= await this.#open(post, when);
      if (isNew && prepared) form += 1;
      if (!prepared) {
        this.unopenedFormCount += 1;
        if (until()) break;
        continue;
      }
      if (!this.posts.includes(post)) this.#inbox.posts.push(post);
      this.#inbox.addEvent(post, { kind: 'submitted', form });
      const state = await this.#submit(post, form, prepared);
      // At the end of the run, the author does nothing more about the post.
      if (!UNCERTAIN_STATES.includes(state) || until()) break;
      // Half of the authors who read "unsure" write the post again after a while, unless they read something else.
      if (state === 'unsure' && random.chance(0.5)) break;
      await delay(state === 'unsure' ? 5_000 + random.below(10_000) : 500 + random.below(3_000));
      this.#inbox.readAll();
      const last = lastReports(post).get(form);
      if (last !== undefined && last !== 'nothing' && !UNCERTAIN_STATES.includes(last)) break;
      const resubmits = state !== 'unsure' && random.chance(0.6) && prepared.canResubmit();
      if (resubmits) continue;
      await prepared.close().catch(() => undefined);
      prepared = undefined;
    }
    await prepared?.close().catch(() => undefined);
  }

  async #open(post: PostHistory, when: string): Promise<PreparedPost | undefined> {
    const { actor, random } = this.#options;
    await actor.inDirectMessage();
    const choice = random.next();
    try {
      if (choice < 0.75) return await prepareInForm(actor, post.content, when);
      return await prepareByCommand(actor, post, when, choice < 0.85 ? 'draft' : 'post');
    } catch (error) {
      this.#inbox.addEvent(post, {
        kind: 'note',
        form: 0,
        text: `not opened: ${String(error).slice(0, 100)}`,
      });
      return undefined;
    }
  }

  /** Returns the state that the app reports within PATIENCE_MS, or `no-answer`. */
  async #submit(post: PostHistory, form: number, prepared: PreparedPost): Promise<ReportedState> {
    const startedAt = performance.now();
    const before = prepared.text();
    const submitError = await prepared.submit().catch((error: unknown) => String(error));
    const endsAt = Date.now() + PATIENCE_MS;
    let state: ReportedState | undefined;
    while (state === undefined && Date.now() < endsAt) {
      const text = prepared.text();
      // If the press was not acknowledged, an unchanged text reports nothing about it.
      const isUnchanged = submitError !== undefined && text === before;
      state = text === undefined || isUnchanged ? undefined : parseReport(text);
      if (state !== undefined && text !== undefined) this.#inbox.addReport(post, form, state, text);
      else {
        this.#inbox.readAll();
        const last = lastReports(post).get(form);
        if (last !== 'nothing' && last !== undefined && last !== 'no-answer') state = last;
        else if (submitError !== undefined && Date.now() > endsAt - PATIENCE_MS + 2_000) break;
        else await delay(GLANCE_MS);
      }
    }
    if (state === undefined) {
      const text = prepared.text() ?? '';
      // A form that still shows its fields doesn't count as an answer.
      const isAnswer = submitError === undefined && text.trim() !== '' && !prepared.canResubmit();
      const missingState = isAnswer ? 'unrecognized' : 'no-answer';
      this.#inbox.addReport(post, form, missingState, submitError ?? text);
      return missingState;
    }
    if (state === 'confirmed') this.confirmationTimesMs.push(performance.now() - startedAt);
    // Half of the authors close the modal at once, as the app says they can.
    if (state === 'saved' && this.#options.random.chance(0.5)) await this.#watch(post, form, prepared);
    return state;
  }

  /** Watches the open modal until it reports another state, for at most PATIENCE_MS. */
  async #watch(post: PostHistory, form: number, prepared: PreparedPost): Promise<void> {
    const endsAt = Date.now() + PATIENCE_MS;
    while (Date.now() < endsAt) {
      await delay(GLANCE_MS);
      const text = prepared.text();
      const state = text === undefined ? undefined : parseReport(text);
      if (text === undefined) return;
      if (state !== undefined && state !== 'saved') return this.#inbox.addReport(post, form, state, text);
    }
  }

  /**
   * If the app asks for a decision, looks into the service and presses a suitable button. Resends only missing posts.
   */
  async #decide(): Promise<void> {
    const { actor, countInService, random } = this.#options;
    const question = actor
      .messages()
      .findLast((text) => DECISIONS.some((decision) => findButtons(text).includes(decision)));
    const post = question && this.posts.find(({ token }) => question.includes(token));
    if (!question || !post) return;
    const labels = findButtons(question).filter((label) => DECISIONS.some((decision) => decision === label));
    const isInService = (await countInService(post.content)) > 0;
    const preferredButtons = isInService
      ? ['Check again', 'Discard']
      : random.chance(0.8)
        ? ['Send again', 'Discard']
        : ['Check again', 'Discard'];
    const button = preferredButtons.find((label) => labels.includes(label));
    if (button === undefined) return;
    this.#inbox.addEvent(post, { kind: 'pressed', form: Math.max(...lastReports(post).keys()), button });
    await actor.press(button).catch(() => undefined);
    const endsAt = Date.now() + PATIENCE_MS;
    while (actor.messages().includes(question) && Date.now() < endsAt) await delay(GLANCE_MS);
  }
}
