import { readLocalTime } from '../../durations.ts';
import { TextResponse } from '../../text-response.ts';
import type { SendToSlack } from './transport.ts';

/**
 * What becomes of calls of Slack's Web API. `refused-token`: the token was revoked or is wrong. `refused`: any other error that
 * Slack names. `failed`: no answer, or one that isn't Slack's.
 */
export const SLACK_OUTCOMES = ['done', 'refused-token', 'rate-limited', 'refused', 'failed'] as const;
type SlackOutcome = (typeof SLACK_OUTCOMES)[number];

export interface SlackAnswer {
  outcome: SlackOutcome;
  /** Slack's code of the error, if it has named one. */
  code?: string | undefined;
  /** How far this machine's clock is ahead of Slack's, ms. Undefined if Slack hasn't said the time. */
  aheadMs?: number | undefined;
  usesToken(token: string): boolean;
}

/** Errors of every method that last until somebody replaces the token: https://docs.slack.dev/reference/methods/auth.test#errors */
const TOKEN_ERRORS: readonly (string | undefined)[] = [
  'account_inactive',
  'invalid_auth',
  'not_authed',
  'token_expired',
  'token_revoked',
];

/** Reports what Slack answers to each call. */
export function watchAnswers(sendCall: SendToSlack, onAnswer: (answer: SlackAnswer) => void): SendToSlack {
  return async (url, init) => {
    const usesToken = (token: string) =>
      new Headers(init?.headers).get('authorization') === `Bearer ${token}`;
    const startedAt = readLocalTime();
    const response = await sendCall(url, init).catch((error: unknown) => {
      onAnswer({ outcome: 'failed', usesToken });
      throw error;
    });
    const endedAt = readLocalTime();
    // A TextResponse can be read again.
    const text = await (response instanceof TextResponse ? response : response.clone()).text();
    onAnswer({
      ...classify(response.status, text),
      aheadMs: computeAheadMs(response.headers.get('date'), startedAt, endedAt),
      usesToken,
    });
    return response;
  };
}

/** The fields of the answer itself: in texts within it, quotes are escaped. */
const OK = /[{,]\s*"ok":\s*(true|false)/;
const ERROR = /[{,]\s*"error":\s*"(\w{1,64})"/;

function classify(status: number, text: string): Pick<SlackAnswer, 'outcome' | 'code'> {
  if (status === 429) return { outcome: 'rate-limited' };
  const [, ok] = OK.exec(text) ?? [];
  if (ok === 'true') return { outcome: 'done' };
  if (ok === undefined) return { outcome: 'failed' };
  const [, code] = ERROR.exec(text) ?? [];
  if (code === 'ratelimited') return { outcome: 'rate-limited', code };
  return { outcome: TOKEN_ERRORS.includes(code) ? 'refused-token' : 'refused', code };
}

/** A slower answer says little about the time. */
const MAX_ROUND_TRIP_MS = 2_000;

/** The header has whole seconds (RFC 9110, 6.6.1), so the result is half a second off at most, and half of the round trip. */
function computeAheadMs(date: string | null, startedAt: number, endedAt: number): number | undefined {
  const slackTime = date === null ? Number.NaN : Date.parse(date) + 500;
  const isGood = endedAt >= startedAt && endedAt - startedAt < MAX_ROUND_TRIP_MS;
  return Number.isNaN(slackTime) || !isGood ? undefined : (startedAt + endedAt) / 2 - slackTime;
}
