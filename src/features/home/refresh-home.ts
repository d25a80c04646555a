import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import type { AppContext } from '../../handlers/call.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { findRecentHomeTab, storeHomeHash } from './home-tabs.ts';
import { renderHome } from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';

/** The refresh of one person's Home, while it runs. */
interface Refresh {
  /** Whether somebody has requested another run since the last one started. */
  isRequested: boolean;
}

/** The running refreshes by workspace and person, for each app. The database handle identifies the app. */
const refreshesByApp = new WeakMap<AppContext['db'], Map<string, Refresh>>();

/** A call that isn't narrowed yet. */
type WideCall = Omit<HomeCall, 'may' | 'lacks'>;

/** Narrows a call to the data that its actor may see. Resolves with undefined if the actor may see nothing. */
type NarrowCall = (call: WideCall) => Promise<HomeCall | undefined>;

/**
 * Refreshes the Home tab of the call's actor, if the actor has opened the tab in the last day. Each person has one
 * refresh at a time, so that an older view never replaces a newer one. Requests during a refresh cause one more
 * refresh.
 */
export async function refreshHome(
  call: WideCall,
  narrow: NarrowCall,
  { debounceMs = call.context.pace.homeRefreshDelayMs } = {},
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

async function refreshOnce(unrestrictedCall: WideCall, narrow: NarrowCall): Promise<void> {
  const { workspace, user: person } = unrestrictedCall.actor;
  const tab = await findRecentHomeTab(unrestrictedCall.context.db, {
    workspace,
    person,
    now: unrestrictedCall.now(),
  });
  const call = tab && (await narrow(unrestrictedCall));
  if (!call) return;
  try {
    await loadAndPublish(call, tab.hash);
  } catch (error) {
    if (getSlackErrorCode(error) !== 'hash_conflict') throw error;
    // Another instance has published a view meanwhile, perhaps with older data. Load the data again, and replace it.
    await loadAndPublish(call, '');
  }
}

async function loadAndPublish(call: HomeCall, hash: string): Promise<void> {
  await publishHome(call, renderHome(await loadHome(call), call.catalogue), hash);
}

/**
 * Publishes a view, and resolves with its hash. Unless `hash` is '', fails with 'hash_conflict' if the current view has
 * another hash.
 */
export async function publishHome(
  { client, context, actor }: WideCall,
  view: HomeView,
  hash: string,
): Promise<string> {
  const response = await client.views.publish({ user_id: actor.user, view, ...(hash !== '' && { hash }) });
  const key = { workspace: actor.workspace, person: actor.user };
  const publishedHash = response.view?.hash ?? '';
  await storeHomeHash(context.db, { ...key, hash: publishedHash });
  return publishedHash;
}
