import { saveGrant } from '../../access/access.ts';
import type { ActionCall } from '../../app/call.ts';
import { disableParsing } from '../../slack/message.ts';
import { buildPermissionUnknownMessage, NotAllowed } from '../../slack/not-allowed.ts';
import { applyToPlans } from './give-role.ts';
import { renderOwnershipClaim } from './role-notifications.ts';

/** Handles [Claim ownership]. Makes an admin of the Slack workspace an owner, and notifies the other owners. */
export async function claimOwnership(call: ActionCall): Promise<void> {
  const { context, actor, client, log, reference } = call;
  const { workspace, user } = actor;
  const access = await context.access.findAccess(actor, client, 'everything');
  const auditEntry = {
    workspace,
    actor: user,
    action: 'roles claim',
    target: `person ${user} owner`,
    reference,
  } as const;
  if (access.kind === 'outsider' && access.reason === 'not-checked') {
    await context.record.add({ ...auditEntry, decision: 'not-checked' });
    throw new NotAllowed(buildPermissionUnknownMessage(reference));
  }
  if (access.kind === 'outsider' || !access.isAdmin) {
    await context.record.add({ ...auditEntry, decision: 'refused' });
    throw new NotAllowed({
      text: 'Only a workspace admin can claim ownership.',
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
  await applyToPlans(call);
  await context.record.add({ ...auditEntry, decision: 'done' });
  for (const owner of (owners === 'unknown' ? [] : owners).filter((other) => other !== user)) {
    try {
      await client.chat.postMessage({ channel: owner, ...disableParsing(renderOwnershipClaim(user)) });
    } catch (error) {
      log.warn({ reference, err: error }, 'could not notify an owner of the ownership claim');
    }
  }
  await call.reply({
    text: 'You now own Upnext in this workspace. See all roles with `/upnext roles`.',
  });
}
