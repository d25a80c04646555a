import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../app/call.ts';
import { slackErrorCode } from '../../slack/slack-trouble.ts';
import type { Place } from './place.ts';

/** `unknown`: Slack did not say, or not in time. */
type Membership = 'yes' | 'no' | 'unknown';

/** Slack takes less than 1000: https://docs.slack.dev/reference/methods/conversations.members#pagination */
const PAGE_LIMIT = 999;

/** Why the author may not have a digest posted there. Plain text; undefined where nothing stands in the way. */
export async function authorTrouble(call: Call, place: Place): Promise<string | undefined> {
  if (place.isPrivate === false) return undefined;
  switch (place.isPrivate ? await membership(call, place.channel) : 'unknown') {
    case 'yes':
      return undefined;
    case 'no':
      return "You're not in this private channel, so only its members can set up a digest there. Nothing was saved. Ask one of them, or choose another channel.";
    case 'unknown':
      return "I couldn't check whether you're in this channel. Nothing was saved. Try again, or choose a public channel.";
  }
}

/** Whether the person is in the channel. A submission is answered within 3 s, and half of that is for the rest. */
async function membership(call: Call, channel: string): Promise<Membership> {
  const { context, log, reference } = call;
  const late = new AbortController();
  const looking = lookThrough(call, channel, late.signal).catch((error: unknown): Membership => {
    log.info(
      { reference, reason: slackErrorCode(error) ?? String(error) },
      'could not check channel membership',
    );
    return 'unknown';
  });
  const found = await Promise.race([looking, delay(context.pace.answerMs / 2, undefined, { ref: false })]);
  late.abort();
  return found ?? 'unknown';
}

async function lookThrough({ client, who }: Call, channel: string, late: AbortSignal): Promise<Membership> {
  let cursor: string | undefined;
  do {
    const page = await client.conversations.members({
      channel,
      limit: PAGE_LIMIT,
      ...(cursor && { cursor }),
    });
    if (!page.members) return 'unknown';
    if (page.members.includes(who.user)) return 'yes';
    cursor = page.response_metadata?.next_cursor;
  } while (cursor && !late.aborted);
  return cursor ? 'unknown' : 'no';
}
