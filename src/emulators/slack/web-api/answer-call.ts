import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannelByName } from '../state/directory.ts';
import { RateLimitError } from '../state/rate-limits.ts';
import type { Call } from './call.ts';
import { appOfToken, demandToken, siteOfCall } from './caller.ts';
import { demandScope } from './demand-scope.ts';
import { METHOD_RULES } from './method-rules.ts';
import { METHODS, type MethodEntry } from './methods.ts';

/** The conversation's id, however it was named: a person stands for the direct message with them. */
function placeOf(site: Site, named: string): string {
  const { botUserId } = site.state.app;
  const direct = ({ kind, members }: Channel) =>
    kind === 'im' && members.includes(named) && members.includes(botUserId);
  return (findChannelByName(site, named) ?? site.state.channels.find(direct))?.id ?? named;
}

interface CallAnswer {
  /** Always with `ok`. */
  body: Json;
  /** Seconds to wait; then the answer is HTTP 429. */
  retryAfter?: number;
}

/** The answer to one call, to any workspace of this practice Slack. `extra` are methods of a transport's own. */
export function answerCall(
  site: Site,
  extra: ReadonlyMap<string, MethodEntry>,
  asked: { method: string; token: string | undefined; args: Json },
): CallAnswer {
  try {
    const entry = METHODS.get(asked.method) ?? extra.get(asked.method);
    if (!entry) throw new Refusal('unknown_method', { req_method: asked.method });
    const grant = demandToken(site.slack, entry.token, asked.token, site.now());
    const at =
      (grant ? undefined : appOfToken(site.slack, asked.token ?? '')) ??
      siteOfCall(site.slack, grant, asked.method, asked.args);
    demandScope(at, entry.scopes);
    at.rateLimits?.countCall(asked.method, entry.tier, placeOf(at, String(asked.args.channel ?? '')));
    const call: Call = { site: at, method: asked.method, args: asked.args, ...(grant && { grant }) };
    for (const check of METHOD_RULES[asked.method]?.checks ?? []) check(call);
    return { body: { ok: true, ...entry.run(call) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = { ok: false, error: error.code, ...error.details };
    return error instanceof RateLimitError ? { body, retryAfter: error.retryAfter } : { body };
  }
}
