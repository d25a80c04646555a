import type { Kysely } from 'kysely';
import { z } from 'zod';
import { buildDoneEntry, type Role } from '../../access/access.ts';
import { createForm, type FormHandlers } from '../../forms/create-form.ts';
import { readCurrentForm } from '../../forms/current-form.ts';
import { findChosenValue, namedRecord } from '../../forms/field.ts';
import { type Form, invalid, valid } from '../../forms/form.ts';
import { type ContextLoader, zonedContextSchema, zonedLoader } from '../../forms/form-context.ts';
import { radioField, zoneField } from '../../forms/inputs/choice.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import type { ActionCall, Call, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { changeIfBindingsUnchanged, listBoundProjects } from '../../preferences/bindings.ts';
import { chooseDateOrder } from '../../preferences/date-order.ts';
import type { PreferenceTables } from '../../preferences/tables.ts';
import { clearZone, type KnownZones, setZone, ZONE_SCOPES, type ZoneScope } from '../../preferences/zones.ts';
import { addBlocks, type Message } from '../../slack/message.ts';
import { buildModal } from '../../slack/message-view.ts';
import { DATE_ORDERS, type DateOrder } from '../../when/when.ts';
import { findZonesByName, isZone, MAX_ZONE_LENGTH, searchZones } from '../../when/zones.ts';
import {
  DATE_ORDER_PREFIX,
  NO_CHANNEL,
  REMOVE_ZONE_PREFIX,
  renderAmbiguousZone,
  renderDateOrder,
  renderDateOrderChange,
  renderUnknownZone,
  renderZoneChange,
  renderZoneSummary,
  TITLE,
  ZONE_TOO_LONG,
} from './zone-messages.ts';

/** The project field without its own validation: the form's `check` requires a project for the scope 'project'. */
const { validate: _, ...optionalProjectField } = projectField({ optional: true });

const fields = {
  scope: radioField<ZoneScope>({
    label: 'For',
    choices: [
      { value: 'channel', name: 'This channel' },
      { value: 'project', name: 'The project, in every channel' },
      { value: 'person', name: 'My own posts' },
    ],
    isLive: true,
  }),
  project: optionalProjectField,
  zone: zoneField({ label: 'Time zone' }),
};

const zoneContextSchema = zonedContextSchema.extend({
  /** Whether the actor may set and remove the zones of the channel and the project. */
  isManager: z.boolean(),
});
type ZoneContext = z.infer<typeof zoneContextSchema>;

/** Loads the zones. Preselects the channel, or the actor's own posts if there is no channel that they may change. */
const zoneContextLoader: ContextLoader<ZoneContext> = {
  schema: zoneContextSchema,
  async load(call, options) {
    const result = await zonedLoader.load(call, { ...options, channelName: call.channelName });
    if ('failureText' in result) return result;
    // A channel of several projects has none preselected. A button in the form doesn't know the channel's name.
    const { preselectedProject = namedRecord.safeParse(options.prefill?.project).data } = result.formContext;
    const projects = [preselectedProject?.id, ...result.boundProjects];
    const isManager = projects.every((project) => call.may('manager', project));
    const scope =
      options.prefill?.scope ?? (options.channel !== undefined && isManager ? 'channel' : 'person');
    const formContext = {
      ...result.formContext,
      isManager,
      ...(preselectedProject && { preselectedProject }),
    };
    return { formContext, prefill: { scope } };
  },
};

/** Everybody may set their own zone. The zone of a channel or project affects others, so that needs a manager. */
function getScopeRole(scope: string | undefined): Role {
  return scope === 'person' ? 'viewer' : 'manager';
}

/** The form that shows the default zone of posts from this channel, and why, and sets or removes a zone. */
const zoneForm: Form<typeof fields, ZoneContext, ZoneChoice> = {
  name: 'zone',
  version: 2,
  noun: 'time zone form',
  getSubmitRole: (values) => getScopeRole(findChosenValue(values, 'scope')),
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext zone',
  fields,
  contextLoader: zoneContextLoader,
  hideableFields: ['project'],
  findHiddenFields: ({ values: { scope } }) => (scope === 'project' ? [] : ['project']),
  computeHiddenValues: (hiddenFields, { formContext }) =>
    hiddenFields.includes('project') ? { project: formContext.preselectedProject } : {},
  renderAboveFields: ({ formContext }) => [
    ...renderZoneSummary(formContext),
    ...renderDateOrder(formContext),
  ],
  check({ values: { scope, project, zone } }) {
    if (scope === '') return invalid({});
    if (scope === 'project' && !project) return invalid({ project: 'Choose a project.' });
    return valid({ scope, zone, ...(scope === 'project' && project && { project }) });
  },
  onSubmit: {
    async respond(call, choice, { formContext }, { channel }) {
      if (choice.scope === 'channel' && channel === undefined)
        return { errors: { scope: 'Type /upnext zone in the channel you want to set.' } };
      const message = await changeZone(call, choice, {
        channel,
        zones: formContext.zones,
        project: formContext.preselectedProject,
      });
      return { view: buildModal(TITLE, addBlocks(message).blocks) };
    },
  },
};

