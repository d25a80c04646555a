import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import { consumeInstallState, saveInstallState } from '../sql/install-states.ts';
import type { WorkspaceTables } from '../tables.ts';

/** Maximum time between the beginning and the completion of an installation. */
const STATE_VALIDITY_MS = 10 * 60 * 1000;

/** 32 bytes in base64url: the format of a state and of the cookie. */
const TOKEN_PATTERN = /^[\w-]{43}$/;
/** Length of each half of a state. */
const STATE_HALF_BYTES = 16;

/** The parts of Slack's redirect that identify the installation. */
interface RedirectRequest {
  state: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
}

/**
 * OAuth states. A state works once and is bound to a browser by a cookie, so that nobody can be tricked into completing
 * another person's installation. Half of a state is random. The other half is a MAC of the random half and the
 * browser's cookie. All instances derive the key of the MAC from `clientSecret`. A forged state is therefore refused
 * without a database query.
 */
export function createInstallStates(
  db: Kysely<WorkspaceTables>,
  { now, isHttps, clientSecret }: { now: () => Date; isHttps: boolean; clientSecret: string },
) {
  // The prefix `__Host-` guarantees that this host set the cookie over TLS.
  const cookieName = isHttps ? '__Host-upnext-install' : 'upnext-install';
  const key = createHmac('sha256', clientSecret).update('install state').digest();
  const parseCookie = (header: string | undefined): string | undefined => {
    const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
    const [, value] = pairs.find(([name]) => name === cookieName) ?? [];
    return value !== undefined && TOKEN_PATTERN.test(value) ? value : undefined;
  };
  const createState = (browserToken: string, randomHalf: Buffer): Buffer => {
    const mac = createHmac('sha256', key).update(randomHalf).update(browserToken).digest();
    return Buffer.concat([randomHalf, mac.subarray(0, STATE_HALF_BYTES)]);
  };
  return {
    /**
     * Issues a state. Returns undefined if too many installations were begun from this IP address. A browser that
     * already has the cookie keeps it, so that two tabs of the browser can both complete an installation.
     */
    async issue(visit: {
      cookies: string | undefined;
      ipAddress: string;
    }): Promise<{ state: string; setCookie: string } | undefined> {
      const browserToken = parseCookie(visit.cookies) ?? randomBytes(32).toString('base64url');
      const state = createState(browserToken, randomBytes(STATE_HALF_BYTES)).toString('base64url');
      const isSaved = await saveInstallState(db, {
        state: hashText(state),
        browserToken: hashText(browserToken),
        ipAddress: hashText(visit.ipAddress),
        now: now(),
        expiresAt: new Date(now().getTime() + STATE_VALIDITY_MS),
      });
      if (!isSaved) return undefined;
      const maxAgeSeconds = STATE_VALIDITY_MS / 1000;
      const flags = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
      return { state, setCookie: `${cookieName}=${browserToken}; ${flags}` };
    },
    /** Whether this state was issued to this browser. The state may already be used or expired. */
    isIssued({ state, cookies }: RedirectRequest): boolean {
      const browserToken = parseCookie(cookies);
      if (browserToken === undefined || state === null || !TOKEN_PATTERN.test(state)) return false;
      const received = Buffer.from(state, 'base64url');
      return timingSafeEqual(received, createState(browserToken, received.subarray(0, STATE_HALF_BYTES)));
    },
    /** Deletes the state. Returns whether the state was issued to this browser, was unused and has not expired. */
    async consume({ state, cookies }: RedirectRequest): Promise<boolean> {
      const browserToken = hashText(parseCookie(cookies) ?? '');
      return consumeInstallState(db, { state: hashText(state ?? ''), browserToken, now: now() });
    },
  };
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
