import { setTimeout as delay } from 'node:timers/promises';
import { luckOf } from '../../support/luck.ts';
import { Author } from './author.ts';
import type { World } from './world.ts';

/** Then somebody else sits down: nobody's messages become too many to read. */
const POSTS_EACH = 10;
const WATCH_MS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface WritingOptions {
  seed: number;
  /** How many people write at the same time. */
  desks: number;
  /** On average between two posts of one of them. */
  pauseMs: number;
}

/** The people who write: always the same number at their desks. */
export class Writing {
  readonly authors: Author[] = [];
  readonly #world: World;
  readonly #options: WritingOptions;
  readonly #seed: number;
  #posts = 0;
  #people = 0;

  constructor(world: World, options: WritingOptions, luck: { below(end: number): number }) {
    this.#world = world;
    this.#options = options;
    this.#seed = luck.below(1_000_000);
  }

  async until(isOver: () => boolean): Promise<void> {
    const desk = async () => {
      while (!isOver()) {
        const author = this.#newAuthor();
        await author.write(() => isOver() || author.posts.length >= POSTS_EACH);
      }
    };
    const watching = this.#watchService(isOver);
    await Promise.all([...Array.from({ length: this.#options.desks }, desk), watching]);
  }

  /** Writes into the histories what the service has of each. */
  async watchOnce(): Promise<ReadonlyMap<string, number>> {
    const held = await this.#world.service.posts.byContent();
    for (const { posts } of this.authors) {
      for (const post of posts) {
        const count = held.get(post.content) ?? 0;
        const before = post.events.findLast((event) => event.kind === 'held')?.count ?? 0;
        if (count !== before) post.events.push({ at: Date.now(), form: 0, kind: 'held', count });
      }
    }
    return held;
  }

  async #watchService(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.watchOnce();
      await delay(WATCH_MS);
    }
  }

  #newAuthor(): Author {
    const { workspace, service } = this.#world;
    this.#people += 1;
    const name = `Writer${this.#people}`;
    workspace.admin.addPerson({ name });
    const author = new Author({
      actor: workspace.as(name),
      name,
      luck: luckOf(this.#seed + this.#people),
      nextPost: () => this.#nextPost(),
      held: (content) => service.posts.holding(content),
      pauseMs: this.#options.pauseMs,
    });
    this.authors.push(author);
    return author;
  }

  #nextPost(): { token: string; content: string; when: string } {
    this.#posts += 1;
    const token = `Chaos-${this.#options.seed}-${String(this.#posts).padStart(5, '0')}`;
    const day = new Date(Date.now() + (2 + (this.#posts % 200)) * DAY_MS);
    const words = day.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
    const minute = String(this.#posts % 60).padStart(2, '0');
    return { token, content: `${token}: the roof terrace opens again`, when: `${words} 9:${minute}` };
  }
}
