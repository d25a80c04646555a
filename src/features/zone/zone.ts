import type { Role } from '../../access/access.ts';
import type { ActionCall, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { zonedLoader } from '../../forms/form-context.ts';
import { ZONE_SCOPES, type ZoneScope } from '../../preferences/zones.ts';
import { findZonesByName, isZone, MAX_ZONE_LENGTH, searchZones } from '../../when/when.ts';
import { changeZone } from './set-zone.ts';
import { getScopeRole, removeZone, zoneForm } from './zone-form.ts';
import {
  REMOVE_ZONE_PREFIX,
  renderNoChannel,
  renderUnknownZone,
  renderZoneTooLong,
} from './zone-messages.ts';

const form = createForm(zoneForm);

/** The date for parsing a request only to find out whether it is complete, which doesn't depend on the date. */
const ANY_DATE = new Date(0);

/** `/upnext zone` sets the default time zone of posts for a channel, a project or a person. */
export const zone: Feature = {
  name: 'zone',
  commands: [
    {
      name: 'zone',
      aliases: ['zones', 'timezone', 'tz'],
      summary: 'The time zone of this channel, its project, or your own posts',
      usage: '[here|project|me] [city or zone|off]',
      examples: {
        '/upnext zone': 'See the zone that counts here.',
        '/upnext zone here Berlin': 'Use Berlin time in this channel.',
        '/upnext zone me off': 'Use the zone of your Slack profile again.',
      },
      button: 'Time zone',
      opensForm: (text) => !isComplete(parseZoneRequest(text, ANY_DATE)),
      deed: 'use `/upnext zone`',
      role: ({ text }) => getCommandRole(parseZoneRequest(text, ANY_DATE)),
      run: onZoneCommand,
    },
  ],
  role: 'viewer',
  open: form.open,
  views: form.views,
  actions: {
    ...form.actions,
    ...Object.fromEntries(
      ZONE_SCOPES.map((scope) => [
        `${REMOVE_ZONE_PREFIX}${scope}`,
        {
          deed: 'remove a time zone' as const,
          role: getScopeRole(scope),
          run: (call: ActionCall) => removeZone(call, scope, form.openForm),
        },
      ]),
    ),
  },
  options: form.options,
};

/** Whether the request names both the scope and the zone, so that no form is needed. */
function isComplete({ scope, zone: requestedZone }: ZoneRequest): boolean {
  return (
    scope !== undefined &&
    requestedZone !== undefined &&
    (requestedZone.kind === 'found' || requestedZone.kind === 'off')
  );
}

/** An incomplete request opens the form, which everybody may see. */
function getCommandRole(request: ZoneRequest): Role {
  return isComplete(request) ? getScopeRole(request.scope) : 'viewer';
}

async function onZoneCommand(call: CommandCall): Promise<void> {
  const { scope, zone: requestedZone } = parseZoneRequest(call.text, call.now());
  if (requestedZone?.kind === 'too-long') return call.reply(renderZoneTooLong());
  if (requestedZone?.kind === 'unknown')
    return call.reply(renderUnknownZone(requestedZone.text, requestedZone.suggestions));
  const zoneId = requestedZone?.kind === 'found' ? requestedZone.zone : undefined;
  const openOptions = { prefill: { ...(scope && { scope }), ...(zoneId !== undefined && { zone: zoneId }) } };
  if (!scope || !requestedZone) return form.openForm(call, openOptions);
  if (scope === 'channel' && call.channel === undefined) return call.reply(renderNoChannel());
  const loadResult = await zonedLoader.load(call, {
    ...(call.channel !== undefined && { channel: call.channel }),
  });
  if ('failureText' in loadResult)
    return call.reply({ text: `${loadResult.failureText}\nNothing was changed.` });
  const { zones, preselectedProject: project } = loadResult.formContext;
  // If it isn't clear which project is meant, the actor chooses one in the form.
  if (scope === 'project' && !project) return form.openForm(call, openOptions);
  const choice = {
    scope,
    ...(zoneId !== undefined && { zone: zoneId }),
    ...(scope === 'project' && project && { project }),
  };
  await call.reply(await changeZone(call, choice, { channel: call.channel, zones, project }));
}

/** The parsed arguments of `/upnext zone`: the scope, and the zone to set. The kind 'off' clears the stored zone. */
interface ZoneRequest {
  scope?: ZoneScope;
  zone?:
    | { kind: 'found'; zone: string }
    | { kind: 'off' }
    | { kind: 'unknown'; text: string; suggestions: string[] }
    | { kind: 'too-long' };
}

/** The pattern for each scope. The scope may come before or after the zone. */
const SCOPE_PATTERNS: readonly (readonly [ZoneScope, string])[] = [
  ['channel', 'here|(?:for |in )?(?:this |the )?channel'],
  ['project', '(?:for )?(?:this |the )?project'],
  ['person', 'me|mine|myself|my own|my|own|for me'],
];
const OFF_PATTERN = /^(?:off|none|no|clear|remove|reset|delete|default)$/i;
/** A longer list of suggestions would be hard to read. */
const MAX_SUGGESTIONS = 3;

/** Parses arguments such as "here Berlin", "Asia/Tokyo for me", "project off" and "Berlin". */
export function parseZoneRequest(text: string, now: Date): ZoneRequest {
  const trimmedText = text.trim();
  // The limit has room for the longest zone name and a scope.
  if (trimmedText.length > MAX_ZONE_LENGTH) return { zone: { kind: 'too-long' } };
  const { scope, rest: zoneArgument } = parseScope(trimmedText);
  const zoneText = zoneArgument.replace(/^(?:to|is|=|:|in)\s+/i, '').trim();
  return { ...(scope && { scope }), ...(zoneText !== '' && { zone: parseZone(zoneText, now) }) };
}

/** Parses a scope at the beginning or the end. `rest` is the text without the scope. */
function parseScope(text: string): { scope?: ZoneScope; rest: string } {
  for (const [scope, pattern] of SCOPE_PATTERNS) {
    const prefixMatch = new RegExp(`^(?:${pattern})(?![\\w/])[\\s:]*`, 'i').exec(text);
    if (prefixMatch) return { scope, rest: text.slice(prefixMatch[0].length) };
    const suffixMatch = new RegExp(`\\s(?:for )?(?:${pattern})$`, 'i').exec(text);
    if (suffixMatch) return { scope, rest: text.slice(0, suffixMatch.index) };
  }
  return { rest: text };
}

function parseZone(text: string, now: Date): NonNullable<ZoneRequest['zone']> {
  if (OFF_PATTERN.test(text)) return { kind: 'off' };
  const searchResults = searchZones(text, now).map(({ zone }) => zone);
  const [firstResult] = searchResults;
  if (isZone(text) && firstResult !== undefined) return { kind: 'found', zone: firstResult };
  const { zones, coversWholeText } = findZonesByName(text);
  const [zone] = zones;
  if (coversWholeText && zones.length === 1 && zone !== undefined && isZone(zone))
    return { kind: 'found', zone };
  return {
    kind: 'unknown',
    text,
    suggestions: [...new Set([...zones, ...searchResults])].slice(0, MAX_SUGGESTIONS),
  };
}
