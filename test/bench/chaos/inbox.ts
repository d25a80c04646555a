import type { Actor } from '../../../src/emulators/slack/acting/actor.ts';
import { lastTold, type PostEvent, type PostHistory, type Told } from './history.ts';
import { toldBy } from './told-words.ts';

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The posts of one author, and everything that they were told about them. */
export class Inbox {
  readonly posts: PostHistory[] = [];
  readonly #actor: Actor;
  readonly #read = new Set<string>();

  constructor(actor: Actor) {
    this.#actor = actor;
  }

  /** Every direct message about a post that was not read yet: about the form that was sent last. */
  readAll(): void {
    for (const text of this.#actor.messages()) {
      if (this.#read.has(text)) continue;
      const post = this.posts.find(({ token }) => text.includes(token));
      const told = toldBy(text);
      if (post && told !== undefined) this.tell(post, Math.max(...lastTold(post).keys()), told, text);
    }
  }

  tell(post: PostHistory, form: number, told: Told, text: string): void {
    this.#read.add(text);
    const last = post.events.at(-1);
    if (last?.kind === 'told' && last.told === told && last.form === form) return;
    this.note(post, { kind: 'told', form, told, text });
  }

  note(post: PostHistory, event: DistributiveOmit<PostEvent, 'at'>): void {
    post.events.push({ ...event, at: Date.now() });
  }
}
