import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { Kysely } from 'kysely';
import { slackErrorCode } from '../../slack/slack-trouble.ts';
import type { BotSchema } from '../../store/schema.ts';
import { homeView } from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';

/** What somebody does comes in bursts, and often ends a little later than it is answered (ms). */
const SETTLE_MS = 150;

/** One person's Home that is being made: whether it is to be made once more after that. */
type Line = { again: boolean };

/** Of each bot, by person. */
const lines = new WeakMap<Kysely<BotSchema>, Map<string, Line>>();

/** The call, narrowed to what its person may see; undefined where they may see nothing. */
type Narrow = (call: HomeCall) => Promise<HomeCall | undefined>;

/**
 * Publishes Home again for a person who has opened it in the last day, after something they did. Runs once at a time for
 * each person, and once more if something was done meanwhile, so an older view never replaces a newer one. What they may
 * see is looked up by `narrow` when the view is made.
 */
export async function refreshHome(call: HomeCall, narrow: Narrow, settleMs = SETTLE_MS): Promise<void> {
  const mine = lines.get(call.context.db) ?? new Map<string, Line>();
  lines.set(call.context.db, mine);
  const key = `${call.who.workspace}/${call.who.user}`;
  const before = mine.get(key);
  if (before) {
    before.again = true;
    return;
  }
  const line: Line = { again: true };
  mine.set(key, line);
  try {
    while (line.again) {
      if (settleMs > 0) await delay(settleMs, undefined, { ref: false });
      line.again = false;
      await refreshOnce(call, narrow);
    }
  } finally {
    mine.delete(key);
  }
}

async function refreshOnce(asked: HomeCall, narrow: Narrow): Promise<void> {
  const { workspace, user: person } = asked.who;
  const tab = await homeTabOf(asked.context.db, { workspace, person, now: asked.now() });
  const call = tab && (await narrow(asked));
  if (!call) return;
  const view = homeView(await loadHome(call), call.catalogue);
  try {
    await publishHome(call, view, tab.hash);
  } catch (error) {
    if (slackErrorCode(error) !== 'hash_conflict') throw error;
    // Another instance was faster, perhaps with what was known before: what is known now comes after it.
    await publishHome(call, homeView(await loadHome(call), call.catalogue), '');
  }
}

/** `hash`: only in the place of what was published with it; '' in the place of anything. */
export async function publishHome(
  { client, context, who }: HomeCall,
  view: HomeView,
  hash: string,
): Promise<void> {
  const published = await client.views.publish({ user_id: who.user, view, ...(hash !== '' && { hash }) });
  const at = { workspace: who.workspace, person: who.user };
  await keepHomeHash(context.db, { ...at, hash: published.view?.hash ?? '' });
}

interface HomeTab {
  workspace: string;
  person: string;
  /** Slack's mark of what was published last; '' where nothing was. */
  hash: string;
}

/** Who has not looked for longer sees it made anew when they open it. */
const LOOKED_AT_MS = 24 * 60 * 60 * 1000;

/** The Home tab of a person who has opened it lately. */
async function homeTabOf(
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

async function keepHomeHash(db: Kysely<BotSchema>, { workspace, person, hash }: HomeTab): Promise<void> {
  await db
    .updateTable('home_tab')
    .set({ hash })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute();
}
