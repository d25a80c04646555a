import { mapLimited, within } from '../promises.ts';
import { type Guests, isDirectMessage } from '../slack/audience.ts';
import type { Call } from './call.ts';

/**
 * Maximum number of a channel's people who are looked up. Slack allows about 100 lookups a minute:
 * https://docs.slack.dev/reference/methods/users.info
 */
const MAX_CHECKED_PEOPLE = 50;

/**
 * Finds out whether guests are in a channel, for at most half of the time that Slack allows for a response. Never rejects.
 */
export async function findGuests(call: Call, channel: string): Promise<Guests> {
  // Guests can't use the app, so they have no direct message with it.
  if (isDirectMessage(channel)) return 'no';
  const { context, log, reference } = call;
  const search = searchGuests(call, channel).catch((error: unknown): Guests => {
    log.info({ reference, err: error }, 'could not find out whether guests read the channel');
    return 'unknown';
  });
  return within(context.pace.acknowledgementTimeoutMs / 2, search, 'unknown' as const);
}

async function searchGuests({ client, context, actor }: Call, channel: string): Promise<Guests> {
  const { members, response_metadata: page } = await client.conversations.members({
    channel,
    limit: MAX_CHECKED_PEOPLE,
  });
  if (!members) return 'unknown';
  const { workspace } = actor;
  const people = await mapLimited(members.slice(0, MAX_CHECKED_PEOPLE), (user) =>
    context.access.findAccess({ workspace, user }, client, 'nothing'),
  );
  const reasons = people.flatMap((person) => (person.kind === 'outsider' ? [person.reason] : []));
  if (reasons.includes('guest')) return 'yes';
  const isComplete = !page?.next_cursor && members.length <= MAX_CHECKED_PEOPLE;
  return isComplete && !reasons.includes('not-checked') ? 'no' : 'unknown';
}
