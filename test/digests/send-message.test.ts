import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { classifySendError } from '../../src/digests/send-message.ts';

const createPlatformError = (error: string) => new WebAPIPlatformError({ ok: false, error });
const createRequestError = (code: string) =>
  new WebAPIRequestError(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));

// What Slack refuses for good, `outages-and-refusals.test.ts` shows.
describe('errors of chat.postMessage', () => {
  test.each(['internal_error', 'fatal_error', 'service_unavailable', 'an_error_of_next_year', 'toString'])(
    'after the unlisted error %s, the outcome is unknown',
    (code) => {
      expect(classifySendError(createPlatformError(code))).toEqual({ kind: 'unknown', cause: code });
    },
  );

  test('without a connection nothing was sent, but after any other network error the outcome is unknown', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
      expect(classifySendError(createRequestError(code))).toEqual({ kind: 'not-reached' });
    for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])
      expect(classifySendError(createRequestError(code))).toMatchObject({ kind: 'unknown' });
    expect(classifySendError(new WebAPIHTTPError(503, 'Service Unavailable', {}, ''))).toMatchObject({
      kind: 'unknown',
    });
    expect(classifySendError('thrown')).toMatchObject({ kind: 'unknown' });
  });

  test('the wait after a rate limit is as long as Slack asks, at least a second and at most an hour', () => {
    const classify = (seconds: number) => classifySendError(new WebAPIRateLimitedError(seconds));
    expect(classify(30)).toEqual({ kind: 'rate-limited', waitMs: 30_000 });
    expect(classify(-1)).toEqual({ kind: 'rate-limited', waitMs: 1_000 });
    expect(classify(1e9)).toEqual({ kind: 'rate-limited', waitMs: 3_600_000 });
    expect(classify(Number.NaN)).toEqual({ kind: 'rate-limited', waitMs: 60_000 });
  });
});
