import type { Role } from '../../access/access.ts';
import type { CommandCall } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { zonedLoader } from '../../forms/form-context.ts';
import type { ZoneScope } from '../../preferences/zones.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { isZone, MAX_ZONE_LENGTH, searchZones, zonesNamed } from '../../when/when.ts';
import { setZoneFor, zoneForm } from './set-zone.ts';
import { noChannel, unknownZone, zoneTooLong } from './zone-messages.ts';

const form = createForm(zoneForm);

/** Which time zone posts begin with: a channel's, a project's, or a person's own. */
export const zone: Feature = {
  name: 'zone',
  commands: [
    {
      name: 'zone',
      aliases: ['zones', 'timezone', 'tz'],
      summary: 'The time zone of this channel, its project, or your own posts',
      usage: '[here|project|me] [city or zone|off]',
      examples: ['/upnext zone', '/upnext zone here Berlin', '/upnext zone me off'],
      button: 'Time zone',
      opensForm: (words) => !isWhole(readZoneWords(words, new Date(0))),
      run: setByWords,
    },
  ],
  role: roleFor,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};

/** Their own is everybody's; what others post in is for those who run the channel. */
function roleFor(attempt: Attempt): Role {
  if (attempt.surface === 'view') {
    const scope = Object.keys(attempt.values).find((id) => id.startsWith('scope.'));
    const chosen = scope === undefined ? undefined : getChosenOption(attempt.values, scope)?.value;
    return chosen === 'person' ? 'viewer' : 'manager';
  }
  if (attempt.surface !== 'command') return 'viewer';
  const words = readZoneWords(attempt.words, new Date(0));
  return isWhole(words) && words.scope !== 'person' ? 'manager' : 'viewer';
}

/** It says whose zone and which: nothing is left to ask. */
function isWhole({ scope, zone: asked }: ZoneWords): boolean {
  return scope !== undefined && asked !== undefined && (asked.kind === 'one' || asked.kind === 'off');
}

async function setByWords(call: CommandCall): Promise<void> {
  const { scope, zone: asked } = readZoneWords(call.words, call.now());
  if (asked?.kind === 'too-long') return call.reply(zoneTooLong());
  if (asked?.kind === 'unknown') return call.reply(unknownZone(asked.words, asked.near));
  const known = asked?.kind === 'one' ? asked.zone : undefined;
  const begin = { prefill: { ...(scope && { scope }), ...(known !== undefined && { zone: known }) } };
  if (!scope || !asked) return form.openForm(call, begin);
  if (scope === 'channel' && call.channel === undefined) return call.reply(noChannel());
  const loaded = await zonedLoader.load(call, {
    ...(call.channel !== undefined && { channel: call.channel }),
  });
  if ('trouble' in loaded) return call.reply({ text: `${loaded.trouble} Nothing was changed.` });
  const { zones, chosen: project } = loaded.formContext;
  // Of several projects one is chosen in the form.
  if (scope === 'project' && !project) return form.openForm(call, begin);
  const chosen = {
    scope,
    ...(known !== undefined && { zone: known }),
    ...(scope === 'project' && project && { project }),
  };
  await call.reply(await setZoneFor(call, chosen, { channel: call.channel, zones, project }));
}

/** What `/upnext zone …` asks for: whose zone, and which; `off` is none. */
interface ZoneWords {
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
const MAX_NEAR = 3;

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
  return { kind: 'unknown', words, near: [...new Set([...zones, ...choices])].slice(0, MAX_NEAR) };
}
