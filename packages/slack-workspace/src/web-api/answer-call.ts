import type { Json } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannelByName } from '../state/directory.ts';
import { RateLimitError } from '../state/rate-limits.ts';
import type { Call } from './call.ts';
import { findAppOfToken, findSiteOfCall, requireToken } from './caller.ts';
import { METHOD_RULES } from './method-rules.ts';
import { METHODS } from './methods.ts';
import { requireScope } from './require-scope.ts';

/** Finds the id of the channel that a call names by id or name, or by the person in a direct message with the app. */
function findChannelId(site: Site, name: string): string {
  const { botUserId } = site.state.app;
  const isDirectMessage = ({ kind, members }: Channel) =>
    kind === 'im' && members.includes(name) && members.includes(botUserId);
  return (findChannelByName(site, name) ?? site.state.channels.find(isDirectMessage))?.id ?? name;
}

interface CallAnswer {
  /** With `ok` and, if it is false, `error`. */
  body: Json;
  /** Seconds. The status is 429 then. */
  retryAfter?: number;
}

/** Answers a call after checking its token, scopes, rate limit and arguments. `site` is any workspace. */
export function answerCall(
  { slack, now }: Site,
  { method, token, args }: { method: string; token: string | undefined; args: Json },
): CallAnswer {
  try {
    const entry = METHODS.get(method);
    if (!entry) throw new Refusal('unknown_method', { req_method: method });
    const grant = requireToken(slack, entry.token, token, now());
    const site =
      (grant ? undefined : findAppOfToken(slack, token ?? '')) ?? findSiteOfCall(slack, grant, method, args);
    requireScope(site, entry.scopes);
    site.rateLimits?.countCall(method, entry.tier, findChannelId(site, String(args.channel ?? '')));
    const call: Call = { site, method, args, ...(grant && { grant }) };
    for (const check of METHOD_RULES[method]?.checks ?? []) check(call);
    return { body: { ok: true, ...entry.run(call) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = { ok: false, error: error.code, ...error.details };
    return error instanceof RateLimitError ? { body, retryAfter: error.retryAfter } : { body };
  }
}