/** Handles [Remove]. Clears the zone of the form's channel or project, or the actor's own, and loads the form again. */
async function removeZone(
  call: ActionCall,
  scope: ZoneScope,
  replaceForm: FormHandlers['replaceForm'],
): Promise<void> {
  const currentForm = call.view && (await readCurrentForm(zoneForm, call, call.view));
  if (!currentForm) return;
  const { state, stored } = currentForm;
  const { zones, preselectedProject: project } = state.formContext;
  const { channel } = stored;
  // A press that comes late must not undo what has been set since.
  const shown = scope === 'project' ? zones.byProject[project?.id ?? ''] : zones[scope];
  const choice = { scope, shown, ...(scope === 'project' && project && { project }) };
  await changeZone(call, choice, { channel, zones, project });
  await replaceForm(call, { channel, prefill: { scope, ...(project && { project }) } });
}

/** Handles a button for an order of day and month. Stores it for the actor, and loads the form again. */
async function pressDateOrder(call: ActionCall, order: DateOrder): Promise<void> {
  const currentForm = call.view && (await readCurrentForm(zoneForm, call, call.view));
  if (!currentForm) return;
  await chooseDateOrder(call.context.db, call.actor, order);
  const { state, stored } = currentForm;
  const { preselectedProject: project } = state.formContext;
  const prefill = { scope: state.values.scope, ...(project && { project }) };
  await form.replaceForm(call, { channel: stored.channel, prefill });
}

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
        '/upnext zone day first': 'Read your dates such as 3/4 as 3 April.',
      },
      button: 'Time zone',
      opensForm: (text) => findOrder(text) === undefined && !isComplete(parseZoneRequest(text, ANY_DATE)),
      deed: 'use `/upnext zone`',
      role: ({ text }) => (findOrder(text) ? 'viewer' : getCommandRole(parseZoneRequest(text, ANY_DATE))),
      run: onZoneCommand,
    },
  ],
  role: 'viewer',
  ...form,
  actions: {
    ...form.actions,
    ...Object.fromEntries(
      ZONE_SCOPES.map((scope) => [
        `${REMOVE_ZONE_PREFIX}${scope}`,
        {
          deed: 'use a button of the time zone form' as const,
          role: getScopeRole(scope),
          run: (call: ActionCall) => removeZone(call, scope, form.replaceForm),
        },
      ]),
    ),
    ...Object.fromEntries(
      DATE_ORDERS.map((order) => [
        `${DATE_ORDER_PREFIX}${order}`,
        {
          deed: 'use a button of the time zone form' as const,
          role: 'viewer' as const,
          run: (call: ActionCall) => pressDateOrder(call, order),
        },
      ]),
    ),
  },
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
  const order = findOrder(call.text);
  if (order) {
    await chooseDateOrder(call.context.db, call.actor, order);
    return call.reply(renderDateOrderChange(order));
  }
  const { scope, zone: requestedZone } = parseZoneRequest(call.text, call.now());
  if (requestedZone?.kind === 'too-long') return call.reply(ZONE_TOO_LONG);
  if (requestedZone?.kind === 'ambiguous')
    return call.reply(renderAmbiguousZone(requestedZone.text, requestedZone.zones, scope));
  if (requestedZone?.kind === 'unknown')
    return call.reply(renderUnknownZone(requestedZone.text, requestedZone.suggestions));
  const zoneId = requestedZone?.kind === 'found' ? requestedZone.zone : undefined;
  const openOptions = { prefill: { ...(scope && { scope }), ...(zoneId !== undefined && { zone: zoneId }) } };
  if (!scope || !requestedZone) return form.openForm(call, openOptions);
  if (scope === 'channel' && call.channel === undefined) return call.reply(NO_CHANNEL);
  const loadResult = await zonedLoader.load(call, { channel: call.channel });
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
    | { kind: 'ambiguous'; text: string; zones: readonly string[] }
    | { kind: 'unknown'; text: string; suggestions: string[] }
    | { kind: 'too-long' };
}

