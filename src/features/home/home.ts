import { setTimeout as delay } from 'node:timers/promises';
import type { HomeView } from '@slack/types';
import { z } from 'zod';
import { DAY_MS } from '../../durations.ts';
import type { ActionCall, AppContext, Call, EventCall, Handler } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { createInstanceState } from '../../store/instance-state.ts';
import {
  BUTTON_COMMANDS,
  decodePost,
  MANAGE_ACTION,
  OPEN_POST_ACTION,
  REFRESH_ACTION,
  RUN_COMMAND_ACTION,
  renderHome,
} from './home-view.ts';
import { type HomeCall, loadHome } from './load-home.ts';

const homeOpened = z.object({ tab: z.string().optional(), view: z.unknown().optional() });

const buttonHandler: Handler<ActionCall> = { deed: 'use a button in the Home tab', run: runLine };

/** The Home tab: what needs the viewer, the posts of the coming days across projects, and the commands. */
export const home: Feature = {
  name: 'home',
  commands: [],
  role: 'viewer',
  events: { app_home_opened: { deed: 'open the Home tab', run: openHome } },
  actions: {
    [REFRESH_ACTION]: { deed: 'open the Home tab', run: readAgain },
    [RUN_COMMAND_ACTION]: buttonHandler,
    ...Object.fromEntries(
      BUTTON_COMMANDS.map((_, index) => [`${RUN_COMMAND_ACTION}.${index}`, buttonHandler]),
    ),
    [MANAGE_ACTION]: buttonHandler,
    [OPEN_POST_ACTION]: { deed: 'open a post', run: openPost },
  },
};

async function openHome(call: EventCall): Promise<void> {
  const { data } = homeOpened.safeParse(call.event.payload);
  if (data?.tab === 'messages') return call.openFeature('welcome', {});
  if (data?.tab !== 'home') return;
  await recordOpenHome(call);
  const loading: HomeView = { type: 'home', blocks: [section('*Upnext*\nLoading…')] };
  if (data.view === undefined) await publishHome(call, loading, '');
  await refreshHome(call, async () => call, { debounceMs: 0, isNarrowed: true });
}

/** Records that Home is open, because a Home that nobody has opened for a day isn't refreshed. */
async function recordOpenHome({ context, actor: { workspace, user: person }, now }: Call): Promise<void> {
  const opened_at = now();
  await context.db
    .insertInto('home_tab')
    .values({ workspace, person, hash: '', opened_at })
    .onConflict((conflict) => conflict.columns(['workspace', 'person']).doUpdateSet({ opened_at }))
    .execute();
}

/** [Refresh] and [Try again]. The app refreshes Home after every press. */
async function readAgain(call: ActionCall): Promise<void> {
  call.context.reads.drop(call.context.api);
  await recordOpenHome(call);
}

async function runLine(call: ActionCall): Promise<void> {
  await recordOpenHome(call);
  const line = call.action.value ?? call.action.selectedValue;
  if (line !== undefined) await call.runLine(line);
}

/** [Open] on a row shows the post's card in a modal. */
async function openPost(call: ActionCall): Promise<void> {
  await recordOpenHome(call);
  const { held, ...post } = decodePost(call.action.value);
  await (held === '' ? call.openFeature('list-posts', post) : call.openFeature('held-posts', { id: held }));
}

/** A request for a refresh. `isNarrowed`: whether `narrow` returns what the call was when it came, and asks nobody. */
interface Request {
  call: WideCall;
  narrow: NarrowCall;
  isNarrowed: boolean;
}

interface Refresh {
  /** The newest request, whose client belongs to the present installation. */
  latest: Request;
  /** Whether somebody has requested another run since the last one started. */
  isRequested: boolean;
  /** Whether Home is also refreshed if nobody has opened it for a day. */
  isOldIncluded: boolean;
}

/** The running refreshes by workspace and person. */
const runningRefreshesOf = createInstanceState(() => new Map<string, Refresh>());

/** A call that isn't narrowed yet. */
type WideCall = Omit<HomeCall, 'may' | 'lacks'>;

/** Narrows a call to the data that its actor may see, see `narrow` in `permission.ts`. */
type NarrowCall = (call: WideCall) => Promise<HomeCall | { refusal: Message } | undefined>;

