import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateLimits } from '../../src/state/rate-limits.ts';
import { takesJson } from '../../src/web-api/method-rules.ts';
import { METHODS } from '../../src/web-api/methods.ts';
import { REFERENCE } from './reference.ts';
import { installElsewhere, startWorlds, type Worlds } from './worlds.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Requests that Slack refuses before it looks at the arguments (docs.slack.dev, the errors of every method). */
const REFUSED_BODIES: readonly [error: string, type: string | undefined, body: string][] = [
  ['missing_post_type', undefined, 'a=1'],
  ['invalid_post_type', 'text/html', 'a=1'],
  ['invalid_post_type', 'nonsense', 'a=1'],
  ['invalid_charset', `${FORM}; charset=utf-16`, 'a=1'],
  ['invalid_form_data', 'multipart/form-data; boundary=x', 'no parts'],
  ['invalid_array_arg', FORM, 'users[0]=1'],
  ['invalid_arg_name', FORM, 'no-name=1'],
];
const REFUSED_JSON: typeof REFUSED_BODIES = [
  ['invalid_json', JSON_TYPE, '{"a":'],
  ['json_not_object', JSON_TYPE, '[1]'],
  ['invalid_charset', 'application/json; charset=koi8-r', '{}'],
  ['invalid_array_arg', JSON_TYPE, '{"channel":["C02HARBOUR"]}'],
];

let worlds: Worlds;
beforeAll(async () => {
  worlds = await startWorlds();
});
afterAll(() => worlds.close());

describe.each([...METHODS])('%s', (method, entry) => {
  const reference = REFERENCE.get(method);
  /** Of another workspace, because some methods end it. */
  let spareToken: string;
  beforeAll(() => {
    spareToken = installElsewhere(worlds.usual, method);
  });
  const ask = async (token: string | undefined, type: string | undefined, body: string) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    // Bytes, because fetch adds a type to texts.
    const bytes = new TextEncoder().encode(body);
    const response = await fetch(`${worlds.usual.workspace.apiUrl}${method}`, {
      method: 'POST',
      headers,
      body: bytes,
    });
    return (await response.json()) as { ok: boolean; error?: string };
  };

  it('the method has the scopes, rate tier and content types of Slack’s reference', () => {
    const { scopes, tier } = entry;
    expect({
      scopes: scopes.toSorted(),
      tier: tier === 'posting' ? 'special' : tier,
      takesJson: takesJson(method),
    }).toEqual({ scopes: reference?.scopes, tier: reference?.tier ?? tier, takesJson: reference?.takesJson });
  });

  it('a malformed request is refused', async () => {
    const bodies = [...REFUSED_BODIES, ...(reference?.takesJson ? REFUSED_JSON : [])];
    for (const [error, type, body] of bodies) {
      expect([type, body, await ask(spareToken, type, body)]).toEqual([type, body, { ok: false, error }]);
    }
  });

  it('JSON is read only if the method takes it', async () => {
    const { error } = await ask(spareToken, JSON_TYPE, 'no JSON');
    if (reference?.takesJson) expect(error).toBe('invalid_json');
    else expect(error).not.toBe('invalid_json');
  });

  if (entry.token !== 'none')
    it('the method is refused with a token of the wrong kind', async () => {
      const { usual, oauth, revokedToken, uninstalledToken } = worlds;
      const errors: Record<string, string | undefined> = {
        not_authed: (await ask(undefined, FORM, 'a=1')).error,
      };
      const { appToken: wrongKind, botToken } = usual.workspace;
      const tokens = {
        invalid_auth: 'xoxb-nothing',
        token_revoked: revokedToken,
        account_inactive: uninstalledToken,
        ...(entry.token !== 'any' && {
          not_allowed_token_type: entry.token === 'app' ? botToken : wrongKind,
        }),
      };
      for (const [error, token] of Object.entries(tokens))
        errors[error] = (await ask(token, FORM, 'a=1')).error;
      errors.token_expired = String((await oauth.call(method, { token: oauth.expiredToken })).error);
      for (const [expected, error] of Object.entries(errors)) expect(error).toBe(expected);
    });

  if (entry.scopes.length > 0)
    it('the method is refused without its scopes', async () => {
      const refusal = {
        ok: false,
        error: 'missing_scope',
        needed: entry.scopes.join(','),
        provided: 'dnd:read',
      };
      expect(await worlds.bare.call(method)).toEqual(refusal);
    });

  if (reference?.arguments.some(({ isRequired }) => isRequired))
    it('the method is refused without a required argument', async () => {
      const { ok, error = '' } = await ask(spareToken, FORM, 'a=1');
      const documented = [...(reference?.errors ?? []), 'invalid_arguments', 'missing_argument'];
      expect([ok, documented.includes(error)]).toEqual([false, true]);
    });

  if (entry.tier !== 'posting')
    it('ratelimited: more calls in a minute than the tier allows', () => {
      const limits = new RateLimits(() => 0, false);
      const allowed = { 1: 1, 2: 20, 3: 50, 4: 100, special: 600 }[reference?.tier ?? 'special'];
      for (let count = 0; count < allowed; count += 1) limits.countCall(method, entry.tier, '');
      expect(() => limits.countCall(method, entry.tier, '')).toThrow('ratelimited');
    });
});

it('unknown_method: Slack has no such method', async () => {
  expect(await worlds.usual.call('nothing.here')).toMatchObject({ ok: false, error: 'unknown_method' });
});
