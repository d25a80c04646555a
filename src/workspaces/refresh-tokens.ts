import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Encryption } from '../access/access.ts';
import type { BotSchema } from '../store/schema.ts';
import { type InstallationRow, installationOf, keepTokens, takeRefreshing } from './sql/installations.ts';

/** Slack takes the refresh token of an installation no more: only installing the app again helps. */
export class RefreshRefused extends Error {
  override name = 'RefreshRefused';
}

/** Slack's tokens of one installation; `refresh` and `expiresAt` where they rotate. */
export interface Tokens {
  bot: string;
  refresh?: string | undefined;
  expiresAt?: Date | undefined;
}

/** The next tokens of an installation, sealed, and the ones that they replace. */
interface NextTokens {
  before: string;
  tokens: string;
  expiresAt: Date | null;
}

export interface RefreshOptions {
  db: Kysely<BotSchema>;
  encryption: Encryption;
  now: () => Date;
  /** By installation: what Slack has given and the database has not taken yet. A refresh token works once. */
  unsaved: Map<string, NextTokens>;
  /** Asks Slack for the next tokens, once: a refresh token works once. `refused`: Slack takes it no more. */
  refresh(refreshToken: string): Promise<Tokens | 'refused'>;
}

/**
 * Slack's tokens live 12 hours, and the one before the newest goes on working
 * (https://docs.slack.dev/authentication/using-token-rotation): the next is asked for so long before, as Slack's own
 * libraries do.
 */
const EARLY_MS = 2 * 60 * 60 * 1000;
/** Longer than two calls to Slack (10 s each): whoever asks for the next token and is gone by then holds up nobody. */
const ASKING_MS = 25_000;
const LOOK_MS = 100;

const kept = z.object({ bot: z.string(), refresh: z.string().optional() });

export function sealTokens(encryption: Encryption, id: string, { bot, refresh }: Tokens): string {
  return encryption.seal(JSON.stringify({ bot, refresh }), id);
}

/** Throws CannotOpen. */
export function openTokens(encryption: Encryption, { id, tokens }: InstallationRow): z.infer<typeof kept> {
  return kept.parse(JSON.parse(encryption.open(tokens, id)));
}

/**
 * The installation with a token that is good for a while. However many need the next one at once, in whichever
 * instance, one asks for it: the others take the old one as long as it is good, and wait otherwise. Where the old one is
 * good no more it throws RefreshRefused, or why there is no next one yet.
 */
export async function refreshed(options: RefreshOptions, row: InstallationRow): Promise<InstallationRow> {
  const { db, now } = options;
  for (let current: InstallationRow | undefined = row; current; ) {
    const leftMs = left(current, now());
    if (leftMs > EARLY_MS) return current;
    const until = new Date(now().getTime() + ASKING_MS);
    if (await takeRefreshing(db, { id: row.id, at: now(), until })) return askForNext(options, current);
    if (leftMs > 0) return current;
    await delay(LOOK_MS);
    current = await installationOf(db, [row.id]);
  }
  throw new Error('the installation was removed while its next token was waited for');
}

function left({ expires_at: end }: InstallationRow, at: Date): number {
  return end === null ? Number.POSITIVE_INFINITY : end.getTime() - at.getTime();
}

async function askForNext(options: RefreshOptions, seen: InstallationRow): Promise<InstallationRow> {
  const { db, now, unsaved } = options;
  // Somebody else may have had the next one between our look and our turn, and a refresh token works once.
  const row = (await installationOf(db, [seen.id])) ?? seen;
  const { id, tokens: before } = row;
  try {
    const known = unsaved.get(id);
    const next = known?.before === before ? known : await nextTokens(options, row);
    if (next) unsaved.set(id, next);
    const { tokens, expiresAt } = next ?? { tokens: before, expiresAt: row.expires_at };
    await keepTokens(db, { id, before, tokens, expiresAt });
    unsaved.delete(id);
    return { ...row, tokens, expires_at: expiresAt };
  } catch (error) {
    await keepTokens(db, { id, before, tokens: before, expiresAt: row.expires_at });
    if (left(row, now()) > 0) return row;
    throw error;
  }
}

/** Undefined where somebody else has had them just now. Throws RefreshRefused, or why there are none yet. */
async function nextTokens(options: RefreshOptions, row: InstallationRow): Promise<NextTokens | undefined> {
  const { encryption, now } = options;
  const { refresh } = openTokens(encryption, row);
  if (refresh === undefined || left(row, now()) > EARLY_MS) return undefined;
  const next = await options.refresh(refresh);
  if (next === 'refused') throw new RefreshRefused('Slack refuses the refresh token');
  const tokens = sealTokens(encryption, row.id, next);
  return { before: row.tokens, tokens, expiresAt: next.expiresAt ?? null };
}
