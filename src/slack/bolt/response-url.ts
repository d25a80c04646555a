import { inert, type Message } from '../message.ts';

/** Slack's response_url answers quickly or not at all. */
const TIMEOUT_MS = 5_000;
/**
 * https://docs.slack.dev/interactivity/handling-user-interaction/#message_responses
 * The second host belongs to GovSlack.
 */
const SLACK_HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** Slack didn't accept the message. The error doesn't contain the response_url, because it is a secret. */
export class ResponseRefused extends Error {
  readonly status: number | undefined;
  constructor(reason: string, options: { status?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'ResponseRefused';
    this.status = options.status;
  }
}

/** Whether an address from a payload belongs to Slack, or to the Slack API that is configured (`apiUrl`). */
export function isSlackAddress(responseUrl: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(responseUrl)) return false;
  const url = new URL(responseUrl);
  if (url.protocol === 'https:' && SLACK_HOSTS.includes(url.host)) return true;
  return apiUrl !== undefined && url.origin === new URL(apiUrl).origin;
}

/**
 * Sends a message that only the actor sees, in the place of the request. `thread`: the ts of its first message. Throws
 * ResponseRefused.
 */
export async function respond(
  responseUrl: string,
  message: Message,
  options: { replace: boolean; thread?: string; apiUrl?: string | undefined; fetch?: typeof fetch },
): Promise<void> {
  if (!isSlackAddress(responseUrl, options.apiUrl))
    throw new ResponseRefused('the response_url is not Slack’s');
  const send = options.fetch ?? fetch;
  let status: number;
  try {
    const response = await send(responseUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...inert(message),
        response_type: 'ephemeral',
        replace_original: options.replace,
        ...(options.thread !== undefined && !options.replace && { thread_ts: options.thread }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    await response.body?.cancel();
  } catch (cause) {
    throw new ResponseRefused('the response_url did not answer', { cause });
  }
  if (status < 200 || status > 299) throw new ResponseRefused('Slack refused the response', { status });
}
