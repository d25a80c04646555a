import type { Call } from '../../app/call.ts';
import { APP_NAME } from '../../slack/name.ts';
import { botScopes } from '../../slack/scopes.ts';
import { slackErrorCode } from '../../slack/slack-trouble.ts';
import type { Line } from './status-message.ts';

const INVITE = `Type \`/invite @${APP_NAME}\` here.`;

/** Whether the bot is in the channel: without it, it can answer, and not share. */
export async function checkChannel({ client, channel }: Call): Promise<Line> {
  if (channel === undefined || channel.startsWith('D')) {
    return { mark: 'fine', text: 'We are in a direct message: what I say here you alone see.' };
  }
  try {
    const { channel: found } = await client.conversations.info({ channel });
    if (found?.is_archived) {
      return { mark: 'wrong', text: 'This channel is archived: nothing can be shared in it.' };
    }
    if (found?.is_member) return { mark: 'fine', text: 'I am in this channel.' };
    return { mark: 'wrong', text: `I am not in this channel, so nothing can be shared in it. ${INVITE}` };
  } catch (error) {
    const code = slackErrorCode(error);
    // The answer for a private channel that the bot was not invited to.
    if (code === 'channel_not_found' || code === 'not_in_channel') {
      const text = `I am not in this private channel, so nothing can be shared in it. ${INVITE}`;
      return { mark: 'wrong', text };
    }
    const text = `Slack did not say whether I am in this channel (${code ?? 'no answer'}).`;
    return { mark: 'unknown', text };
  }
}

/** Whether the app was given every right that its manifest asks for. */
export async function checkRights({ client, catalogue }: Call): Promise<Line> {
  try {
    const { response_metadata: metadata } = await client.auth.test();
    const granted = metadata?.scopes;
    if (!granted) return { mark: 'unknown', text: 'Slack did not say which rights I have.' };
    const missing = Object.keys(botScopes(catalogue)).filter((scope) => !granted.includes(scope));
    if (missing.length === 0) return { mark: 'fine', text: 'I have all the rights that I need in Slack.' };
    const names = missing.map((scope) => `\`${scope}\``).join(', ');
    return {
      mark: 'wrong',
      text: `I lack rights in Slack: ${names}. Whoever set up ${APP_NAME} puts today's \`manifest.yml\` into the app's settings and installs it again.`,
    };
  } catch (error) {
    const code = slackErrorCode(error) ?? 'no answer';
    return { mark: 'unknown', text: `Slack did not say which rights I have (${code}).` };
  }
}
