import type { OutsiderReason, RequiredRole, Role } from '../../access/access.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';
import { renderNeededRole, renderRole } from './role-words.ts';

export const REQUEST_ACCESS = 'roles.ask';

const OUTSIDER_REFUSALS: Record<Exclude<OutsiderReason, 'not-checked'>, string> = {
  guest:
    'Upnext is for full members of this workspace. Guests cannot use it; whoever runs the workspace can make you a member.',
  bot: 'Upnext is for people. A bot cannot use it.',
  deactivated: 'Upnext is for members of this workspace, and this account is deactivated.',
  stranger:
    'Upnext is for members of this workspace. You are in another one, where it can be installed as well.',
};

/** For people who can't get a role at all. */
export function renderOutsiderRefusal(reason: OutsiderReason, reference: string): Message {
  return reason === 'not-checked'
    ? buildPermissionUnknownMessage(reference)
    : { text: OUTSIDER_REFUSALS[reason] };
}

/** Names the needed role. `ask` is the id of the request that [Ask for access] sends; without it there is no button. */
export function renderRoleRefusal(refused: {
  needed: RequiredRole;
  role: Role | undefined;
  /** Whether the refusal is about a project in which the person's role differs from the one elsewhere. */
  inProject: boolean;
  ask: string | undefined;
  /** mrkdwn: a sentence before the refusal. */
  because: string | undefined;
}): Message {
  const scopeText = refused.inProject ? ' in this project' : '';
  const because = refused.because === undefined ? '' : `${refused.because} `;
  const text = `${because}You may not do this: it needs ${renderNeededRole(refused.needed)}. You have ${renderRole(refused.role)}${scopeText}. Nothing was done.`;
  if (refused.ask === undefined) return { text };
  return {
    text,
    blocks: [section(text), actions(button('Ask for access', REQUEST_ACCESS, refused.ask, 'primary'))],
  };
}
