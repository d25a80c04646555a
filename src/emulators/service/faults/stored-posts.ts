import type { Kysely } from 'kysely';
import type { ServiceSchema } from '../schema.ts';

/** The stored posts, read without faults, so that tests can compare. */
export interface StoredPosts {
  /** The number of posts with exactly this content. */
  countByContent(content: string): Promise<number>;
  /** The number of posts by content. */
  countAllByContent(): Promise<ReadonlyMap<string, number>>;
}

export function createStoredPosts(db: Kysely<ServiceSchema>): StoredPosts {
  const counted = db
    .selectFrom('posts')
    .select(({ fn }) => ['content', fn.countAll<number | string>().as('posts')])
    .where('content', 'is not', null)
    .groupBy('content');
  return {
    countByContent: async (content) => {
      const row = await counted.where('content', '=', content).executeTakeFirst();
      return Number(row?.posts ?? 0);
    },
    countAllByContent: async () => {
      const rows = await counted.execute();
      return new Map(rows.map(({ content, posts }) => [content ?? '', Number(posts)]));
    },
  };
}
