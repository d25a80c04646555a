import { z } from 'zod';
import type { OutsiderReason } from '../../access/access.ts';
import type { Call } from '../../app/call.ts';

/** The values that a profile in Slack fills in. '' for a value that Slack doesn't return. */
const detailsSchema = z.object({ first: z.string(), last: z.string(), email: z.string() });
type Details = z.infer<typeof detailsSchema>;

/** The person chosen in Slack's people picker. */
export const slackMemberSchema = z.object({
  /** Slack's user id. */
  id: z.string(),
  details: detailsSchema,
  /** Whether the person is a full member of the workspace. */
  isColleague: z.boolean(),
  /** A warning for whoever invites the person (plain text). */
  note: z.string().optional(),
});
type SlackMember = z.infer<typeof slackMemberSchema>;

const NO_DETAILS: Details = { first: '', last: '', email: '' };

const OUTSIDER_NOTES: Readonly<Record<OutsiderReason, string>> = {
  guest: 'This person is a guest in this Slack workspace.',
  stranger: 'This person belongs to another Slack workspace.',
  bot: 'That’s an app. Choose a person, or type the details.',
  deactivated: 'This Slack account is deactivated. Choose somebody else, or type the details.',
  'not-checked': 'I couldn’t look up this person in Slack. Type the details.',
};
const NO_EMAIL_NOTE = 'Slack doesn’t share this person’s email with me. Type it.';

/** Looks up a person in Slack. Never rejects: without Slack's answer, people type the details. */
export async function findSlackMember({ context, actor, client }: Call, id: string): Promise<SlackMember> {
  const { workspace } = actor;
  const [access, details] = await Promise.all([
    context.access.findAccess({ workspace, user: id }, client, 'everything').catch(() => undefined),
    fetchDetails(client, id).catch(() => undefined),
  ]);
  const reason = access?.kind === 'outsider' ? access.reason : undefined;
  if (!access || !details || reason === 'not-checked')
    return { id, details: NO_DETAILS, isColleague: false, note: OUTSIDER_NOTES['not-checked'] };
  if (reason === 'bot' || reason === 'deactivated')
    return { id, details: NO_DETAILS, isColleague: false, note: OUTSIDER_NOTES[reason] };
  const notes = [
    ...(reason === undefined ? [] : [OUTSIDER_NOTES[reason]]),
    ...(details.email === '' ? [NO_EMAIL_NOTE] : []),
  ];
  return {
    id,
    details,
    isColleague: reason === undefined,
    ...(notes.length > 0 && { note: notes.join('\n') }),
  };
}

/**
 * Fetches a profile. Slack leaves out the email without the scope `users:read.email`, and may leave out any name
 * (https://docs.slack.dev/reference/methods/users.info).
 */
async function fetchDetails(client: Call['client'], user: string): Promise<Details> {
  const { profile, real_name: accountName } = (await client.users.info({ user })).user ?? {};
  const fullName = profile?.real_name || accountName || '';
  const [firstWord = '', ...otherWords] = fullName.trim().split(/\s+/);
  return {
    first: profile?.first_name || firstWord,
    last: profile?.last_name || (profile?.first_name ? '' : otherWords.join(' ')),
    email: profile?.email ?? '',
  };
}

/**
 * Fills in the details of a newly chosen person. Replaces only empty values, and values that were filled in for the
 * person chosen before. Returns undefined if the details were filled in already.
 */
export function fillDetails(
  typedDetails: Details,
  member: SlackMember | undefined,
  previousMember: SlackMember | undefined,
): Details | undefined {
  if (!member || member.id === previousMember?.id) return undefined;
  const choose = (name: keyof Details) => {
    const typedValue = typedDetails[name];
    return typedValue === '' || typedValue === previousMember?.details[name]
      ? member.details[name]
      : typedValue;
  };
  return { first: choose('first'), last: choose('last'), email: choose('email') };
}
