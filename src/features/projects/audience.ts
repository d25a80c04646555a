import type { Call } from '../../slack/feature.ts';
import { isPassing, slackErrorCode } from '../../slack/slack-trouble.ts';

/** Who reads a channel. */
export interface Audience {
  /** People of another organisation do, or were invited to. */
  isShared: boolean;
}

/** What Slack says of who reads a channel. */
export type AudienceAnswer = Audience | 'not-checked' | undefined;

/**
 * As Slack says it; undefined where it does not let the bot know, as of a private channel that it is not in, and
 * `not-checked` where it may say so another time.
 */
export async function audienceOf(
  { client, log, reference }: Call<unknown>,
  channel: string,
): Promise<AudienceAnswer> {
  try {
    const { channel: found } = await client.conversations.info({ channel });
    return { isShared: found?.is_ext_shared === true || found?.is_pending_ext_shared === true };
  } catch (error) {
    log.info(
      { reference, reason: slackErrorCode(error) ?? String(error) },
      'who reads a channel is not known',
    );
    return isPassing(error) ? 'not-checked' : undefined;
  }
}

/** Plain text: what choosing projects for a channel means for who reads it. */
export function audienceWords(audience: AudienceAnswer, count: number): string {
  const plans = count === 1 ? "the project's plans" : "these projects' plans";
  const all = `Every member of this channel can see ${plans} here.`;
  if (!audience || audience === 'not-checked')
    return `${all} If it is shared with another organisation, its people too.`;
  return audience.isShared
    ? `${all} ⚠️ It is shared with another organisation: its people are members too.`
    : all;
}
