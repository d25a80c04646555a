import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';

interface HomeTab {
  workspace: string;
  person: string;
  /** Slack's mark of what was published last; '' where nothing was. */
  hash: string;
}

/** Who has not looked for longer sees it made anew when they open it. */
const LOOKED_AT_MS = 24 * 60 * 60 * 1000;

/** The Home tab of a person who has opened it lately. */
export async function homeTabOf(
  db: Kysely<BotSchema>,
  at: { workspace: string; person: string; now: Date },
): Promise<HomeTab | undefined> {
  return db
    .selectFrom('home_tab')
    .select(['workspace', 'person', 'hash'])
    .where('workspace', '=', at.workspace)
    .where('person', '=', at.person)
    .where('opened_at', '>', new Date(at.now.getTime() - LOOKED_AT_MS))
    .executeTakeFirst();
}

export async function openedHomeTab(
  db: Kysely<BotSchema>,
  at: { workspace: string; person: string; now: Date },
): Promise<void> {
  await db
    .insertInto('home_tab')
    .values({ workspace: at.workspace, person: at.person, hash: '', opened_at: at.now })
    .onConflict((conflict) => conflict.columns(['workspace', 'person']).doUpdateSet({ opened_at: at.now }))
    .execute();
}

export async function keepHomeHash(
  db: Kysely<BotSchema>,
  { workspace, person, hash }: HomeTab,
): Promise<void> {
  await db
    .updateTable('home_tab')
    .set({ hash })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute();
}
