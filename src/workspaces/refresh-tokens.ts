import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import { HOUR_MS } from '../durations.ts';
import {
  claimTokenRefresh,
  findInstallation,
  type InstallationRow,
  replaceTokens,
} from './sql/installations.ts';
import type { WorkspaceTables } from './tables.ts';

/** Slack permanently refuses the refresh token of an installation. The app must be installed again. */
export class RefreshRefused extends Error {
  override name = 'RefreshRefused';
}

/** Slack's tokens of one installation. `refresh` and `expiresAt` are set if the tokens rotate. */
export interface Tokens {
  bot: string;
  refresh?: string | undefined;
  expiresAt?: Date | undefined;
}

/** New tokens of an installation, and the old tokens that they replace. Both are encrypted. */
interface NewTokens {
  oldTokens: string;
  tokens: string;
  expiresAt: Date | null;
}

export interface RefreshOptions {
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  now: () => Date;
  /** New tokens that aren't stored yet, by installation. They mustn't be lost: a refresh token works only once. */
  unsavedTokens: Map<string, NewTokens>;
  /** Requests new tokens from Slack. `refused`: Slack permanently refuses the refresh token. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>;
}

/**
 * How long before its expiry a token is refreshed, as in Slack's own libraries. Slack's tokens are valid for 12 hours,
 * and the old token stays valid after a refresh (https://docs.slack.dev/authentication/using-token-rotation).
 */
const REFRESH_EARLY_MS = 2 * HOUR_MS;
/** Duration of the lease for a refresh. It is longer than two calls to Slack (10 s each). */
const REFRESH_LEASE_MS = 25_000;
/** How often an instance checks whether another instance has refreshed an expired token. */
const REFRESH_POLL_MS = 100;

/** The encrypted JSON. */
const storedTokens = z.object({ bot: z.string(), refresh: z.string().optional() });

export function encryptTokens(encryption: Encryption, id: string, { bot, refresh }: Tokens): string {
  return encryption.encrypt(JSON.stringify({ bot, refresh }), id);
}

/** Throws DecryptionError. */
export function decryptTokens(
  encryption: Encryption,
  { id, tokens }: InstallationRow,
): z.infer<typeof storedTokens> {
  return storedTokens.parse(JSON.parse(encryption.decrypt(tokens, id)));
}

/**
 * Returns the installation with a valid token. Of all callers in all instances, only one refreshes the token. The
 * others use the old token while it is valid, and wait once it has expired. Throws RefreshRefused, or the error of the
 * request, if the old token has expired and the refresh fails.
 */
export async function refreshTokenIfNeeded(
  options: RefreshOptions,
  row: InstallationRow,
): Promise<InstallationRow> {
  const { db, now } = options;
  for (let current: InstallationRow | undefined = row; current; ) {
    const remainingMs = computeRemainingMs(current, now());
    if (remainingMs > REFRESH_EARLY_MS) return current;
    const leaseUntil = new Date(now().getTime() + REFRESH_LEASE_MS);
    if (await claimTokenRefresh(db, { id: row.id, now: now(), leaseUntil }))
      return replaceExpiringTokens(options, current);
    if (remainingMs > 0) return current;
    await delay(REFRESH_POLL_MS);
    current = await findInstallation(db, [row.id]);
  }
  throw new Error('the installation was removed while its token was being refreshed');
}

/** How long the token is still valid. Infinity for a token that doesn't expire. */
function computeRemainingMs({ expires_at: expiresAt }: InstallationRow, now: Date): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt.getTime() - now.getTime();
}

/** Refreshes the token and releases the lease. The caller must have claimed the lease. */
async function replaceExpiringTokens(
  options: RefreshOptions,
  cachedRow: InstallationRow,
): Promise<InstallationRow> {
  const { db, now, unsavedTokens } = options;
  // Read the row again, because another instance may have refreshed the token before this instance got the lease.
  const row = (await findInstallation(db, [cachedRow.id])) ?? cachedRow;
  const { id, tokens: oldTokens } = row;
  try {
    const pendingTokens = unsavedTokens.get(id);
    const newTokens =
      pendingTokens?.oldTokens === oldTokens ? pendingTokens : await fetchNewTokens(options, row);
    if (newTokens) unsavedTokens.set(id, newTokens);
    const { tokens, expiresAt } = newTokens ?? { tokens: oldTokens, expiresAt: row.expires_at };
    await replaceTokens(db, { id, oldTokens, tokens, expiresAt });
    unsavedTokens.delete(id);
    return { ...row, tokens, expires_at: expiresAt };
  } catch (error) {
    // Release the lease without changing the tokens.
    await replaceTokens(db, { id, oldTokens, tokens: oldTokens, expiresAt: row.expires_at });
    if (computeRemainingMs(row, now()) > 0) return row;
    throw error;
  }
}

/** Requests new tokens. Undefined if another instance has refreshed the token. Throws RefreshRefused, or the error. */
async function fetchNewTokens(options: RefreshOptions, row: InstallationRow): Promise<NewTokens | undefined> {
  const { encryption, now } = options;
  const { refresh } = decryptTokens(encryption, row);
  if (refresh === undefined || computeRemainingMs(row, now()) > REFRESH_EARLY_MS) return undefined;
  const response = await options.refresh(refresh);
  if (response === 'refused') throw new RefreshRefused('Slack refuses the refresh token');
  const tokens = encryptTokens(encryption, row.id, response);
  return { oldTokens: row.tokens, tokens, expiresAt: response.expiresAt ?? null };
}
