import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findGrantedScopes, hasAnyScope } from '../state/grants.ts';

/** Requires one of these scopes. An app whose manifest lists no scopes isn't checked. */
export function requireScope(site: Site, needed: readonly string[]): void {
  if (hasAnyScope(site, needed)) return;
  const provided = (findGrantedScopes(site) ?? []).join(',');
  throw new Refusal('missing_scope', { needed: needed.join(','), provided });
}

/** Each kind of conversation has its own scopes, such as `groups:history`. */
const SCOPE_FAMILIES = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' };

const WRITE_SCOPES = {
  public: ['channels:manage', 'channels:write'],
  private: ['groups:write'],
  im: ['im:write'],
  mpim: ['mpim:write'],
};

export function requireScopeIn(site: Site, channel: Channel, right: 'read' | 'history'): void {
  requireScope(site, [`${SCOPE_FAMILIES[channel.kind]}:${right}`]);
}

/**
 * Requires a scope to change a conversation of this kind. With `subScope`, the smaller scope is also enough, such as
 * `channels:write.topic` (docs.slack.dev/reference/methods/conversations.invite and conversations.setTopic).
 */
export function requireWriteIn(site: Site, kind: Channel['kind'], subScope?: 'invites' | 'topic'): void {
  const smaller = subScope ? [`${SCOPE_FAMILIES[kind]}:write.${subScope}`] : [];
  requireScope(site, [...WRITE_SCOPES[kind], ...smaller]);
}
