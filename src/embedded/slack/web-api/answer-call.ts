import { timingSafeEqual } from 'node:crypto';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { METHODS, type MethodEntry } from './methods.ts';

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function demandToken(site: Site, entry: MethodEntry, token: string | undefined): void {
  if (entry.token === 'none') return;
  if (token === undefined || token === '') throw new Refusal('not_authed');
  const kind = same(token, site.tokens.bot) ? 'bot' : same(token, site.tokens.app) ? 'app' : undefined;
  if (kind === undefined) throw new Refusal('invalid_auth');
  if (kind !== entry.token) throw new Refusal('not_allowed_token_type');
}

function demandScope(site: Site, entry: MethodEntry): void {
  const { scopes } = site.facts;
  if (!scopes || entry.scopes.length === 0 || entry.scopes.some((scope) => scopes.includes(scope))) return;
  throw new Refusal('missing_scope', { needed: entry.scopes.join(','), provided: scopes.join(',') });
}

/** The body of the answer to one call, always with `ok`. `extra` are methods of a transport's own. */
export function answerCall(
  site: Site,
  extra: ReadonlyMap<string, MethodEntry>,
  asked: { method: string; token: string | undefined; args: Json },
): Json {
  try {
    const entry = METHODS.get(asked.method) ?? extra.get(asked.method);
    if (!entry) throw new Refusal('unknown_method', { req_method: asked.method });
    demandToken(site, entry, asked.token);
    demandScope(site, entry);
    return { ok: true, ...entry.run({ site, args: asked.args }) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.code, ...error.details };
    throw error;
  }
}
