import { z } from 'zod';
import type { ActionCall, EventCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { LIMITS } from '../../slack/limits.ts';
import { loadingHome, REFRESH } from './home-view.ts';
import { RUN } from './plan-blocks.ts';
import { openedHomeTab, publishHome, refreshHome } from './refresh-home.ts';

const opened = z.object({ tab: z.string().optional(), view: z.unknown().optional() });

/** The Home tab: what is next across projects, and a button for all that can be done. */
export const home: Feature = {
  name: 'home',
  commands: [],
  role: () => 'viewer',
  events: { app_home_opened: openHome },
  actions: {
    // Home is made anew after every press.
    [REFRESH]: async () => {},
    [RUN]: runLine,
    ...Object.fromEntries(
      Array.from({ length: LIMITS.actionsElements }, (_, index) => [`${RUN}.${index}`, runLine]),
    ),
  },
};

async function openHome(call: EventCall): Promise<void> {
  const { data } = opened.safeParse(call.event.about);
  // The same event comes with the tab of messages.
  if (data?.tab !== 'home') return;
  const { context, who } = call;
  await openedHomeTab(context.db, { workspace: who.workspace, person: who.user, now: call.now() });
  if (data.view === undefined) await publishHome(call, loadingHome(), '');
  await refreshHome(call, async () => call, 0);
}

async function runLine(call: ActionCall): Promise<void> {
  const line = call.action.value;
  if (line !== undefined) await call.type(line);
}
