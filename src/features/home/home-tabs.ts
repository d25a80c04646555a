import type { Kysely } from 'kysely';
import { DAY_MS } from '../../durations.ts';
import type { HomeTables } from '../../handlers/schema.ts';

interface HomeTab {
  workspace: string;
  person: string;
  /** Slack's hash of the published view; '' if nothing was published. */
  hash: string;
}

/** How long Home is refreshed after a person opened it. After that, Home stays unchanged until the person opens it. */
const REFRESH_PERIOD_MS = DAY_MS;

/** Finds the Home tab of a person. Undefined if the person hasn't opened it recently. */
export async function findRecentHomeTab(
  db: Kysely<HomeTables>,
  query: { workspace: string; person: string; now: Date },
): Promise<HomeTab | undefined> {
  return db
    .selectFrom('home_tab')
    .select(['workspace', 'person', 'hash'])
    .where('workspace', '=', query.workspace)
    .where('person', '=', query.person)
    .where('opened_at', '>', new Date(query.now.getTime() - REFRESH_PERIOD_MS))
    .executeTakeFirst();
}

/** Records that a person opened Home. From then on it is refreshed for a day. */
export async function recordHomeOpened(
  db: Kysely<HomeTables>,
  opening: { workspace: string; person: string; now: Date },
): Promise<void> {
  await db
    .insertInto('home_tab')
    .values({ workspace: opening.workspace, person: opening.person, hash: '', opened_at: opening.now })
    .onConflict((conflict) =>
      conflict.columns(['workspace', 'person']).doUpdateSet({ opened_at: opening.now }),
    )
    .execute();
}

/** Stores the hash of the view that was published last. */
export async function storeHomeHash(
  db: Kysely<HomeTables>,
  { workspace, person, hash }: HomeTab,
): Promise<void> {
  await db
    .updateTable('home_tab')
    .set({ hash })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute();
}
