import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findGrantedScopes, hasAnyScope } from '../state/granted-scopes.ts';

/** Any one of these is enough; a manifest that lists no scopes is asked for none. */
export function demandScope(site: Site, needed: readonly string[]): void {
  if (hasAnyScope(site, needed)) return;
  const provided = (findGrantedScopes(site) ?? []).join(',');
  throw new Refusal('missing_scope', { needed: needed.join(','), provided });
}

/** `channels:history`, `groups:history` or `im:history`: each kind of conversation has a scope of its own. */
export function demandScopeIn(site: Site, channel: Channel, right: 'read' | 'history'): void {
  const kinds = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' };
  demandScope(site, [`${kinds[channel.kind]}:${right}`]);
}

/**
 * Changing a conversation also takes a scope of its kind. `narrow`: the right has a smaller scope of its own
 * (docs.slack.dev, "conversations.invite" and "conversations.setTopic").
 */
export function demandWriteIn(site: Site, kind: Channel['kind'], narrow?: 'invites' | 'topic'): void {
  const wide = {
    public: ['channels:manage', 'channels:write'],
    private: ['groups:write'],
    im: ['im:write'],
    mpim: ['mpim:write'],
  };
  const family = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' };
  demandScope(site, [...wide[kind], ...(narrow ? [`${family[kind]}:write.${narrow}`] : [])]);
}
