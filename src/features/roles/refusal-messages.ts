import type { OutsiderReason, PendingRequest, Role } from '../../access/access.ts';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';
import { renderPendingRequest, renderRole } from './role-text.ts';

export const REQUEST_ACCESS_ACTION = 'roles.ask';

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
  /**
   * What the role is missing for: the whole Home tab, one project (if the person has it in others or in the
   * workspace), or the request.
   */
  scope: 'home' | 'project' | 'request';
  /** The id of the request that the button sends. Without an id there is no button. */
  requestId: string | undefined;
  /** The person's request that no owner has answered yet. */
  pendingRequest: PendingRequest | undefined;
  /** A sentence before the refusal (mrkdwn). */
  introduction: string | undefined;
}): Message {
  const introText = refusal.introduction === undefined ? '' : `${refusal.introduction} `;
  const { pendingRequest, requestId } = refusal;
  const text = `${introText}${renderMissingRole(refusal)}`;
  const pendingText = pendingRequest && renderPendingRequest(pendingRequest);
  return {
    text: [text, pendingText].filter(Boolean).join(' '),
    blocks: [
      section(text),
      ...(pendingText === undefined ? [] : [context(pendingText)]),
      ...(requestId === undefined
        ? []
        : [
            actions(
              button(
                pendingRequest ? 'Ask again' : 'Request access',
                REQUEST_ACCESS_ACTION,
                requestId,
                'primary',
              ),
            ),
          ]),
    ],
  };
}

function renderMissingRole({ role, scope }: { role: Role; scope: 'home' | 'project' | 'request' }): string {
  if (scope === 'home') return 'You need a role to see posts here.';
  return `You need the ${renderRole(role)} role ${scope === 'project' ? 'in this project' : 'for this'}.`;
}
