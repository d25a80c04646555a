import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { Kysely } from 'kysely';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import type { BotSchema } from '../../store/schema.ts';
import { renderHome } from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';

/** The delay before a refresh. Actions come in bursts, and often finish shortly after their response. */
const DEBOUNCE_MS = 150;

/** The refresh of one person's Home, while it runs. */
interface Refresh {
  /** Whether somebody has requested another run since the last one started. */
  isRequested: boolean;
}

/** The running refreshes by workspace and person, for each app. The database handle identifies the app. */
const refreshesByApp = new WeakMap<Kysely<BotSchema>, Map<string, Refresh>>();

/** Narrows a call to the data that its actor may see. Resolves with undefined if the actor may see nothing. */
type NarrowCall = (call: HomeCall) => Promise<HomeCall | undefined>;

/**
 * Refreshes the Home tab of the call's actor, if the actor has opened the tab in the last day. Each person has one
 * refresh at a time, so that an older view never replaces a newer one. Requests during a refresh cause one more
 * refresh.
 */
export async function refreshHome(
  call: HomeCall,
  narrow: NarrowCall,
  { debounceMs = DEBOUNCE_MS } = {},
): Promise<void> {
  const runningRefreshes = refreshesByApp.get(call.context.db) ?? new Map<string, Refresh>();
  refreshesByApp.set(call.context.db, runningRefreshes);
  const key = `${call.actor.workspace}/${call.actor.user}`;
  const runningRefresh = runningRefreshes.get(key);
  if (runningRefresh) {
    runningRefresh.isRequested = true;
    return;
  }
  const refresh: Refresh = { isRequested: true };
  runningRefreshes.set(key, refresh);
  try {
    while (refresh.isRequested) {
      if (debounceMs > 0) await delay(debounceMs, undefined, { ref: false });
      refresh.isRequested = false;
      await refreshOnce(call, narrow);
    }
  } finally {
    runningRefreshes.delete(key);
  }
}

async function refreshOnce(unrestrictedCall: HomeCall, narrow: NarrowCall): Promise<void> {
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
    // Another instance has published a view meanwhile, perhaps with older data. Load the data again, and replace it.
    await publishHome(call, renderHome(await loadHome(call), call.catalogue), '');
  }
}

/** Publishes a view. Unless `hash` is '', fails with 'hash_conflict' if the current view has another hash. */
export async function publishHome(
  { client, context, actor }: HomeCall,
  view: HomeView,
  hash: string,
): Promise<void> {
  const response = await client.views.publish({ user_id: actor.user, view, ...(hash !== '' && { hash }) });
  const key = { workspace: actor.workspace, person: actor.user };
  await storeHomeHash(context.db, { ...key, hash: response.view?.hash ?? '' });
}

interface HomeTab {
  workspace: string;
  person: string;
  /** Slack's hash of the published view; '' if nothing was published. */
  hash: string;
}

/** How long Home is refreshed after a person opened it. After that, Home stays unchanged until the person opens it. */
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
