import type { ActionCall, Call } from '../../app/call.ts';
import { RESUME } from '../../digests/action-ids.ts';
import { createGuardedKey, type Digest, isPersonal } from '../../digests/digest.ts';
import { DIGEST_ACTIONS, resumeFromNotice } from '../../digests/notice-actions.ts';
import { findOccurrence } from '../../digests/sql/occurrences.ts';
import { getSharedId } from '../../slack/share-outside.ts';
import { checkResume, RESUME_OUTSIDE } from './check-resume.ts';
import { findVisibleDigest, listProjectNames } from './digest-form-context.ts';
import { buildPressId, GONE, PRESSES, type Press, renderDigestList } from './digest-messages.ts';
import { mayManage, permitManaging, recordDigestChange } from './permit-digest.ts';
import { showPreview } from './preview.ts';

/** Creates the handlers of the list's buttons. Each checks the current digest. `openForm` edits a digest. */
export function createListActions(
  openForm: (call: ActionCall, id: string) => Promise<void>,
): Record<string, (call: ActionCall) => Promise<void>> {
  return Object.fromEntries(
    PRESSES.flatMap((press) =>
      [true, false].map((isMine) => [
        buildPressId(press, isMine),
        (call: ActionCall) => handlePress(call, { press, isMine, openForm }),
      ]),
    ),
  );
}

async function handlePress(
  call: ActionCall,
  {
    press,
    isMine,
    openForm,
  }: { press: Press; isMine: boolean; openForm: (call: ActionCall, id: string) => Promise<void> },
): Promise<void> {
  const digest = await findVisibleDigest(call, call.action.value ?? '');
  // The app checked the role that the action id requires, so the id must match the digest.
  if (!digest || isPersonal(digest) !== isMine) return call.reply(GONE, { replace: true });
  if (press !== 'preview') await permitManaging(call, digest, `digests ${press}`);
  if (press === 'change') return openForm(call, digest.id);
  await call.acknowledge();
  if (press === 'preview') return showPreview(call, digest);
  const result = await applyPress(call, press, digest);
  if (result !== undefined) await call.reply(await createDigestList(call, result), { replace: true });
}

const CHANGED = 'Nothing was done: somebody changed or deleted it just now.';

/** Applies a press and returns the result, mrkdwn. Undefined if the actor got a question instead. */
async function applyPress(
  call: ActionCall,
  press: Exclude<Press, 'change' | 'preview'>,
  digest: Digest,
): Promise<string | undefined> {
  const digests = call.context.digests;
  const key = createGuardedKey(digest);
  const recordDone = (result: string) => {
    recordDigestChange(call, digest, `digests ${press}`);
    return result;
  };
  switch (press) {
    case 'pause':
      return (await digests.pause(key)) ? recordDone('Paused.') : CHANGED;
    case 'unpause': {
      const check = await checkResume(call, digest);
      if (check === 'question-sent') return undefined;
      if ('trouble' in check) return check.trouble;
      return (await digests.resume(key, check.sharedWith)) ? recordDone('Resumed.') : CHANGED;
    }
    case 'delete':
      return (await digests.remove(key)) ? recordDone('Deleted.') : CHANGED;
    case 'send': {
      call.countCostlyAction();
      const outcome = await digests.sendNow(key, call.trigger ?? call.reference);
      return outcome === 'gone' ? CHANGED : recordDone('It is on its way.');
    }
  }
}

/** Creates the list of the current channel's digests and the actor's personal digests. */
export async function createDigestList(call: Call, result?: string) {
  const { actor, channel } = call;
  const digests = call.context.digests;
  const isChannel = channel !== undefined && /^[CG]/.test(channel);
  const [channelList, personalList, projects] = await Promise.all([
    isChannel ? digests.list({ workspace: actor.workspace, channel }) : undefined,
    digests.list({ workspace: actor.workspace, channel: actor.user }),
    listProjectNames(call),
  ]);
  const unreadableCount = (channelList?.unreadableCount ?? 0) + personalList.unreadableCount;
  const allDigests = [...(channelList?.digests ?? []), ...personalList.digests];
  const isManageable = await Promise.all(allDigests.map((digest) => mayManage(call, digest)));
  const manageable = new Set(allDigests.filter((_, index) => isManageable[index]));
  return renderDigestList(allDigests, {
    ...{ manageable, projects, now: call.now(), isChannel, unreadableCount },
    ...(result !== undefined && { result }),
  });
}

/** Handlers of the buttons in notices. Those of a channel's digest need a manager of its current projects. */
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
  const check = await checkResume(call, digest);
  if (check === 'question-sent') return;
  if ('trouble' in check) return call.reply({ text: check.trouble });
  await resumeFromNotice(call, createGuardedKey(digest), check.sharedWith);
}
