import type { ActionCall, Call } from '../../app/call.ts';
import { RESUME } from '../../digests/action-ids.ts';
import { DIGEST_EVENTS } from '../../digests/channel-events.ts';
import { createGuardedKey, type Digest, isPersonal } from '../../digests/digest.ts';
import { DIGEST_ACTIONS, resumeFromNotice } from '../../digests/notice-actions.ts';
import { findOccurrence } from '../../digests/sql/occurrences.ts';
import { getSharedId } from '../../slack/share-outside.ts';
import { checkResume, RESUME_OUTSIDE } from './check-resume.ts';
import { findVisibleDigest, listProjectNames } from './digest-facts.ts';
import { digestList, GONE, PRESSES, type Press, pressId } from './digest-messages.ts';
import { mayManage, permitManaging } from './permit-digest.ts';
import { showPreview } from './preview.ts';

/** Handlers of the list's buttons. Each checks the current digest. `change`: opens the form. */
export function listActions(
  change: (call: ActionCall, id: string) => Promise<void>,
): Record<string, (call: ActionCall) => Promise<void>> {
  return Object.fromEntries(
    PRESSES.flatMap((press) =>
      [true, false].map((isMine) => [
        pressId(press, isMine),
        (call: ActionCall) => handlePress(call, { press, isMine, change }),
      ]),
    ),
  );
}

async function handlePress(
  call: ActionCall,
  {
    press,
    isMine,
    change,
  }: { press: Press; isMine: boolean; change: (call: ActionCall, id: string) => Promise<void> },
): Promise<void> {
  const digest = await findVisibleDigest(call, call.action.value ?? '');
  // The action id decided which role was checked, so it must match the digest.
  if (!digest || isPersonal(digest) !== isMine) return call.reply(GONE, { replace: true });
  if (press !== 'preview') await permitManaging(call, digest, `digests ${press}`);
  if (press === 'change') return change(call, digest.id);
  await call.acknowledge();
  if (press === 'preview') return showPreview(call, digest);
  const result = await applyPress(call, press, digest);
  if (result !== undefined) await call.reply(await createDigestList(call, result), { replace: true });
}

const CHANGED = 'Nothing was done: somebody changed or deleted it just now.';

/** Returns the result, mrkdwn; undefined if the actor got a question instead. */
async function applyPress(
  call: ActionCall,
  press: Exclude<Press, 'change' | 'preview'>,
  digest: Digest,
): Promise<string | undefined> {
  const digests = call.context.digests;
  const at = createGuardedKey(digest);
  switch (press) {
    case 'pause':
      return (await digests.pause(at)) ? 'Paused.' : CHANGED;
    case 'unpause': {
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

/** Lists the digests of the current channel, and the actor's personal ones. */
export async function createDigestList(call: Call, result?: string) {
  const { actor, channel } = call;
  const digests = call.context.digests;
  const isChannel = channel !== undefined && /^[CG]/.test(channel);
  const [here, own, projects] = await Promise.all([
    isChannel ? digests.list({ workspace: actor.workspace, channel }) : undefined,
    digests.list({ workspace: actor.workspace, channel: actor.user }),
    listProjectNames(call),
  ]);
  const unreadable = (here?.unreadable ?? 0) + own.unreadable;
  const all = [...(here?.digests ?? []), ...own.digests];
  const isManageable = await Promise.all(all.map((digest) => mayManage(call, digest)));
  const manageable = new Set(all.filter((_, index) => isManageable[index]));
  return digestList(all, {
    ...{ manageable, projects, now: call.now(), isChannel, unreadable },
    ...(result !== undefined && { result }),
  });
}

/** Slack's events about channels, such as archiving and sharing. */
export const events = DIGEST_EVENTS;

/** Handlers of the buttons in notices. For a channel's digest they need a manager of its current projects. */
export const noticeActions = {
  ...Object.fromEntries(Object.entries(DIGEST_ACTIONS).map(([id, press]) => [id, withPermission(press)])),
  [RESUME]: withPermission(resume),
  [RESUME_OUTSIDE]: withPermission(resume),
};

function withPermission(press: (call: ActionCall, digest: Digest) => Promise<void>) {
  return async (call: ActionCall): Promise<void> => {
    const { context, actor } = call;
    const value = getSharedId(call) ?? '';
    const row = await findOccurrence(context.db, { workspace: actor.workspace, id: value });
    const digest = await findVisibleDigest(call, row?.digest ?? value);
    if (!digest) return call.reply(GONE);
    await permitManaging(call, digest, 'digests notice');
    await press(call, digest);
  };
}

async function resume(call: ActionCall, digest: Digest): Promise<void> {
  const checked = await checkResume(call, digest);
  if (checked === 'asked') return;
  if ('trouble' in checked) return call.reply({ text: checked.trouble });
  await resumeFromNotice(call, createGuardedKey(digest), checked.sharedWith);
}
