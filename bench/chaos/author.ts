import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from 'slack-workspace-emulator';
import type { Random } from '../../test/support/random.ts';
import { pressAndConfirm } from '../../test/support/steps.ts';
import { getLastReports, type PostHistory, type ReportedState } from './history.ts';
import { Inbox } from './inbox.ts';
import { DECISIONS, findButtons, OUTBOX_ANSWER, parseReport } from './parse-report.ts';
import { type PreparedPost, prepareByCommand, prepareInForm } from './write-post.ts';

/** How long an author watches an unchanged screen before doing something. */
const PATIENCE_MS = 8_000;
const POLL_INTERVAL_MS = 250;
/** An author gives up after this many attempts to send the same text. */
const MAX_ATTEMPTS = 6;

/** After these reports, an author submits the form again or writes a new one. */
const RETRIED_STATES: readonly ReportedState[] = ['unsure', 'not-saved', 'no-answer', 'unrecognized'];

interface AuthorOptions {
  actor: Actor;
  name: string;
  userId: string;
  random: Random;
  /** Creates the text and the date of the next post. */
  createPost: () => { token: string; content: string; when: string };
  /** Counts the posts with this text in the service. */
  countPostsInService: (content: string) => Promise<number>;
  /** Average pause between two posts. */
  meanPauseMs: number;
}

/** Schedules one post after another, reads what the app reports, and reacts as people do. */
export class Author {
  /** The number of forms that didn't open. */
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

  get userId(): string {
    return this.#options.userId;
  }

  get posts(): readonly PostHistory[] {
    return this.#inbox.posts;
  }

  /** Writes posts until `isOver` returns true, and then finishes the current post. */
  async writeUntil(isOver: () => boolean): Promise<void> {
    const { random, meanPauseMs } = this.#options;
    await delay(random.next() * meanPauseMs);
    while (!isOver()) {
      await this.#schedulePost(isOver);
      await this.readAndAnswer();
      await delay(-Math.log(1 - random.next()) * meanPauseMs);
    }
  }

  /** Reads new messages. */
  readMessages(): void {
    this.#inbox.readAll();
  }

  /** Reads new messages. If the app asks for a decision about a post, answers it. */
  async readAndAnswer(): Promise<void> {
    this.#inbox.readAll();
    await this.#answerQuestion();
    this.#inbox.readAll();
  }

  /** Types `/upnext outbox` and returns the answer. Undefined if the app doesn't answer. */
  async readOutbox(): Promise<string | undefined> {
    const { actor } = this.#options;
    await actor.inDirectMessage();
    const countBefore = actor.messages().length;
    await actor.type('/upnext outbox').catch(() => undefined);
    const endsAt = Date.now() + PATIENCE_MS;
    while (Date.now() < endsAt) {
      // A notification may arrive before the answer.
      const text = actor
        .messages()
        .slice(countBefore)
        .find((message) => OUTBOX_ANSWER.test(message));
      if (text !== undefined) return text;
      await delay(POLL_INTERVAL_MS);
    }
    return undefined;
  }