/** The pattern for each scope. The scope may come before or after the zone. */
const SCOPE_PATTERNS: readonly (readonly [ZoneScope, string])[] = [
  ['channel', 'here|(?:for |in )?(?:this |the )?channel'],
  ['project', '(?:for )?(?:this |the )?project'],
  ['person', 'me|mine|myself|my own|my|own|for me'],
];
/** "Day first", "me month-first". */
const ORDER_PATTERN = /^(?:(?:for )?(?:me|my|mine) )?(?:dates )?(day|month)[ -]first$/i;

function findOrder(text: string): DateOrder | undefined {
  const [, first] = ORDER_PATTERN.exec(text.trim()) ?? [];
  return first === undefined ? undefined : first.toLowerCase() === 'day' ? 'day-first' : 'month-first';
}

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
  const { zones, coversWholeText } = findZonesByName(text);
  const [zone, ...otherZones] = zones;
  if (coversWholeText && otherZones.length > 0) return { kind: 'ambiguous', text, zones };
  if (coversWholeText && zone !== undefined && isZone(zone)) return { kind: 'found', zone };
  // A search without a word finds the most common zones, which somebody who typed an emoji didn't mean.
  const searchResults = /[\p{L}\p{N}]/u.test(text) ? searchZones(text, now).map((choice) => choice.zone) : [];
  return {
    kind: 'unknown',
    text,
    suggestions: [...new Set([...zones, ...searchResults])].slice(0, MAX_SUGGESTIONS),
  };
}

/**
 * The zone to set for a channel, a project or a person. If `zone` is absent, the stored zone is cleared. `shown`: the
 * zone that the person saw. Another one, which was set since, isn't cleared.
 */
interface ZoneChoice {
  scope: ZoneScope;
  zone?: string;
  shown?: string | undefined;
  project?: { id: string; name: string };
}

/** Stores the zone. Throws NotAllowed unless the actor manages every project that the change affects. */
async function changeZone(
  call: Call,
  choice: ZoneChoice,
  zoneContext: {
    channel: string | undefined;
    /** The zones before the change. */
    zones: KnownZones;
    /** The project of the current channel; undefined if it has none or several. */
    project: { id: string; name: string } | undefined;
  },
): Promise<Message> {
  const { context, actor } = call;
  const { scope, zone, project } = choice;
  const subject = { channel: zoneContext.channel, project: project?.id, person: actor.user }[scope];
  if (subject === undefined) throw new Error(`cannot set a zone: the ${scope} is unknown`);
  const key = { workspace: actor.workspace, scope, subject };
  let isChanged = true;
  const applyChange = async (db: Kysely<PreferenceTables>) => {
    if (zone === undefined) isChanged = await clearZone(db, key, choice.shown);
    else await setZone(db, { ...key, zone });
  };
  if (scope === 'channel') await changeChannelZone(call, subject, applyChange);
  else {
    if (scope === 'project') await requireManagerOfAll(call, [subject], scope);
    await applyChange(context.db);
  }
  if (scope !== 'person' && isChanged) {
    const target = [scope, subject, zone].filter((part) => part !== undefined).join(' ');
    const changed = {
      project: scope === 'project' ? subject : undefined,
      action: `zone set ${scope}`,
    } as const;
    context.record.enqueue(buildDoneEntry(call, { ...changed, target }));
  }
  const zones = updateKnownZones(zoneContext.zones, scope, subject, zone);
  return renderZoneChange(choice, { zones, project: zoneContext.project });
}

/**
 * Changes a channel's zone if the actor manages every project that the channel is about. If the channel's projects
 * change in the meantime, the permission is checked again.
 */
async function changeChannelZone(
  call: Call,
  channel: string,
  applyChange: (db: Kysely<PreferenceTables>) => Promise<void>,
): Promise<void> {
  const { context, actor } = call;
  const channelKey = { workspace: actor.workspace, channel };
  let isChanged = false;
  while (!isChanged) {
    const projects = await listBoundProjects(context.db, channelKey);
    await requireManagerOfAll(call, projects, 'channel');
    isChanged = await changeIfBindingsUnchanged(context.db, { ...channelKey, projects }, applyChange);
  }
}

async function requireManagerOfAll(
  call: Call,
  projects: readonly string[],
  scope: Exclude<ZoneScope, 'person'>,
): Promise<void> {
  for (const project of projects) await call.permit('manager', project, `zone set ${scope}`);
}

function updateKnownZones(
  zones: KnownZones,
  scope: ZoneScope,
  subject: string,
  zone: string | undefined,
): KnownZones {
  if (scope !== 'project') return { ...zones, [scope]: zone };
  const { [subject]: _, ...others } = zones.byProject;
  return { ...zones, byProject: zone === undefined ? others : { ...others, [subject]: zone } };
}
