import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { Kysely } from 'kysely';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import type { BotSchema } from '../../store/schema.ts';
import { homeView } from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';

/** Actions come in bursts, and often finish shortly after their response. */
const DEBOUNCE_MS = 150;

/** A running refresh of one person's Home, and whether another must follow. */
type Refresh = { isRepeatNeeded: boolean };

/** The running refreshes of each app (by its database handle), by workspace and person. */
const refreshes = new WeakMap<Kysely<BotSchema>, Map<string, Refresh>>();

/** Restricts the call to what the person may see; undefined if they may see nothing. */
type Narrow = (call: HomeCall) => Promise<HomeCall | undefined>;

/**
 * Refreshes Home after an action of a person who has opened it in the last day. Each person has one refresh at a time. A
 * request during a refresh causes one more, so an older view never replaces a newer one. `narrow` checks the person's
 * permissions when the view is rendered.
 */
export async function refreshHome(call: HomeCall, narrow: Narrow, debounceMs = DEBOUNCE_MS): Promise<void> {
  const running = refreshes.get(call.context.db) ?? new Map<string, Refresh>();
  refreshes.set(call.context.db, running);
  const key = `${call.actor.workspace}/${call.actor.user}`;
  const current = running.get(key);
  if (current) {
    current.isRepeatNeeded = true;
    return;
  }
  const refresh: Refresh = { isRepeatNeeded: true };
  running.set(key, refresh);
  try {
    while (refresh.isRepeatNeeded) {
      if (debounceMs > 0) await delay(debounceMs, undefined, { ref: false });
      refresh.isRepeatNeeded = false;
      await refreshOnce(call, narrow);
    }
  } finally {
    running.delete(key);
  }
}

async function refreshOnce(unrestricted: HomeCall, narrow: Narrow): Promise<void> {
  const { workspace, user: person } = unrestricted.actor;
  const tab = await findRecentHomeTab(unrestricted.context.db, {
    workspace,
    person,
    now: unrestricted.now(),
  });
  const call = tab && (await narrow(unrestricted));
  if (!call) return;
  const view = homeView(await loadHome(call), call.catalogue);
  try {
    await publishHome(call, view, tab.hash);
  } catch (error) {
    if (getSlackErrorCode(error) !== 'hash_conflict') throw error;
    // Another instance published first, perhaps with older data, so load the data again and publish over it.
    await publishHome(call, homeView(await loadHome(call), call.catalogue), '');
  }
}

/** Publishes only over the view with this hash; `''`: over any view. Slack's error is `hash_conflict`. */
export async function publishHome(
  { client, context, actor }: HomeCall,
  view: HomeView,
  hash: string,
): Promise<void> {
  const published = await client.views.publish({ user_id: actor.user, view, ...(hash !== '' && { hash }) });
  const at = { workspace: actor.workspace, person: actor.user };
  await storeHomeHash(context.db, { ...at, hash: published.view?.hash ?? '' });
}

interface HomeTab {
  workspace: string;
  person: string;
  /** Slack's hash of the published view; '' if nothing was published. */
  hash: string;
}

/** Home isn't refreshed for people who last opened it earlier. They get a new view when they open it. */
const REFRESHED_FOR_MS = 24 * 60 * 60 * 1000;

/** The Home tab of a person who has opened it recently. */
async function findRecentHomeTab(
  db: Kysely<BotSchema>,
  at: { workspace: string; person: string; now: Date },
): Promise<HomeTab | undefined> {
  return db
    .selectFrom('home_tab')
    .select(['workspace', 'person', 'hash'])
    .where('workspace', '=', at.workspace)
    .where('person', '=', at.person)
    .where('opened_at', '>', new Date(at.now.getTime() - REFRESHED_FOR_MS))
    .executeTakeFirst();
}

export async function recordHomeOpened(
  db: Kysely<BotSchema>,
  at: { workspace: string; person: string; now: Date },
): Promise<void> {
  await db
    .insertInto('home_tab')
    .values({ workspace: at.workspace, person: at.person, hash: '', opened_at: at.now })
    .onConflict((conflict) => conflict.columns(['workspace', 'person']).doUpdateSet({ opened_at: at.now }))
    .execute();
}

async function storeHomeHash(db: Kysely<BotSchema>, { workspace, person, hash }: HomeTab): Promise<void> {
  await db
    .updateTable('home_tab')
    .set({ hash })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute();
}
