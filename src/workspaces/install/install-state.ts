import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { saveInstallState, useInstallState } from '../sql/install-states.ts';

/** From the first page to the way back from Slack, ms. */
const STATE_MS = 10 * 60 * 1000;

const SECRET = /^[\w-]{43}$/;
const HALF = 16;

/** What a browser brings back from Slack. */
interface Back {
  state: string | null;
  /** The header. */
  cookies: string | undefined;
}

/**
 * What ties the way back from Slack to the browser that went there: a state that works once, and a cookie. Whoever is
 * led to the end of somebody else's installation has the one and not the other. Half of a state is random, half says
 * whose it is, by a key that all instances make of `clientSecret`: what nobody was given never reaches the database.
 */
export function installStates(
  db: Kysely<BotSchema>,
  { now, isHttps, clientSecret }: { now: () => Date; isHttps: boolean; clientSecret: string },
) {
  // `__Host-`: no other host, and no page without TLS, can have set it.
  const name = isHttps ? '__Host-upnext-install' : 'upnext-install';
  const key = createHmac('sha256', clientSecret).update('install state').digest();
  const cookieOf = (header: string | undefined): string | undefined => {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value] = pairs.find(([each]) => each === name) ?? [];
    return value !== undefined && SECRET.test(value) ? value : undefined;
  };
  const stateFor = (browser: string, random: Buffer): Buffer => {
    const whose = createHmac('sha256', key).update(random).update(browser).digest();
    return Buffer.concat([random, whose.subarray(0, HALF)]);
  };
  return {
    /**
     * Undefined where too many were begun from this address. `cookies`: what the browser sent; it keeps what it has, so
     * that two of its tabs can go on.
     */
    async begin(from: {
      cookies: string | undefined;
      address: string;
    }): Promise<{ state: string; setCookie: string } | undefined> {
      const browser = cookieOf(from.cookies) ?? randomBytes(32).toString('base64url');
      const state = stateFor(browser, randomBytes(HALF)).toString('base64url');
      const isSaved = await saveInstallState(db, {
        state: hash(state),
        browser: hash(browser),
        address: hash(from.address),
        now: now(),
        expiresAt: new Date(now().getTime() + STATE_MS),
      });
      if (!isSaved) return undefined;
      const flags = `Path=/; Max-Age=${STATE_MS / 1000}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
      return { state, setCookie: `${name}=${browser}; ${flags}` };
    },
    /** Whether this browser was given this state; it may have been used since, or be too old. */
    isGiven({ state, cookies }: Back): boolean {
      const browser = cookieOf(cookies);
      if (browser === undefined || state === null || !SECRET.test(state)) return false;
      const given = Buffer.from(state, 'base64url');
      return timingSafeEqual(given, stateFor(browser, given.subarray(0, HALF)));
    },
    /** True once, for the browser that began, in time. */
    async use({ state, cookies }: Back): Promise<boolean> {
      const browser = hash(cookieOf(cookies) ?? '');
      return useInstallState(db, { state: hash(state ?? ''), browser, now: now() });
    },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
