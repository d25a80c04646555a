import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BotSchema } from '../../store/schema.ts';
import { saveInstallState, useInstallState } from '../sql/install-states.ts';

/** How long a begun installation can be completed, ms. */
const STATE_MS = 10 * 60 * 1000;

const SECRET = /^[\w-]{43}$/;
/** Half of a state, in bytes. */
const HALF_BYTES = 16;

/** What a browser sends with Slack's redirect. */
interface RedirectRequest {
  state: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
}

/**
 * OAuth states. A state works once and is bound to a browser by a cookie, so that nobody can be led into completing
 * somebody else's installation. Half of a state is random; the other half is a MAC of the random half and the browser's
 * cookie. All instances derive its key from `clientSecret`. A forged state is therefore refused without a database
 * query.
 */
export function createInstallStates(
  db: Kysely<BotSchema>,
  { now, isHttps, clientSecret }: { now: () => Date; isHttps: boolean; clientSecret: string },
) {
  // The prefix `__Host-` guarantees that this host set the cookie over TLS.
  const name = isHttps ? '__Host-upnext-install' : 'upnext-install';
  const key = createHmac('sha256', clientSecret).update('install state').digest();
  const cookieOf = (header: string | undefined): string | undefined => {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value] = pairs.find(([each]) => each === name) ?? [];
    return value !== undefined && SECRET.test(value) ? value : undefined;
  };
  const stateFor = (browser: string, random: Buffer): Buffer => {
    const mac = createHmac('sha256', key).update(random).update(browser).digest();
    return Buffer.concat([random, mac.subarray(0, HALF_BYTES)]);
  };
  return {
    /**
     * Undefined if too many installations were begun from this address. A browser that already has a cookie keeps it,
     * so that two of its tabs can both complete an installation.
     */
    async begin(from: {
      cookies: string | undefined;
      address: string;
    }): Promise<{ state: string; setCookie: string } | undefined> {
      const browser = cookieOf(from.cookies) ?? randomBytes(32).toString('base64url');
      const state = stateFor(browser, randomBytes(HALF_BYTES)).toString('base64url');
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
    /** Whether this state was issued to this browser. The state may have been used or have expired since. */
    isIssued({ state, cookies }: RedirectRequest): boolean {
      const browser = cookieOf(cookies);
      if (browser === undefined || state === null || !SECRET.test(state)) return false;
      const given = Buffer.from(state, 'base64url');
      return timingSafeEqual(given, stateFor(browser, given.subarray(0, HALF_BYTES)));
    },
    /** Uses up the state. True once, for the browser that began the installation, before the state expires. */
    async use({ state, cookies }: RedirectRequest): Promise<boolean> {
      const browser = hash(cookieOf(cookies) ?? '');
      return useInstallState(db, { state: hash(state ?? ''), browser, now: now() });
    },
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
