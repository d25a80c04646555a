import type { Outsider } from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import { slackErrorCode } from '../../slack/slack-trouble.ts';
import type { Subject } from './give-role.ts';

const OUTSIDERS: Record<Outsider, string> = {
  guest: 'One of them is a guest: a role is for full members alone.',
  bot: 'One of them is a bot: a role is for people.',
  deactivated: 'One of these accounts is deactivated.',
  stranger: 'One of them belongs to another workspace.',
  'not-checked': 'Slack did not say who they are. Please try again in a minute.',
};

/** Why somebody cannot be given a role, asked now. Plain text. */
export async function subjectFault(call: Call, subject: Subject): Promise<string | undefined> {
  const { context, who, client } = call;
  const { workspace } = who;
  if (subject.kind === 'members') return undefined;
  if (subject.kind === 'person') {
    const access = await context.access.of({ workspace, user: subject.id }, client, 'everything');
    return access.kind === 'outsider' ? OUTSIDERS[access.why] : undefined;
  }
  try {
    await client.usergroups.users.list({ usergroup: subject.id, team_id: workspace });
    return undefined;
  } catch (error) {
    return slackErrorCode(error) === 'no_such_subteam'
      ? 'One of these user groups is not there any more.'
      : 'Slack did not say who is in this user group. Please try again in a minute.';
  }
}
