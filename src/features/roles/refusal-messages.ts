import type { OutsiderReason, Role } from '../../access/access.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';
import { renderRole } from './role-text.ts';

export const REQUEST_ACCESS = 'roles.ask';

const OUTSIDER_REFUSALS: Record<Exclude<OutsiderReason, 'not-checked'>, string> = {
  guest: 'Guests can’t use Upnext. A workspace admin can make you a full member.',
  bot: 'Bots can’t use Upnext.',
  deactivated: 'This account is deactivated, so it can’t use Upnext.',
  stranger: 'Only members of this workspace can use Upnext here. It can be installed in yours too.',
};

/** Renders the refusal for people who can't get a role at all. */
export function renderOutsiderRefusal(reason: OutsiderReason, reference: string): Message {
  return reason === 'not-checked'
    ? buildPermissionUnknownMessage(reference)
    : { text: OUTSIDER_REFUSALS[reason] };
}

/** Renders the refusal for people whose role isn't enough. */
export function renderRoleRefusal(refusal: {
  /** The role that the person should have. [Request access] asks for it. */
  role: Role;
  /** Whether the person lacks the role in one project, but has it in others or in the workspace. */
  isForProject: boolean;
  /** The id of the request that [Request access] sends. Without an id there is no button. */
  requestId: string | undefined;
  /** A sentence before the refusal (mrkdwn). */
  introduction: string | undefined;
}): Message {
  const scopeText = refusal.isForProject ? 'in this project' : 'for this';
  const introText = refusal.introduction === undefined ? '' : `${refusal.introduction} `;
  const text = `${introText}You need the ${renderRole(refusal.role)} role ${scopeText}.`;
  if (refusal.requestId === undefined) return { text };
  return {
    text,
    blocks: [section(text), actions(button('Request access', REQUEST_ACCESS, refusal.requestId, 'primary'))],
  };
}
