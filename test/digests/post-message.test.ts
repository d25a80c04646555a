import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { sentOf } from '../../src/digests/post-message.ts';

const refusal = (error: string) => new WebAPIPlatformError({ ok: false, error });
const failed = (code: string) =>
  new WebAPIRequestError(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }));

describe('what an error of Slack’s says about a message', () => {
  test.each([
    ['is_archived', { kind: 'no-place', reason: 'archived' }],
    ['channel_not_found', { kind: 'no-place', reason: 'not-in-channel' }],
    ['not_in_channel', { kind: 'no-place', reason: 'not-in-channel' }],
    ['restricted_action', { kind: 'no-place', reason: 'restricted' }],
    ['token_revoked', { kind: 'no-access' }],
    ['account_inactive', { kind: 'inactive' }],
    ['invalid_auth', { kind: 'no-access' }],
    ['app_uninstalled', { kind: 'no-access' }],
    ['invalid_blocks', { kind: 'refused' }],
  ])('%s: it is certainly not there', (code, expected) => {
    expect(sentOf(refusal(code))).toMatchObject(expected);
  });

  test.each(['internal_error', 'fatal_error', 'service_unavailable', 'an_error_of_next_year', 'toString'])(
    '%s is on no list, so nobody knows',
    (code) => {
      expect(sentOf(refusal(code))).toEqual({ kind: 'unknown', cause: code });
    },
  );

  test('only a connection that there never was is certain', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])
      expect(sentOf(failed(code))).toEqual({ kind: 'not-reached' });
    for (const code of ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'])
      expect(sentOf(failed(code))).toMatchObject({ kind: 'unknown' });
    expect(sentOf(new WebAPIHTTPError(503, 'Service Unavailable', {}, ''))).toMatchObject({
      kind: 'unknown',
    });
    expect(sentOf('thrown')).toMatchObject({ kind: 'unknown' });
  });

  test('a pause is kept as Slack asks for it, but never for nothing and never for days', () => {
    const waitOf = (seconds: number) => sentOf(new WebAPIRateLimitedError(seconds));
    expect(waitOf(30)).toEqual({ kind: 'later', waitMs: 30_000 });
    expect(waitOf(-1)).toEqual({ kind: 'later', waitMs: 1_000 });
    expect(waitOf(1e9)).toEqual({ kind: 'later', waitMs: 3_600_000 });
    expect(waitOf(Number.NaN)).toEqual({ kind: 'later', waitMs: 60_000 });
  });
});
