import type { Outsider, RequiredRole, Role } from '../../access/access.ts';
import { actions, button, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';
import { neededWords, roleName } from './role-words.ts';

export const ASK = 'roles.ask';

const OUTSIDERS: Record<Exclude<Outsider, 'not-checked'>, string> = {
  guest:
    'Upnext is for full members of this workspace. Guests cannot use it; whoever runs the workspace can make you a member.',
  bot: 'Upnext is for people. A bot cannot use it.',
  deactivated: 'Upnext is for members of this workspace, and this account is deactivated.',
  stranger:
    'Upnext is for members of this workspace. You are in another one, where it can be installed as well.',
};

/** Nobody can give them a role. */
export function outsiderMessage(why: Outsider, reference: string): Message {
  return why === 'not-checked' ? buildPermissionUnknownMessage(reference) : { text: OUTSIDERS[why] };
}

/** Which role can, and a button that asks for it. `ask` is the id of the request that it would send. */
export function roleMessage(refused: {
  needed: RequiredRole;
  role: Role | undefined;
  /** It is about one project, in which their role is another than elsewhere. */
  inProject: boolean;
  ask: string | undefined;
  because: string | undefined;
}): Message {
  const where = refused.inProject ? ' in this project' : '';
  const because = refused.because === undefined ? '' : `${refused.because} `;
  const text = `${because}You may not do this: it needs ${neededWords(refused.needed)}. You have ${roleName(refused.role)}${where}. Nothing was done.`;
  if (refused.ask === undefined) return { text };
  return {
    text,
    blocks: [section(text), actions(button('Ask for access', ASK, refused.ask, 'primary'))],
  };
}