/** Lists the people who have opened Home, and may still see the posts that it showed then. `people`: only these. */
export function listHomes(
  db: AppContext['db'],
  workspace: string,
  people: readonly string[] | undefined,
): Promise<{ person: string }[]> {
  return db
    .selectFrom('home_tab')
    .select('person')
    .where('workspace', '=', workspace)
    .$if(people !== undefined, (query) => query.where('person', 'in', people ?? []))
    .execute();
}

/**
 * Refreshes the Home tab of the call's actor, if the actor has opened the tab in the last day, or `isOldIncluded`. If they
 * may see nothing any more, Home is emptied, whenever it was opened. Each person has one refresh at a time, so that an
 * older view never replaces a newer one. Requests during a refresh cause one more refresh, also if the first one fails. It
 * asks again what the actor may see, if one of the requests does.
 */
export async function refreshHome(
  call: WideCall,
  narrow: NarrowCall,
  { debounceMs = call.context.pace.homeRefreshDelayMs, isOldIncluded = false, isNarrowed = false } = {},
): Promise<void> {
  const runningRefreshes = runningRefreshesOf(call.context.db);
  const key = `${call.actor.workspace}/${call.actor.user}`;
  const runningRefresh = runningRefreshes.get(key);
  if (runningRefresh) {
    const { latest } = runningRefresh;
    const asksAnew = isNarrowed && !latest.isNarrowed;
    runningRefresh.latest = asksAnew ? { ...latest, call } : { call, narrow, isNarrowed };
    runningRefresh.isRequested = true;
    runningRefresh.isOldIncluded ||= isOldIncluded;
    return;
  }
  const refresh: Refresh = { latest: { call, narrow, isNarrowed }, isRequested: true, isOldIncluded };
  runningRefreshes.set(key, refresh);
  try {
    while (refresh.isRequested) {
      if (debounceMs > 0) await delay(debounceMs, undefined, { ref: false });
      refresh.isRequested = false;
      await refreshOnce(refresh).catch((error: unknown) => {
        if (!refresh.isRequested) throw error;
      });
    }
  } finally {
    runningRefreshes.delete(key);
  }
}

/** How long Home is refreshed after a person opened it. After that, Home stays unchanged until the person opens it. */
const REFRESH_PERIOD_MS = DAY_MS;

async function refreshOnce({ latest, isOldIncluded }: Refresh): Promise<void> {
  const { call: wideCall, narrow } = latest;
  const { context, actor, now } = wideCall;
  const tab = await context.db
    .selectFrom('home_tab')
    .select(['hash', 'opened_at'])
    .where(({ and }) => and({ workspace: actor.workspace, person: actor.user }))
    .executeTakeFirst();
  if (!tab) return;
  const isOld = tab.opened_at.getTime() <= now().getTime() - REFRESH_PERIOD_MS;
  const publish = async (hash: string) => {
    const call = await narrow(wideCall);
    if (!call) return;
    if ('refusal' in call) return emptyHome(wideCall, call.refusal);
    if (!isOld || isOldIncluded)
      await publishHome(call, renderHome(await loadHome(call), call.catalogue), hash);
  };
  try {
    await publish(tab.hash);
  } catch (error) {
    if (getSlackErrorCode(error) !== 'hash_conflict') throw error;
    // Another instance has published a view meanwhile, perhaps with older data, or has emptied Home. Begin again.
    await publish('');
  }
}

/** Replaces the posts in the Home of somebody who may see none any more. It isn't refreshed until they open it again. */
async function emptyHome({ client, context, actor }: WideCall, { text, blocks }: Message): Promise<void> {
  const view: HomeView = { type: 'home', blocks: blocks ?? [section(text)] };
  await client.views.publish({ user_id: actor.user, view });
  await context.db
    .deleteFrom('home_tab')
    .where(({ and }) => and({ workspace: actor.workspace, person: actor.user }))
    .execute();
}

/** Publishes a view, and stores its hash. With a `hash`, fails with 'hash_conflict' if the current view has another. */
async function publishHome(
  { client, context, actor }: WideCall,
  view: HomeView,
  hash: string,
): Promise<void> {
  const response = await client.views.publish({ user_id: actor.user, view, ...(hash !== '' && { hash }) });
  await context.db
    .updateTable('home_tab')
    .set({ hash: response.view?.hash ?? '' })
    .where(({ and }) => and({ workspace: actor.workspace, person: actor.user }))
    .execute();
}
