import { isRecord, recordIn, stringsIn } from '../json.ts';
import { EVENT_RULES } from '../rules/event-rules.ts';
import { METHODS } from '../web-api/methods.ts';
import { KEYS_HERE, KEYS_MISSING, KNOWN_EVENTS, KNOWN_SCOPES, OPAQUE_KEYS } from './known-manifest.ts';

/** Something in a manifest that Slack has and this workspace doesn't, or that Slack doesn't know either. */
export interface ManifestGap {
  kind: 'event' | 'scope' | 'key';
  name: string;
  reason: 'missing here' | 'unknown to Slack';
}

/** Scopes that no method and no event asks for, but that have an effect. */
const OTHER_SCOPES = ['chat:write.customize', 'chat:write.public', 'commands', 'users:read.email'];

function namedGaps(
  kind: ManifestGap['kind'],
  names: readonly string[],
  here: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ManifestGap[] {
  return names
    .filter((name) => !here.has(name))
    .map((name) => ({ kind, name, reason: known.has(name) ? 'missing here' : 'unknown to Slack' }));
}

/** Every key below a value, with dots: `features.app_home`. Nothing is looked for below a key that isn't here. */
function keysBelow(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => keysBelow(entry, path));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const goesOn = KEYS_HERE.has(name) && !OPAQUE_KEYS.has(name);
    return [name, ...(goesOn ? keysBelow(inner, name) : [])];
  });
}

export function manifestGaps(manifest: unknown): ManifestGap[] {
  const root = isRecord(manifest) ? manifest : {};
  const subscriptions = recordIn(recordIn(root, 'settings') ?? {}, 'event_subscriptions') ?? {};
  const scopes = recordIn(recordIn(root, 'oauth_config') ?? {}, 'scopes') ?? {};
  const scopesHere = [
    ...[...METHODS.values()].flatMap((entry) => entry.scopes),
    ...Object.values(EVENT_RULES).flatMap((rule) => rule.scopes),
    ...OTHER_SCOPES,
  ];
  return [
    ...namedGaps(
      'event',
      stringsIn(subscriptions, 'bot_events'),
      new Set(Object.keys(EVENT_RULES)),
      KNOWN_EVENTS,
    ),
    ...namedGaps('scope', stringsIn(scopes, 'bot'), new Set(scopesHere), KNOWN_SCOPES),
    ...namedGaps('key', [...new Set(keysBelow(root))], KEYS_HERE, KEYS_MISSING),
  ];
}
