import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createCache } from '../cache/cache.ts';
import { MINUTE_MS } from '../durations.ts';

/** Maximum time between the beginning and the completion of an installation. */
const STATE_VALIDITY_MS = 10 * MINUTE_MS;

/** Maximum difference between the clocks of two instances. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** 32 bytes in base64url: the format of a state and of the cookie. */
const TOKEN_PATTERN = /^[\w-]{43}$/;
const TIME_BYTES = 6;
const RANDOM_BYTES = 10;
const MAC_BYTES = 16;

interface RedirectRequest {
  state: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
}

/**
 * Creates and checks the `state` parameters of OAuth. A state works for ten minutes, and only in the browser that has its
 * cookie. Otherwise an attacker could send somebody a link that completes the attacker's installation. A state consists of
 * its time, random bytes, and a MAC of both and the cookie. All instances derive the key of the MAC from `clientSecret`.
 *
 * Nothing is stored, because Slack accepts the code beside a state only once. Each instance remembers the states that were
 * used since its start, so that reloading the page doesn't call Slack again. With several instances, or after a restart,
 * a state may lead to one call by each, from the browser that it was issued to.
 */
export function createInstallStates({
  now,
  isHttps,
  clientSecret,
}: {
  now: () => Date;
  isHttps: boolean;
  clientSecret: string;
}) {
  // The prefix `__Host-` guarantees that this host set the cookie over TLS.
  const cookieName = isHttps ? '__Host-upnext-install' : 'upnext-install';
  const key = createHmac('sha256', clientSecret).update('dated install state').digest();
  const maxAgeMs = STATE_VALIDITY_MS + CLOCK_TOLERANCE_MS;
  /** By the state's bytes, because base64url has four spellings of them. */
  const used = createCache<object>({ maxAgeMs, now: () => now().getTime() });
  const parseCookie = (header: string | undefined): string | undefined => {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value] = pairs.find(([name]) => name === cookieName) ?? [];
    return value !== undefined && TOKEN_PATTERN.test(value) ? value : undefined;
  };
  const sign = (browserToken: string, content: Buffer): Buffer => {
    const mac = createHmac('sha256', key).update(content).update(browserToken).digest();
    return Buffer.concat([content, mac.subarray(0, MAC_BYTES)]);
  };
  return {
    /** A browser that already has the cookie keeps it, so that two of its tabs can both complete an installation. */
    issue(cookies: string | undefined): { state: string; setCookie: string } {
      const browserToken = parseCookie(cookies) ?? randomBytes(32).toString('base64url');
      const time = Buffer.alloc(TIME_BYTES);
      time.writeUIntBE(now().getTime(), 0, TIME_BYTES);
      const state = sign(browserToken, Buffer.concat([time, randomBytes(RANDOM_BYTES)])).toString(
        'base64url',
      );
      const maxAgeSeconds = STATE_VALIDITY_MS / 1000;
      const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
      return { state, setCookie: `${cookieName}=${browserToken}; ${flags}` };
    },
    /** Uses a state. Returns whether it was issued to this browser less than ten minutes ago, and is new to this instance. */
    use({ state, cookies }: RedirectRequest): boolean {
      const browserToken = parseCookie(cookies);
      if (browserToken === undefined || state === null || !TOKEN_PATTERN.test(state)) return false;
      const received = Buffer.from(state, 'base64url');
      const isIssued = timingSafeEqual(received, sign(browserToken, received.subarray(0, -MAC_BYTES)));
      const ageMs = now().getTime() - received.readUIntBE(0, TIME_BYTES);
      const isFresh = ageMs < STATE_VALIDITY_MS && ageMs >= -CLOCK_TOLERANCE_MS;
      const canonicalState = received.toString('base64url');
      const isValid = isIssued && isFresh && !used.has(canonicalState);
      if (isValid) used.set(canonicalState, {});
      return isValid;
    },
  };
}
