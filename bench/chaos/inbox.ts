import type { Actor } from 'slack-workspace-emulator';
import { getLastReports, type PostEvent, type PostHistory, type ReportedState } from './history.ts';
import { parseReport } from './parse-report.ts';

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The posts of an author, and the app's reports about them. */
export class Inbox {
  readonly posts: PostHistory[] = [];
  readonly #actor: Actor;
  readonly #readTexts = new Set<string>();

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /**
   * Reads the new direct messages about posts. A message counts as a report about the last submitted form of its post.
   */
  readAll(): void {
    for (const text of this.#actor.messages()) {
      if (this.#readTexts.has(text)) continue;
      const post = this.posts.find(({ token }) => text.includes(token));
      const state = parseReport(text);
      if (post && state !== undefined)
        this.addReport(post, Math.max(...getLastReports(post).keys()), state, text);
    }
  }

  addReport(post: PostHistory, form: number, state: ReportedState, text: string): void {
    this.#readTexts.add(text);
    const last = post.events.at(-1);
    if (last?.kind === 'reported' && last.state === state && last.form === form) return;
    this.addEvent(post, { kind: 'reported', form, state, text });
  }

  addEvent(post: PostHistory, event: DistributiveOmit<PostEvent, 'at'>): void {
    post.events.push({ ...event, at: Date.now() });
  }
}
