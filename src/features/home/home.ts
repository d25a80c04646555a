import { z } from 'zod';
import type { ActionCall, Call, EventCall, Handler } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { recordHomeOpened } from './home-tabs.ts';
import { BUTTON_COMMANDS, MANAGE_ACTION, renderLoadingHome } from './home-view.ts';
import { publishHome, refreshHome } from './refresh-home.ts';
import { decodePost, OPEN_POST_ACTION, REFRESH_ACTION, RUN_COMMAND_ACTION } from './render-home-posts.ts';

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
  if (data.view === undefined) await publishHome(call, renderLoadingHome(), '');
  await refreshHome(call, async () => call, { debounceMs: 0 });
}

/** Records that Home is open, because a Home that nobody has opened for a day isn't refreshed. */
async function recordOpenHome({ context, actor, now }: Call): Promise<void> {
  await recordHomeOpened(context.db, { workspace: actor.workspace, person: actor.user, now: now() });
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
