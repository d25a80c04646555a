import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { BotSchema } from '../store/schema.ts';
import {
  claimTokenRefresh,
  firstInstallation,
  type InstallationRow,
  replaceTokens,
} from './sql/installations.ts';

/** Slack refuses the refresh token of an installation for good: the app must be installed again. */
export class RefreshRefused extends Error {
  override name = 'RefreshRefused';
}

/** Slack's tokens of one installation. `refresh` and `expiresAt` are set if the tokens rotate. */
export interface Tokens {
  bot: string;
  refresh?: string | undefined;
  expiresAt?: Date | undefined;
}

/** The next tokens of an installation and the ones that they replace, both encrypted. */
interface NextTokens {
  before: string;
  tokens: string;
  expiresAt: Date | null;
}

export interface RefreshOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  now: () => Date;
  /**
   * New tokens, by installation, that are not stored yet. They can't be requested again: a refresh token works once.
   */
  unsaved: Map<string, NextTokens>;
  /** Requests the next tokens from Slack. `refused`: Slack refuses the refresh token for good. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>;
}

/**
 * How long before its expiry a token is refreshed, as in Slack's own libraries. Slack's tokens live 12 hours, and the
 * previous one stays valid after a refresh (https://docs.slack.dev/authentication/using-token-rotation).
 */
const REFRESH_EARLY_MS = 2 * 60 * 60 * 1000;
/** The lease of the instance that refreshes a token. Longer than two calls to Slack (10 s each). */
const REFRESH_LEASE_MS = 25_000;
/** How often an instance checks whether another one has refreshed an expired token. */
const REFRESH_POLL_MS = 100;

const storedTokens = z.object({ bot: z.string(), refresh: z.string().optional() });

export function encryptTokens(encryption: Encryption, id: string, { bot, refresh }: Tokens): string {
  return encryption.seal(JSON.stringify({ bot, refresh }), id);
}

/** Throws DecryptionError. */
export function decryptTokens(
  encryption: Encryption,
  { id, tokens }: InstallationRow,
): z.infer<typeof storedTokens> {
  return storedTokens.parse(JSON.parse(encryption.open(tokens, id)));
}

/**
 * The installation with a valid token. Of all callers in all instances one at a time refreshes a token. The others use
 * the old token while it is valid, and wait after that. If the old token has expired, it throws RefreshRefused or the
 * error of the failed refresh.
 */
export async function withFreshToken(
  options: RefreshOptions,
  row: InstallationRow,
): Promise<InstallationRow> {
  const { db, now } = options;
  for (let current: InstallationRow | undefined = row; current; ) {
    const validMs = remainingMs(current, now());
    if (validMs > REFRESH_EARLY_MS) return current;
    const until = new Date(now().getTime() + REFRESH_LEASE_MS);
    if (await claimTokenRefresh(db, { id: row.id, at: now(), until }))
      return replaceExpiringTokens(options, current);
    if (validMs > 0) return current;
    await delay(REFRESH_POLL_MS);
    current = await firstInstallation(db, [row.id]);
  }
  throw new Error('the installation was removed while its token was being refreshed');
}

function remainingMs({ expires_at: end }: InstallationRow, at: Date): number {
  return end === null ? Number.POSITIVE_INFINITY : end.getTime() - at.getTime();
}

async function replaceExpiringTokens(
  options: RefreshOptions,
  seen: InstallationRow,
): Promise<InstallationRow> {
  const { db, now, unsaved } = options;
  // Read again: another instance may have refreshed the token before this one got the lease.
  const row = (await firstInstallation(db, [seen.id])) ?? seen;
  const { id, tokens: before } = row;
  try {
    const known = unsaved.get(id);
    const next = known?.before === before ? known : await fetchNextTokens(options, row);
    if (next) unsaved.set(id, next);
    const { tokens, expiresAt } = next ?? { tokens: before, expiresAt: row.expires_at };
    await replaceTokens(db, { id, before, tokens, expiresAt });
    unsaved.delete(id);
    return { ...row, tokens, expires_at: expiresAt };
  } catch (error) {
    await replaceTokens(db, { id, before, tokens: before, expiresAt: row.expires_at });
    if (remainingMs(row, now()) > 0) return row;
    throw error;
  }
}

/**
 * Undefined if another instance has refreshed the token just now. Throws RefreshRefused, or the error of the request.
 */
async function fetchNextTokens(
  options: RefreshOptions,
  row: InstallationRow,
): Promise<NextTokens | undefined> {
  const { encryption, now } = options;
  const { refresh } = decryptTokens(encryption, row);
  if (refresh === undefined || remainingMs(row, now()) > REFRESH_EARLY_MS) return undefined;
  const next = await options.refresh(refresh);
  if (next === 'refused') throw new RefreshRefused('Slack refuses the refresh token');
  const tokens = encryptTokens(encryption, row.id, next);
  return { before: row.tokens, tokens, expiresAt: next.expiresAt ?? null };
}
