import type { ActionCall, Call } from '../../app/call.ts';
import { RESUME } from '../../digests/action-ids.ts';
import { DIGEST_EVENTS } from '../../digests/channel-events.ts';
import { createGuardedKey, type Digest, isPersonal } from '../../digests/digest.ts';
import { DIGEST_ACTIONS, resumeFromNotice } from '../../digests/notice-actions.ts';
import { findOccurrence } from '../../digests/sql/occurrences.ts';
import { sharedId } from '../../slack/share-outside.ts';
import { checkResume, RESUME_OUTSIDE } from './check-resume.ts';
import { ownOrChannels, projectsNamed } from './digest-facts.ts';
import { digestList, GONE, PRESSES, type Press, pressId } from './digest-messages.ts';
import { mayRun, permitRunning } from './may-show.ts';
import { showPreview } from './preview.ts';

type Pressed = ActionCall;

/** The buttons of the list; `change` opens the form. Each is checked against the digest as it is now. */
export function digestPresses(
  change: (call: Pressed, id: string) => Promise<void>,
): Record<string, (call: Pressed) => Promise<void>> {
  return Object.fromEntries(
    PRESSES.flatMap((press) =>
      [true, false].map((isMine) => [
        pressId(press, isMine),
        (call: Pressed) => pressed(call, { press, isMine, change }),
      ]),
    ),
  );
}

async function pressed(
  call: Pressed,
  {
    press,
    isMine,
    change,
  }: { press: Press; isMine: boolean; change: (call: Pressed, id: string) => Promise<void> },
): Promise<void> {
  const digest = await ownOrChannels(call, call.action.value ?? '');
  // A button of one's own does nothing to a channel's: that takes another role.
  if (!digest || isPersonal(digest) !== isMine) return call.reply(GONE, { replace: true });
  if (press !== 'preview') await permitRunning(call, digest, `digests ${press}`);
  if (press === 'change') return change(call, digest.id);
  await call.acknowledge();
  if (press === 'preview') return showPreview(call, digest);
  const said = await done(call, press, digest);
  if (said !== undefined) await call.reply(await listed(call, said), { replace: true });
}

const CHANGED = 'Nothing was done: somebody changed or deleted it just now.';

/** What was done, mrkdwn; undefined where a question is asked instead. */
async function done(
  call: Pressed,
  press: Exclude<Press, 'change' | 'preview'>,
  digest: Digest,
): Promise<string | undefined> {
  const digests = call.context.digests;
  const at = createGuardedKey(digest);
  switch (press) {
    case 'pause':
      return (await digests.pause(at)) ? 'Paused.' : CHANGED;
    case 'go-on': {
      const checked = await checkResume(call, digest);
      if (checked === 'asked') return undefined;
      if ('trouble' in checked) return checked.trouble;
      return (await digests.resume(at, checked.sharedWith)) ? 'Resumed.' : CHANGED;
    }
    case 'delete':
      return (await digests.remove(at)) ? 'Deleted.' : CHANGED;
    case 'send': {
      call.countCostly();
      const sent = await digests.sendNow(at, call.trigger ?? call.reference);
      return sent === 'gone' ? CHANGED : 'It is on its way.';
    }
  }
}

/** The digests of the channel where somebody asks, and their own. */
export async function listed(call: Call, said?: string) {
  const { who, channel } = call;
  const digests = call.context.digests;
  const isChannel = channel !== undefined && /^[CG]/.test(channel);
  const [here, own, projects] = await Promise.all([
    isChannel ? digests.list({ workspace: who.workspace, channel }) : undefined,
    digests.list({ workspace: who.workspace, channel: who.user }),
    projectsNamed(call),
  ]);
  const unreadable = (here?.unreadable ?? 0) + own.unreadable;
  const all = [...(here?.digests ?? []), ...own.digests];
  const isRun = await Promise.all(all.map((digest) => mayRun(call, digest)));
  const runs = new Set(all.filter((_, index) => isRun[index]));
  return digestList(all, {
    ...{ runs, projects, now: call.now(), isChannel, unreadable },
    ...(said !== undefined && { said }),
  });
}

/** What happens to channels. */
export const events = DIGEST_EVENTS;

/** The buttons of what owners are told: of a channel's digest they are for who runs it still. */
export const toldActions = {
  ...Object.fromEntries(Object.entries(DIGEST_ACTIONS).map(([id, press]) => [id, permitted(press)])),
  [RESUME]: permitted(resume),
  [RESUME_OUTSIDE]: permitted(resume),
};

function permitted(press: (call: ActionCall, digest: Digest) => Promise<void>) {
  return async (call: ActionCall): Promise<void> => {
    const { context, who } = call;
    const value = sharedId(call) ?? '';
    const row = await findOccurrence(context.db, { workspace: who.workspace, id: value });
    const digest = await ownOrChannels(call, row?.digest ?? value);
    if (!digest) return call.reply(GONE);
    await permitRunning(call, digest, 'digests told');
    await press(call, digest);
  };
}

async function resume(call: ActionCall, digest: Digest): Promise<void> {
  const checked = await checkResume(call, digest);
  if (checked === 'asked') return;
  if ('trouble' in checked) return call.reply({ text: checked.trouble });
  await resumeFromNotice(call, createGuardedKey(digest), checked.sharedWith);
}
