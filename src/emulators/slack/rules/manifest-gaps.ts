import { getRecord, getStrings, isRecord } from '../json.ts';
import { METHODS } from '../web-api/methods.ts';
import { EVENT_RULES } from './event-rules.ts';
import {
  KNOWN_EVENTS,
  KNOWN_SCOPES,
  OPAQUE_KEYS,
  SUPPORTED_KEYS,
  UNSUPPORTED_KEYS,
} from './known-manifest.ts';

/** An event, scope or key of a manifest that the workspace doesn't support. */
export interface ManifestGap {
  kind: 'event' | 'scope' | 'key';
  name: string;
  reason: 'unsupported' | 'unknown to Slack';
}

/** Supported scopes that no method and no event requires. */
const OTHER_SCOPES = ['chat:write.customize', 'chat:write.public', 'commands', 'users:read.email'];

function findGaps(
  kind: ManifestGap['kind'],
  names: readonly string[],
  supported: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ManifestGap[] {
  return names
    .filter((name) => !supported.has(name))
    .map((name) => ({ kind, name, reason: known.has(name) ? 'unsupported' : 'unknown to Slack' }));
}

/** Lists the keys in a value by path, such as `features.app_home`. Unsupported keys are listed without their contents. */
function listKeys(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => listKeys(entry, path));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = path === '' ? key : `${path}.${key}`;
    const isChecked = SUPPORTED_KEYS.has(name) && !OPAQUE_KEYS.has(name);
    return [name, ...(isChecked ? listKeys(inner, name) : [])];
  });
}

/** Lists the unsupported events, scopes and keys of a manifest. */
export function findManifestGaps(manifest: unknown): ManifestGap[] {
  const root = isRecord(manifest) ? manifest : {};
  const subscriptions = getRecord(getRecord(root, 'settings') ?? {}, 'event_subscriptions') ?? {};
  const scopes = getRecord(getRecord(root, 'oauth_config') ?? {}, 'scopes') ?? {};
  const supportedScopes = [
    ...[...METHODS.values()].flatMap((entry) => entry.scopes),
    ...Object.values(EVENT_RULES).flatMap((rule) => rule.scopes),
    ...OTHER_SCOPES,
  ];
  return [
    ...findGaps(
      'event',
      getStrings(subscriptions, 'bot_events'),
      new Set(Object.keys(EVENT_RULES)),
      KNOWN_EVENTS,
    ),
    ...findGaps('scope', getStrings(scopes, 'bot'), new Set(supportedScopes), KNOWN_SCOPES),
    ...findGaps('key', [...new Set(listKeys(root))], SUPPORTED_KEYS, UNSUPPORTED_KEYS),
  ];
}
