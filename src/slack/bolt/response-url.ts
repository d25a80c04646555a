import { inert, type Message } from '../message.ts';

/** A response_url answers quickly or not at all. */
const TIMEOUT_MS = 5_000;
/** https://docs.slack.dev/interactivity/handling-user-interaction/#message_responses , and Slack's for governments. */
const SLACK_HOSTS = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** Slack did not take the message; the address is a secret and stands nowhere here. */
export class ResponseRefused extends Error {
  readonly status: number | undefined;
  constructor(reason: string, options: { status?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'ResponseRefused';
    this.status = options.status;
  }
}

/** Whether an address from a payload is Slack's own, or that of the Slack that this app was told to use. */
export function isSlacks(responseUrl: string, apiUrl: string | undefined): boolean {
  if (!URL.canParse(responseUrl)) return false;
  const url = new URL(responseUrl);
  if (url.protocol === 'https:' && SLACK_HOSTS.includes(url.host)) return true;
  return apiUrl !== undefined && url.origin === new URL(apiUrl).origin;
}

/** Says something to the person alone, where they asked: `thread` is the ts of its first message. Throws ResponseRefused. */
export async function respond(
  responseUrl: string,
  message: Message,
  options: { replace: boolean; thread?: string; apiUrl?: string | undefined; fetch?: typeof fetch },
): Promise<void> {
  if (!isSlacks(responseUrl, options.apiUrl)) throw new ResponseRefused('the response_url is not Slack’s');
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
