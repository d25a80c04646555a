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

/** Sets the default time zone of posts for a channel, a project or a person. */
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
      opensForm: (words) => !isComplete(parseZoneRequest(words, new Date(0))),
      run: setByWords,
    },
  ],
  role: roleFor,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};

/** Everybody may set their own zone. A channel's or a project's zone also concerns others, so it takes a manager. */
function roleFor(attempt: Attempt): Role {
  if (attempt.surface === 'view') {
    const scope = Object.keys(attempt.values).find((id) => id.startsWith('scope.'));
    const chosen = scope === undefined ? undefined : getChosenOption(attempt.values, scope)?.value;
    return chosen === 'person' ? 'viewer' : 'manager';
  }
  if (attempt.surface !== 'command') return 'viewer';
  const request = parseZoneRequest(attempt.text, new Date(0));
  return isComplete(request) && request.scope !== 'person' ? 'manager' : 'viewer';
}

/** Whether the request names both the scope and the zone, so that no form is needed. */
function isComplete({ scope, zone: requested }: ZoneRequest): boolean {
  return (
    scope !== undefined && requested !== undefined && (requested.kind === 'one' || requested.kind === 'off')
  );
}

async function setByWords(call: CommandCall): Promise<void> {
  const { scope, zone: requested } = parseZoneRequest(call.text, call.now());
  if (requested?.kind === 'too-long') return call.reply(zoneTooLong());
  if (requested?.kind === 'unknown') return call.reply(unknownZone(requested.words, requested.near));
  const known = requested?.kind === 'one' ? requested.zone : undefined;
  const initial = { prefill: { ...(scope && { scope }), ...(known !== undefined && { zone: known }) } };
  if (!scope || !requested) return form.openForm(call, initial);
  if (scope === 'channel' && call.channel === undefined) return call.reply(noChannel());
  const loaded = await zonedLoader.load(call, {
    ...(call.channel !== undefined && { channel: call.channel }),
  });
  if ('failureText' in loaded) return call.reply({ text: `${loaded.failureText} Nothing was changed.` });
  const { zones, chosen: project } = loaded.formContext;
  // If the channel has several projects, the person chooses one in the form.
  if (scope === 'project' && !project) return form.openForm(call, initial);
  const chosen = {
    scope,
    ...(known !== undefined && { zone: known }),
    ...(scope === 'project' && project && { project }),
  };
  await call.reply(await setZoneFor(call, chosen, { channel: call.channel, zones, project }));
}

/** The arguments of `/upnext zone`: whose zone to set and to what. `off` clears it. */
interface ZoneRequest {
  scope?: ZoneScope;
  zone?:
    | { kind: 'one'; zone: string }
    | { kind: 'off' }
    | { kind: 'unknown'; words: string; near: string[] }
    | { kind: 'too-long' };
}

/** Patterns for each scope. They are matched before and after the zone. */
const SCOPES: readonly (readonly [ZoneScope, string])[] = [
  ['channel', 'here|(?:for |in )?(?:this |the )?channel'],
  ['project', '(?:for )?(?:this |the )?project'],
  ['person', 'me|mine|myself|my own|my|own|for me'],
];
const OFF = /^(?:off|none|no|clear|remove|reset|delete|default)$/i;
/** A longer list of suggestions would be hard to read. */
const MAX_SUGGESTIONS = 3;

/** Parses "here Berlin", "Asia/Tokyo for me", "project off", or only a zone. */
export function parseZoneRequest(words: string, now: Date): ZoneRequest {
  const plain = words.trim();
  // The limit has room for the longest zone name and a scope.
  if (plain.length > MAX_ZONE_LENGTH) return { zone: { kind: 'too-long' } };
  const { scope, rest } = parseScope(plain);
  const requested = rest.replace(/^(?:to|is|=|:|in)\s+/i, '').trim();
  return { ...(scope && { scope }), ...(requested !== '' && { zone: parseZone(requested, now) }) };
}

function parseScope(words: string): { scope?: ZoneScope; rest: string } {
  for (const [scope, pattern] of SCOPES) {
    const before = new RegExp(`^(?:${pattern})(?![\\w/])[\\s:]*`, 'i').exec(words);
    if (before) return { scope, rest: words.slice(before[0].length) };
    const after = new RegExp(`\\s(?:for )?(?:${pattern})$`, 'i').exec(words);
    if (after) return { scope, rest: words.slice(0, after.index) };
  }
  return { rest: words };
}

function parseZone(words: string, now: Date): NonNullable<ZoneRequest['zone']> {
  if (OFF.test(words)) return { kind: 'off' };
  const choices = searchZones(words, now).map(({ zone }) => zone);
  const [first] = choices;
  if (isZone(words) && first !== undefined) return { kind: 'one', zone: first };
  const { zones, isAll } = zonesNamed(words);
  const [zone] = zones;
  if (isAll && zones.length === 1 && zone !== undefined && isZone(zone)) return { kind: 'one', zone };
  return { kind: 'unknown', words, near: [...new Set([...zones, ...choices])].slice(0, MAX_SUGGESTIONS) };
}
