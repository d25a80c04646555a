import { saveGrant } from '../../access/access.ts';
import type { ActionCall } from '../../app/call.ts';
import { disableParsing } from '../../slack/message.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { claimedMessage } from './told-messages.ts';

/** [Claim ownership]: for who runs the Slack workspace, as Slack says now; announced to all who own Upnext there. */
export async function claim(call: ActionCall): Promise<void> {
  const { context, actor, client, log, reference } = call;
  const { workspace, user } = actor;
  const access = await context.access.of(actor, client, 'everything');
  const entry = { workspace, actor: user, action: 'roles claim', target: `person ${user} owner`, reference };
  if (access.kind === 'outsider' && access.reason === 'not-checked') {
    await context.record.add({ ...entry, decision: 'not-checked' });
    throw new NotAllowed(buildPermissionUnknownMessage(reference));
  }
  if (access.kind === 'outsider' || !access.isAdmin) {
    await context.record.add({ ...entry, decision: 'refused' });
    throw new NotAllowed({
      text: 'Only an admin of this Slack workspace can claim ownership. Nothing was done.',
    });
  }
  call.countCostly();
  const owners = await context.access.ownersOf(workspace);
  await saveGrant(context.db, {
    workspace,
    subjectKind: 'person',
    subject: user,
    project: '',
    role: 'owner',
    reason: 'claimed',
    grantedBy: user,
    grantedAt: call.now(),
  });
  context.access.onGrantsChanged(workspace);
  await context.record.add({ ...entry, decision: 'done' });
  for (const owner of (owners === 'unknown' ? [] : owners).filter((each) => each !== user)) {
    try {
      await client.chat.postMessage({ channel: owner, ...disableParsing(claimedMessage(user)) });
    } catch (error) {
      log.warn({ reference, reason: String(error) }, 'an owner was not told of a claim');
    }
  }
  await call.reply({
    text: 'You own Upnext in this workspace now; the other owners have been told. `/upnext roles` shows who may do what.',
  });
}
