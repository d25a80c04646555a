import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { channelByName } from '../state/directory.ts';
import { RateLimited } from '../state/limits.ts';
import { demandScope } from './demand-scope.ts';
import { METHODS, type MethodEntry } from './methods.ts';
import { sameSecret } from './same-secret.ts';

function demandToken(site: Site, entry: MethodEntry, token: string | undefined): void {
  if (entry.token === 'none') return;
  if (token === undefined || token === '') throw new Refusal('not_authed');
  const kind = sameSecret(token, site.tokens.bot)
    ? 'bot'
    : sameSecret(token, site.tokens.app)
      ? 'app'
      : undefined;
  if (kind === undefined) throw new Refusal('invalid_auth');
  if (kind === 'bot' && site.state.app.ended) throw new Refusal(site.state.app.ended);
  if (kind !== entry.token) throw new Refusal('not_allowed_token_type');
}

interface CallAnswer {
  /** Always with `ok`. */
  body: Json;
  /** Seconds to wait; then the answer is HTTP 429. */
  retryAfter?: number;
}

/** The answer to one call. `extra` are methods of a transport's own. */
export function answerCall(
  site: Site,
  extra: ReadonlyMap<string, MethodEntry>,
  asked: { method: string; token: string | undefined; args: Json },
): CallAnswer {
  try {
    const entry = METHODS.get(asked.method) ?? extra.get(asked.method);
    if (!entry) throw new Refusal('unknown_method', { req_method: asked.method });
    demandToken(site, entry, asked.token);
    demandScope(site, entry.scopes);
    const channel = String(asked.args.channel ?? '');
    site.limits?.demand(asked.method, entry.tier, channelByName(site, channel)?.id ?? channel);
    return { body: { ok: true, ...entry.run({ site, args: asked.args }) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = { ok: false, error: error.code, ...error.details };
    return error instanceof RateLimited ? { body, retryAfter: error.retryAfter } : { body };
  }
}