  async #schedulePost(isOver: () => boolean): Promise<void> {
    const { random, name, createPost } = this.#options;
    const { when, ...text } = createPost();
    const post: PostHistory = { ...text, author: name, events: [] };
    let form = 0;
    let preparedPost: PreparedPost | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const isNew = preparedPost === undefined;
      preparedPost ??= await this.#prepare(post, when);
      if (isNew && preparedPost) form += 1;
      if (!preparedPost) {
        this.unopenedFormCount += 1;
        if (isOver()) break;
        continue;
      }
      if (!this.posts.includes(post)) this.#inbox.posts.push(post);
      this.#inbox.addEvent(post, { kind: 'submitted', form });
      const state = await this.#submitForm(post, form, preparedPost);
      // Once the run is over, the author does nothing more about the post.
      if (!RETRIED_STATES.includes(state) || isOver()) break;
      // Half of the authors who read "unsure" write the post again after a while, unless they read something else.
      if (state === 'unsure' && random.drawBoolean(0.5)) break;
      await delay(state === 'unsure' ? 5_000 + random.drawInteger(10_000) : 500 + random.drawInteger(3_000));
      this.#inbox.readAll();
      const lastReport = getLastReports(post).get(form);
      if (lastReport !== undefined && lastReport !== 'nothing' && !RETRIED_STATES.includes(lastReport)) break;
      const resubmits = state !== 'unsure' && random.drawBoolean(0.6) && preparedPost.canResubmit();
      if (resubmits) continue;
      await preparedPost.close().catch(() => undefined);
      preparedPost = undefined;
    }
    await preparedPost?.close().catch(() => undefined);
  }

  async #prepare(post: PostHistory, when: string): Promise<PreparedPost | undefined> {
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

  /** Returns the state that the app reports within PATIENCE_MS, or 'no-answer'. */
  async #submitForm(post: PostHistory, form: number, preparedPost: PreparedPost): Promise<ReportedState> {
    const startedAt = performance.now();
    const textBefore = preparedPost.readText();
    const submitError = await preparedPost.submit().catch((error: unknown) => String(error));
    const endsAt = Date.now() + PATIENCE_MS;
    let state: ReportedState | undefined;
    while (state === undefined && Date.now() < endsAt) {
      const text = preparedPost.readText();
      // If the app didn't acknowledge the press, an unchanged text reports nothing about the press.
      const isUnchanged = submitError !== undefined && text === textBefore;
      state = text === undefined || isUnchanged ? undefined : parseReport(text);
      if (state !== undefined && text !== undefined) this.#inbox.addReport(post, form, state, text);
      else {
        this.#inbox.readAll();
        const lastReport = getLastReports(post).get(form);
        if (lastReport !== 'nothing' && lastReport !== undefined && lastReport !== 'no-answer')
          state = lastReport;
        else if (submitError !== undefined && Date.now() > endsAt - PATIENCE_MS + 2_000) break;
        else await delay(POLL_INTERVAL_MS);
      }
    }
    if (state === undefined) {
      const text = preparedPost.readText() ?? '';
      // A form that still shows its fields isn't an answer.
      const isAnswer = submitError === undefined && text.trim() !== '' && !preparedPost.canResubmit();
      const fallbackState = isAnswer ? 'unrecognized' : 'no-answer';
      this.#inbox.addReport(post, form, fallbackState, submitError ?? text);
      return fallbackState;
    }
    if (state === 'confirmed') this.confirmationTimesMs.push(performance.now() - startedAt);
    // Half of the authors close the modal at once, as the app says they can.
    if (state === 'saved' && this.#options.random.drawBoolean(0.5))
      await this.#watchModal(post, form, preparedPost);
    return state;
  }

  /** Watches the open modal for at most PATIENCE_MS, until it reports another state than 'saved'. */
  async #watchModal(post: PostHistory, form: number, preparedPost: PreparedPost): Promise<void> {
    const endsAt = Date.now() + PATIENCE_MS;
    while (Date.now() < endsAt) {
      await delay(POLL_INTERVAL_MS);
      const text = preparedPost.readText();
      const state = text === undefined ? undefined : parseReport(text);
      if (text === undefined) return;
      if (state !== undefined && state !== 'saved') return this.#inbox.addReport(post, form, state, text);
    }
  }

  /**
   * If the app asks for a decision about a post, checks the service and presses a suitable button. Sends a post again
   * only if the service doesn't have it.
   */
  async #answerQuestion(): Promise<void> {
    const { actor, countPostsInService, random } = this.#options;
    const question = actor
      .messages()
      .findLast((text) => DECISIONS.some((decision) => findButtons(text).includes(decision)));
    const post = question && this.posts.find(({ token }) => question.includes(token));
    if (!question || !post) return;
    const labels = findButtons(question).filter((label) => DECISIONS.some((decision) => decision === label));
    const isInService = (await countPostsInService(post.content)) > 0;
    const preferredButtons = isInService
      ? ['Check again', 'Discard']
      : random.drawBoolean(0.8)
        ? ['Send again', 'Discard']
        : ['Check again', 'Discard'];
    const button = preferredButtons.find((label) => labels.includes(label));
    if (button === undefined) return;
    this.#inbox.addEvent(post, { kind: 'pressed', form: Math.max(...getLastReports(post).keys()), button });
    await pressAndConfirm(actor, button).catch(() => undefined);
    const endsAt = Date.now() + PATIENCE_MS;
    while (actor.messages().includes(question) && Date.now() < endsAt) await delay(POLL_INTERVAL_MS);
  }
}
