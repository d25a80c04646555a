import { disableParsing, hasPictures, type Message, removePictures } from '../../slack/message.ts';

/** Time limit for a call to a response_url, which responds quickly or not at all. */
const TIMEOUT_MS = 5_000;
/**
 * https://docs.slack.dev/interactivity/handling-user-interaction/#message_responses
 * The second host belongs to GovSlack.
 */
const SLACK_HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** Slack didn't accept a message. The error doesn't contain the response_url, which is a secret. */
export class ResponseRefused extends Error {
  readonly status: number | undefined;
  constructor(reason: string, options: { status?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'ResponseRefused';
    this.status = options.status;
  }
}

/** True if an address from a payload belongs to Slack, or to the configured Slack API (`apiUrl`). */
export function isSlackAddress(responseUrl: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(responseUrl)) return false;
  const url = new URL(responseUrl);
  if (url.protocol === 'https:' && SLACK_HOSTS.includes(url.host)) return true;
  return apiUrl !== undefined && url.origin === new URL(apiUrl).origin;
}

/**
 * Sends a message that only the actor sees, where the request was made. `thread` is the ts of the first message of the
 * thread. Throws ResponseRefused.
 */
export async function respond(
  responseUrl: string,
  message: Message,
  options: { replace: boolean; thread?: string; apiUrl?: string | undefined; fetch?: typeof fetch },
): Promise<void> {
  if (!isSlackAddress(responseUrl, options.apiUrl))
    throw new ResponseRefused('the response_url is not Slack’s');
  const send = options.fetch ?? fetch;
  const sendBlocks = async (blocks: Message['blocks']): Promise<number> => {
    const response = await send(responseUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...disableParsing({ ...message, ...(blocks && { blocks }) }),
        response_type: 'ephemeral',
        replace_original: options.replace,
        ...(options.thread !== undefined && !options.replace && { thread_ts: options.thread }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  };
  let status: number;
  try {
    status = await sendBlocks(message.blocks);
    // Slack refuses a message with a picture that it can't fetch.
    if (status === 400 && hasPictures(message.blocks))
      status = await sendBlocks(removePictures(message.blocks));
  } catch (cause) {
    throw new ResponseRefused('the response_url did not answer', { cause });
  }
  if (status < 200 || status > 299) throw new ResponseRefused('Slack refused the response', { status });
}
