import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { saveInstallState, useInstallState } from '../../store/install-states.ts';
import type { BotSchema } from '../../store/schema.ts';

/** From the first page to the way back from Slack, ms. */
const STATE_MS = 10 * 60 * 1000;

const SECRET = /^[\w-]{43}$/;

/**
 * What ties the way back from Slack to the browser that went there: a state that works once, and a cookie. Whoever is
 * led to the end of somebody else's installation has the one and not the other.
 */
export function installStates(
  db: Kysely<BotSchema>,
  { now, isHttps }: { now: () => Date; isHttps: boolean },
) {
  // `__Host-`: no other host, and no page without TLS, can have set it.
  const name = isHttps ? '__Host-upnext-install' : 'upnext-install';
  const cookieOf = (header: string | undefined): string | undefined => {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value] = pairs.find(([key]) => key === name) ?? [];
    return value !== undefined && SECRET.test(value) ? value : undefined;
  };
  return {
    /** `cookies`: what the browser sent; it keeps what it has, so that two of its tabs can go on. */
    async begin(cookies: string | undefined): Promise<{ state: string; setCookie: string }> {
      const [state, browser] = [secret(), cookieOf(cookies) ?? secret()];
      const expiresAt = new Date(now().getTime() + STATE_MS);
      await saveInstallState(db, { state: hash(state), browser: hash(browser), expiresAt }, now());
      const flags = `Path=/; Max-Age=${STATE_MS / 1000}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
      return { state, setCookie: `${name}=${browser}; ${flags}` };
    },
    /** True once, for the browser that began, in time. */
    async isGood(state: string | null, cookies: string | undefined): Promise<boolean> {
      if (state === null || !SECRET.test(state)) return false;
      const browser = hash(cookieOf(cookies) ?? '');
      return useInstallState(db, { state: hash(state), browser, now: now() });
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
