import type { Kysely } from 'kysely';
import type { ServiceSchema } from '../schema.ts';

/** What the service really holds, past all faults: the truth that a test compares with. */
export interface HeldPosts {
  /** How many posts hold exactly this content. */
  holding(content: string): Promise<number>;
  /** Every content that there is, with the number of its posts. */
  byContent(): Promise<ReadonlyMap<string, number>>;
}

export function heldPosts(db: Kysely<ServiceSchema>): HeldPosts {
  const counted = db
    .selectFrom('posts')
    .select(({ fn }) => ['content', fn.countAll<number | string>().as('posts')])
    .where('content', 'is not', null)
    .groupBy('content');
  return {
    holding: async (content) => {
      const row = await counted.where('content', '=', content).executeTakeFirst();
      return Number(row?.posts ?? 0);
    },
    byContent: async () => {
      const rows = await counted.execute();
      return new Map(rows.map(({ content, posts }) => [content ?? '', Number(posts)]));
    },
  };
}
