import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { Kysely } from 'kysely';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import type { BotSchema } from '../../store/schema.ts';
import { renderHome } from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';

/** The delay before a refresh, because actions come in bursts and often finish shortly after their response. */
const DEBOUNCE_MS = 150;

/** The state of a running refresh of one person's Home. */
type Refresh = { isRepeatNeeded: boolean };

/** The running refreshes by workspace and person, for each app. An app is identified by its database handle. */
const refreshes = new WeakMap<Kysely<BotSchema>, Map<string, Refresh>>();

/** Restricts a call to the data that its actor may see. Undefined if the actor may see nothing. */
type Narrow = (call: HomeCall) => Promise<HomeCall | undefined>;

/**
 * Refreshes Home after an action of a person who has opened it in the last day. Each person has one refresh at a time,
 * so that an older view never replaces a newer one. Requests during a refresh cause one more refresh. `narrow` checks
 * the person's permissions before the view is rendered.
 */
export async function refreshHome(call: HomeCall, narrow: Narrow, debounceMs = DEBOUNCE_MS): Promise<void> {
  const runningRefreshes = refreshes.get(call.context.db) ?? new Map<string, Refresh>();
  refreshes.set(call.context.db, runningRefreshes);
  const key = `${call.actor.workspace}/${call.actor.user}`;
  const runningRefresh = runningRefreshes.get(key);
  if (runningRefresh) {
    runningRefresh.isRepeatNeeded = true;
    return;
  }
  const refresh: Refresh = { isRepeatNeeded: true };
  runningRefreshes.set(key, refresh);
  try {
    while (refresh.isRepeatNeeded) {
      if (debounceMs > 0) await delay(debounceMs, undefined, { ref: false });
      refresh.isRepeatNeeded = false;
      await refreshOnce(call, narrow);
    }
  } finally {
    runningRefreshes.delete(key);
  }
}

async function refreshOnce(unrestrictedCall: HomeCall, narrow: Narrow): Promise<void> {
  const { workspace, user: person } = unrestrictedCall.actor;
  const tab = await findRecentHomeTab(unrestrictedCall.context.db, {
    workspace,
    person,
    now: unrestrictedCall.now(),
  });
  const call = tab && (await narrow(unrestrictedCall));
  if (!call) return;
  const view = renderHome(await loadHome(call), call.catalogue);
  try {
    await publishHome(call, view, tab.hash);
  } catch (error) {
    if (getSlackErrorCode(error) !== 'hash_conflict') throw error;
    // Another instance has published a view first, perhaps with older data. Load the data again, and replace that view.
    await publishHome(call, renderHome(await loadHome(call), call.catalogue), '');
  }
}

/** Publishes a view if the current view has this hash, or if the hash is ''. Otherwise rejects with `hash_conflict`. */
export async function publishHome(
  { client, context, actor }: HomeCall,
  view: HomeView,
  hash: string,
): Promise<void> {
  const published = await client.views.publish({ user_id: actor.user, view, ...(hash !== '' && { hash }) });
  const key = { workspace: actor.workspace, person: actor.user };
  await storeHomeHash(context.db, { ...key, hash: published.view?.hash ?? '' });
}

interface HomeTab {
  workspace: string;
  person: string;
  /** Slack's hash of the published view; '' if nothing was published. */
  hash: string;
}

/** How long Home is refreshed after a person last opened it. After that, Home is loaded when the person opens it. */
const REFRESH_PERIOD_MS = 24 * 60 * 60 * 1000;

/** Finds the Home tab of a person. Undefined if the person hasn't opened it recently. */
async function findRecentHomeTab(
  db: Kysely<BotSchema>,
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

export async function recordHomeOpened(
  db: Kysely<BotSchema>,
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

async function storeHomeHash(db: Kysely<BotSchema>, { workspace, person, hash }: HomeTab): Promise<void> {
  await db
    .updateTable('home_tab')
    .set({ hash })
    .where('workspace', '=', workspace)
    .where('person', '=', person)
    .execute();
}
