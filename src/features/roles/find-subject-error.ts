import type { OutsiderReason } from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import { fetchGroupMembers } from '../../slack/fetch-group-members.ts';
import type { Subject } from './give-role.ts';

const OUTSIDER_ERRORS: Record<OutsiderReason, string> = {
  guest: 'One of them is a guest. Only full members can have a role.',
  bot: 'One of them is a bot. Only people can have a role.',
  deactivated: 'One of these accounts is deactivated.',
  stranger: 'One of them belongs to another workspace.',
  'not-checked': 'I couldn’t look them up in Slack. Try again in a minute.',
};

/** Asks Slack whether a subject can get a role. Resolves with the reason why not (plain text); undefined if it can. */
export async function findSubjectError(call: Call, subject: Subject): Promise<string | undefined> {
  if (subject.kind === 'members') return undefined;
  if (subject.kind === 'person') {
    const { context, actor, client } = call;
    const { workspace } = actor;
    const access = await context.access.findAccess({ workspace, user: subject.id }, client, 'everything');
    return access.kind === 'outsider' ? OUTSIDER_ERRORS[access.reason] : undefined;
  }
  switch (await fetchGroupMembers(call, subject.id)) {
    case 'deleted':
      return 'One of these user groups no longer exists.';
    case 'not-permitted':
      return 'I’m not allowed to look up user groups here. Choose people, or install me again with `usergroups:read`.';
    case 'not-checked':
      return 'I couldn’t look up this user group in Slack. Try again in a minute.';
    default:
      return undefined;
  }
}
