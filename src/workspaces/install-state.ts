import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { MINUTE_MS } from '../durations.ts';
import type { WorkspaceTables } from './tables.ts';

/** Maximum time between the beginning and the completion of an installation. */
const STATE_VALIDITY_MS = 10 * MINUTE_MS;

/** 32 bytes in base64url: the format of a state and of the cookie. */
const TOKEN_PATTERN = /^[\w-]{43}$/;
const STATE_HALF_BYTES = 16;

interface RedirectRequest {
  state: string | null;
  /** The `Cookie` header. */
  cookies: string | undefined;
}

/**
 * Creates and checks the `state` parameters of OAuth. A state works once and only in the browser that has its cookie.
 * Otherwise an attacker could send somebody a link that completes the attacker's installation. Half of a state is random,
 * and half is a MAC of that half and the cookie, so a forged state is refused without a database query. All instances
 * derive the key of the MAC from `clientSecret`.
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

/** Maximum number of installations in progress. It is rarely reached: one takes only a minute or two. */
const MAX_STATES = 5_000;
/** Maximum for one address: as many installations as the address may begin in a minute (`MAX_VISITS`). */
const MAX_STATES_PER_ADDRESS = 120;

/**
 * Returns false if the address has too many states. If all addresses together have too many, the oldest states of the
 * addresses with the most states are deleted. An address with many states therefore never displaces one with a single
 * state. Also deletes expired states.
 */
export async function saveInstallState(
  db: Kysely<WorkspaceTables>,
  row: { state: string; browserToken: string; ipAddress: string; now: Date; expiresAt: Date },
): Promise<boolean> {
  // The texts are hashes, so that whoever can read the database can't complete an installation.
  const { state, browserToken, ipAddress, now, expiresAt } = row;
  await db.deleteFrom('install_state').where('expires_at', '<=', now).execute();
  const inserted = await sql`
    insert into install_state (state, browser_token, ip_address, expires_at)
    select ${state}, ${browserToken}, ${ipAddress}, ${expiresAt}::timestamptz
    where (select count(*) from install_state where ip_address = ${ipAddress}) < ${MAX_STATES_PER_ADDRESS}
    returning state`.execute(db);
  if (inserted.rows.length === 0) return false;
  await sql`
    delete from install_state where state in (
      select state from (
        select state, expires_at, row_number() over (partition by ip_address order by expires_at desc, state) as nth
        from install_state
      ) as ranked
      order by nth desc, expires_at, state
      limit (select greatest(0, count(*) - ${MAX_STATES}) from install_state)
    )`.execute(db);
  return true;
}

/** Deletes the state. Returns whether the state was issued to this browser and has not expired. */
export async function consumeInstallState(
  db: Kysely<WorkspaceTables>,
  { state, browserToken, now }: { state: string; browserToken: string; now: Date },
): Promise<boolean> {
  const row = await db
    .deleteFrom('install_state')
    .where('state', '=', state)
    .returning(['browser_token', 'expires_at'])
    .executeTakeFirst();
  return row !== undefined && row.browser_token === browserToken && row.expires_at > now;
}
