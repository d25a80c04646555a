import type { ZoneScope } from '../../preferences/zones.ts';
import { isZone, MAX_ZONE_LENGTH, searchZones, zonesNamed } from '../../when/when.ts';

/** What `/upnext zone …` asks for: whose zone, and which; `off` is none. */
export interface ZoneWords {
  scope?: ZoneScope;
  zone?:
    | { kind: 'one'; zone: string }
    | { kind: 'off' }
    | { kind: 'unknown'; words: string; near: string[] }
    | { kind: 'too-long' };
}

/** Words for each scope, before the zone or after it. */
const SCOPES: readonly (readonly [ZoneScope, string])[] = [
  ['channel', 'here|(?:for |in )?(?:this |the )?channel'],
  ['project', '(?:for )?(?:this |the )?project'],
  ['person', 'me|mine|myself|my own|my|own|for me'],
];
const OFF = /^(?:off|none|no|clear|remove|reset|delete|default)$/i;
/** More would be no help but a list. */
const MOST_NEAR = 3;

/** "here Berlin", "Asia/Tokyo for me", "project off", or a zone alone. */
export function readZoneWords(words: string, now: Date): ZoneWords {
  const plain = words.trim();
  // The longest zone's name and a scope fit together.
  if (plain.length > MAX_ZONE_LENGTH) return { zone: { kind: 'too-long' } };
  const { scope, rest } = scopeOf(plain);
  const asked = rest.replace(/^(?:to|is|=|:|in)\s+/i, '').trim();
  return { ...(scope && { scope }), ...(asked !== '' && { zone: zoneOf(asked, now) }) };
}

function scopeOf(words: string): { scope?: ZoneScope; rest: string } {
  for (const [scope, pattern] of SCOPES) {
    const before = new RegExp(`^(?:${pattern})(?![\\w/])[\\s:]*`, 'i').exec(words);
    if (before) return { scope, rest: words.slice(before[0].length) };
    const after = new RegExp(`\\s(?:for )?(?:${pattern})$`, 'i').exec(words);
    if (after) return { scope, rest: words.slice(0, after.index) };
  }
  return { rest: words };
}

function zoneOf(words: string, now: Date): NonNullable<ZoneWords['zone']> {
  if (OFF.test(words)) return { kind: 'off' };
  const choices = searchZones(words, now).map(({ zone }) => zone);
  const [first] = choices;
  if (isZone(words) && first !== undefined) return { kind: 'one', zone: first };
  const { zones, isAll } = zonesNamed(words);
  const [zone] = zones;
  if (isAll && zones.length === 1 && zone !== undefined && isZone(zone)) return { kind: 'one', zone };
  return { kind: 'unknown', words, near: [...new Set([...zones, ...choices])].slice(0, MOST_NEAR) };
}
