import { z } from 'zod';
import type { ActionCall, EventCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { LIMITS } from '../../slack/limits.ts';
import { loadingHome, REFRESH } from './home-view.ts';
import { RUN } from './plan-blocks.ts';
import { publishHome, recordHomeOpened, refreshHome } from './refresh-home.ts';

const homeOpened = z.object({ tab: z.string().optional(), view: z.unknown().optional() });

/** The Home tab: upcoming posts across projects, and a button for each command. */
export const home: Feature = {
  name: 'home',
  commands: [],
  role: () => 'viewer',
  events: { app_home_opened: openHome },
  actions: {
    // Every press refreshes Home, so this button needs no work.
    [REFRESH]: async () => {},
    [RUN]: runLine,
    ...Object.fromEntries(
      Array.from({ length: LIMITS.actionsElements }, (_, index) => [`${RUN}.${index}`, runLine]),
    ),
  },
};

async function openHome(call: EventCall): Promise<void> {
  const { data } = homeOpened.safeParse(call.event.about);
  // Slack sends the same event for the Messages tab.
  if (data?.tab !== 'home') return;
  const { context, actor } = call;
  await recordHomeOpened(context.db, { workspace: actor.workspace, person: actor.user, now: call.now() });
  if (data.view === undefined) await publishHome(call, loadingHome(), '');
  await refreshHome(call, async () => call, 0);
}

async function runLine(call: ActionCall): Promise<void> {
  const line = call.action.value;
  if (line !== undefined) await call.type(line);
}
