import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../test/support/random.ts';
import { Author } from './author.ts';
import type { World } from './world.ts';

/** After this many posts, a new author continues, so that no author has too many messages to read. */
const MAX_POSTS_PER_AUTHOR = 10;
const POLL_INTERVAL_MS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;

interface AuthorsOptions {
  seed: number;
  /** The number of people who write at the same time. */
  authorCount: number;
  /** Average pause of an author between two posts. */
  meanPauseMs: number;
}

/** The authors of a run. At any time, `authorCount` of them write. */
export class Authors {
  readonly all: Author[] = [];
  readonly #world: World;
  readonly #options: AuthorsOptions;
  readonly #seed: number;
  #postCount = 0;
  #authorCount = 0;

  constructor(world: World, options: AuthorsOptions, random: { drawInteger(end: number): number }) {
    this.#world = world;
    this.#options = options;
    this.#seed = random.drawInteger(1_000_000);
  }

  async writeUntil(isOver: () => boolean): Promise<void> {
    const writeInTurn = async () => {
      while (!isOver()) {
        const author = this.#createAuthor();
        await author.writeUntil(() => isOver() || author.posts.length >= MAX_POSTS_PER_AUTHOR);
      }
    };
    const watching = this.#watchService(isOver);
    await Promise.all([...Array.from({ length: this.#options.authorCount }, writeInTurn), watching]);
  }

  /** Counts the posts in the service by content, and adds changed counts to the histories. */
  async countPosts(): Promise<ReadonlyMap<string, number>> {
    const counts = await this.#world.service.posts.countAllByContent();
    for (const { posts } of this.all) {
      for (const post of posts) {
        const count = counts.get(post.content) ?? 0;
        const lastCount = post.events.findLast((event) => event.kind === 'count-changed')?.count ?? 0;
        if (count !== lastCount) post.events.push({ at: Date.now(), form: 0, kind: 'count-changed', count });
      }
    }
    return counts;
  }

  async #watchService(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.countPosts();
      await delay(POLL_INTERVAL_MS);
    }
  }

  #createAuthor(): Author {
    const { workspace, service } = this.#world;
    this.#authorCount += 1;
    const name = `Writer${this.#authorCount}`;
    const userId = workspace.admin.addPerson({ name });
    const author = new Author({
      actor: workspace.as(name),
      name,
      userId,
      random: createRandom(this.#seed + this.#authorCount),
      createPost: () => this.#createPost(),
      countPostsInService: (content) => service.posts.countByContent(content),
      meanPauseMs: this.#options.meanPauseMs,
    });
    this.all.push(author);
    return author;
  }

  #createPost(): { token: string; content: string; when: string } {
    this.#postCount += 1;
    const token = `Chaos-${this.#options.seed}-${String(this.#postCount).padStart(5, '0')}`;
    const day = new Date(Date.now() + (2 + (this.#postCount % 200)) * DAY_MS);
    const date = day.toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
    const minute = String(this.#postCount % 60).padStart(2, '0');
    return { token, content: `${token}: the roof terrace opens again`, when: `${date} 9:${minute}` };
  }
}
