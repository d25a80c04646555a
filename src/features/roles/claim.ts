import { saveGrant } from '../../access/access.ts';
import type { ActionCall } from '../../app/call.ts';
import { disableParsing } from '../../slack/message.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { renderOwnershipClaim } from './role-notifications.ts';

/** [Claim ownership]: makes an admin of the Slack workspace an owner, and notifies the other owners. */
export async function claimOwnership(call: ActionCall): Promise<void> {
  const { context, actor, client, log, reference } = call;
  const { workspace, user } = actor;
  const access = await context.access.findAccess(actor, client, 'everything');
  const entry = {
    workspace,
    actor: user,
    action: 'roles claim',
    target: `person ${user} owner`,
    reference,
  } as const;
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
  call.countCostlyAction();
  const owners = await context.access.listOwners(workspace);
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
  for (const owner of (owners === 'unknown' ? [] : owners).filter((other) => other !== user)) {
    try {
      await client.chat.postMessage({ channel: owner, ...disableParsing(renderOwnershipClaim(user)) });
    } catch (error) {
      log.warn({ reference, reason: String(error) }, 'could not notify an owner of a claim');
    }
  }
  await call.reply({
    text: 'You own Upnext in this workspace now; the other owners have been told. `/upnext roles` shows who may do what.',
  });
}
