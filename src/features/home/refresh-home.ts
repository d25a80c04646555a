import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import { PICTURE_WAITS_MS } from '../../digests/upload-picture.ts';
import type { AppContext } from '../../handlers/context.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { findRecentHomeTab, storeHomeHash } from './home-tabs.ts';
import { renderHome } from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';
import { chooseWeekPicture, type HomePicture, type UploadedPicture } from './week-picture.ts';

/** The refresh of one person's Home, while it runs. */
interface Refresh {
  /** Whether somebody has requested another run since the last one started. */
  isRequested: boolean;
  /**
   * Aborted when another run is requested, because the current run then needn't wait for the week's picture. Undefined
   * during the delay before a run.
   */
  superseded?: AbortController | undefined;
}

/** The running refreshes by workspace and person, for each app. The database handle identifies the app. */
const refreshesByApp = new WeakMap<AppContext['db'], Map<string, Refresh>>();

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
  { debounceMs = call.context.pace.homeRefreshDelayMs } = {},
): Promise<void> {
  const runningRefreshes = refreshesByApp.get(call.context.db) ?? new Map<string, Refresh>();
  refreshesByApp.set(call.context.db, runningRefreshes);
  const key = `${call.actor.workspace}/${call.actor.user}`;
  const runningRefresh = runningRefreshes.get(key);
  if (runningRefresh) {
    runningRefresh.isRequested = true;
    runningRefresh.superseded?.abort();
    runningRefresh.superseded = undefined;
    return;
  }
  const refresh: Refresh = { isRequested: true };
  runningRefreshes.set(key, refresh);
  try {
    while (refresh.isRequested) {
      if (debounceMs > 0) await delay(debounceMs, undefined, { ref: false });
      refresh.isRequested = false;
      const superseded = new AbortController();
      refresh.superseded = superseded;
      await refreshOnce(call, narrow, superseded.signal);
      refresh.superseded = undefined;
    }
  } finally {
    runningRefreshes.delete(key);
  }
}

async function refreshOnce(
  unrestrictedCall: HomeCall,
  narrow: NarrowCall,
  superseded: AbortSignal,
): Promise<void> {
  const { workspace, user: person } = unrestrictedCall.actor;
  const tab = await findRecentHomeTab(unrestrictedCall.context.db, {
    workspace,
    person,
    now: unrestrictedCall.now(),
  });
  const call = tab && (await narrow(unrestrictedCall));
  if (!call) return;
  try {
    await loadAndPublish(call, tab.hash, superseded);
  } catch (error) {
    if (getSlackErrorCode(error) !== 'hash_conflict') throw error;
    // Another instance has published a view meanwhile, perhaps with older data. Load the data again, and replace it.
    await loadAndPublish(call, '', superseded);
  }
}

/** Loads and publishes Home. The text doesn't wait for a new picture of the week. */
async function loadAndPublish(call: HomeCall, hash: string, superseded: AbortSignal): Promise<void> {
  const content = await loadHome(call);
  const weekPicture = chooseWeekPicture(call, content);
  const publish = (picture: UploadedPicture, expectedHash: string) =>
    publishUnlessRefused(call, renderHome(content, call.catalogue, picture), expectedHash);
  const { shown } = weekPicture;
  if (shown && (await publish(shown, hash))) return weekPicture.deleteReplaced();
  if (shown) weekPicture.replace();
  const textHash = await publishHome(call, renderHome(content, call.catalogue), hash);
  weekPicture.deleteReplaced();
  if (superseded.aborted) return;
  const addPicture = addWeekPicture(call, {
    weekPicture,
    publish: (picture) => publish(picture, textHash),
    superseded,
  });
  await Promise.race([addPicture, once(superseded, 'abort')]);
}

/** Publishes Home again with the week's picture, when Slack has processed it. Never rejects. */
async function addWeekPicture(
  { log, reference }: HomeCall,
  {
    weekPicture,
    publish,
    superseded,
  }: {
    weekPicture: HomePicture;
    /** Resolves with false if Slack refuses the picture. */
    publish(picture: UploadedPicture): Promise<boolean>;
    superseded: AbortSignal;
  },
): Promise<void> {
  try {
    const picture = await weekPicture.upload();
    if (!picture) return;
    for (const waitMs of PICTURE_WAITS_MS) {
      await delay(waitMs, undefined, { ref: false, signal: superseded });
      if (await publish(picture)) return weekPicture.confirm(picture);
    }
    weekPicture.discard();
    log.warn({ reference }, 'Slack refused the picture of the week');
  } catch (error) {
    // After a conflict, the refresh that has published the newer view adds the picture.
    if (superseded.aborted || getSlackErrorCode(error) === 'hash_conflict') return;
    log.warn({ reference, err: error }, 'could not show the picture of the week');
  }
}

/** Publishes a view with a picture. Resolves with false if Slack doesn't accept the picture. */
async function publishUnlessRefused(call: HomeCall, view: HomeView, hash: string): Promise<boolean> {
  try {
    await publishHome(call, view, hash);
    return true;
  } catch (error) {
    if (getSlackErrorCode(error) === 'invalid_arguments') return false;
    throw error;
  }
}

/**
 * Publishes a view, and resolves with its hash. Unless `hash` is '', fails with 'hash_conflict' if the current view has
 * another hash.
 */
export async function publishHome(
  { client, context, actor }: HomeCall,
  view: HomeView,
  hash: string,
): Promise<string> {
  const response = await client.views.publish({ user_id: actor.user, view, ...(hash !== '' && { hash }) });
  const key = { workspace: actor.workspace, person: actor.user };
  const publishedHash = response.view?.hash ?? '';
  await storeHomeHash(context.db, { ...key, hash: publishedHash });
  return publishedHash;
}
