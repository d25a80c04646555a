import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { z } from 'zod';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { Call } from '../handlers/call.ts';
import { readProjects } from '../held-posts/known-projects.ts';
import { addMissingProjects, explainNoProject, resolveChannelProject } from '../posts/project.ts';
import { selectBoundProjects } from '../preferences/bindings.ts';
import { decideDateOrder, selectDateOrder, toStoredOrder } from '../preferences/date-order.ts';
import { type ProjectPolicy, selectPolicies, toPolicies } from '../preferences/project-policy.ts';
import { type KnownZones, pickDefaultZone, selectZones, toZones } from '../preferences/zones.ts';
import { clipLine } from '../slack/blocks.ts';
import { LIMITS } from '../slack/limits.ts';
import { type ReadFailure, renderReadFailure } from '../slack/service-failure.ts';
import { grantsFileReads } from '../slack/slack-file.ts';
import { selectConfirmed } from '../submissions/sql/lists.ts';
import type { SubmissionRow } from '../submissions/submission.ts';
import { DATE_ORDERS, type KnownDateOrder } from '../when/when.ts';
import { isZone, zoneName } from '../when/zones.ts';
import type { SealedRow, selectTypedValues } from './sealed-store.ts';

const projectSchema = z.object({ id: z.string(), name: z.string() });

/** The context that every form loads before it renders. A form that needs more extends the schema. */
export const formContextSchema = z.object({
  /** At most 100 projects, Slack's limit for the options of a select. */
  projects: z.array(projectSchema),
  /** Whether there are more projects. If so, the select searches them. */
  hasMore: z.boolean(),
  /** Whether the projects come from the cache, because the service didn't respond. */
  isFromCache: z.boolean().optional(),
  /** The project that the form preselects: the only one, the channel's, or the one with the channel's name. */
  preselectedProject: projectSchema.optional(),
  /** IANA zone from the actor's Slack profile; absent if the profile has none, or `isZoneUnread`. */
  actorZone: z.string().optional(),
  /** Whether the zone of the actor's Slack profile couldn't be found out. */
  isZoneUnread: z.boolean().optional(),
  /** The actor's locale in Slack, e.g. `de-DE`; absent if Slack didn't return it. */
  actorLocale: z.string().optional(),
  /** In which order the actor writes day and month. Absent in forms without dates. */
  dateOrder: z.enum([...DATE_ORDERS, 'unsure']).optional(),
  /** Whether Slack lets Upnext read files; absent if that couldn't be found out. */
  mayReadFiles: z.boolean().optional(),
});
export type FormContext = z.infer<typeof formContextSchema>;

export interface OpenOptions {
  channel?: string | undefined;
  /** The message that shows the post while it is edited, if chat.update can change the message. */
  message?: { channel: string; ts: string } | undefined;
  prefill?: Readonly<Record<string, unknown>> | undefined;
  /** The text that the person has typed before, which the prefill has. It is offered again if the form is closed. */
  typed?: string;
  /**
   * Whether to use cached projects if the service doesn't respond, or only if a form can hold all of them. For forms whose
   * submission can wait.
   */
  allowCached?: boolean | 'all';
  /** The channel's name. If it is set, the form preselects the project with this name. */
  channelName?: string | undefined;
}

export interface LoadedForm<Context> {
  formContext: Context;
  /** Initial values that were found while loading. They take precedence over the prefill of `OpenOptions`. */
  prefill?: Readonly<Record<string, unknown>>;
}

/** A loaded form context, or the text to show if loading failed (mrkdwn). */
export type LoadResult<Context> = LoadedForm<Context> | { failureText: string };

/** Loads the context of a form, and reads it back from the database. */
export interface ContextLoader<Context extends FormContext> {
  schema: z.ZodType<Context>;
  /** `settings`: those that are being read for the form already. */
  load(call: Call, options: OpenOptions, settings?: Promise<Settings>): Promise<LoadResult<Context>>;
}

/** Shown in a form whose context `isFromCache`; plain text. */
export const FROM_CACHE_NOTICE =
  'I couldn’t load the projects, so this list may be old or incomplete. I’ll save what you submit and send it when I can.';

/** Loads the context of a form about a project: the projects, the preselected project, and the actor's profile. */
export const projectLoader: ContextLoader<FormContext> = { schema: formContextSchema, load: loadProjects };

/**
 * Like `projectLoader`, but uses cached projects if the service doesn't respond, and may preselect the project with the
 * channel's name. For submissions that can wait.
 */
export const cachedProjectLoader: ContextLoader<FormContext> = {
  schema: formContextSchema,
  load: (call, options) =>
    loadProjects(call, { ...options, allowCached: true, channelName: call.channelName }),
};

/** Loads the context of a form without a project: only the actor's profile. */
export const actorLoader: ContextLoader<FormContext> = {
  schema: formContextSchema,
  load: async (call) => ({ formContext: { projects: [], hasMore: false, ...(await readProfile(call)) } }),
};

interface Settings {
  /** The ids of the projects that the channel is bound to. */
  boundProjects: readonly string[];
  zones: Omit<ZonedContext['zones'], 'profile'>;
  /** What is stored of the actor's order of day and month. */
  storedOrder: ReturnType<typeof toStoredOrder>;
  /** Those that the managers of projects have set, by the projects' ids. */
  policies: ReadonlyMap<string, ProjectPolicy>;
  /** The ids of the projects for which sending is stopped. */
  stoppedProjects: readonly string[];
  /** The person's forms with typed values that may have been sent. */
  typedForms: readonly SealedRow[];
  /** The newest confirmed submissions in `project`, probably the preselected one; undefined if they weren't read. */
  lastSubmissions: { project: string | undefined; rows: readonly LastSubmission[] };
}

export type LastSubmission = Pick<SubmissionRow, 'id' | 'workspace' | 'content' | 'summary'>;

/** Maximum number of submissions that are read to prefill a form. The latest post may be a draft without platforms. */
export const MAX_LAST_SUBMISSIONS = 5;

/**
 * Reads all settings in one statement, because most forms need most of them, and for `newForm` what such a form offers
 * and begins with: `typedForms` selects the person's forms with typed values that may have been sent, and `kind` is that of its
 * submissions.
 */
export async function readSettings(
  call: Call,
  channel: string | undefined,
  newForm?: { typedForms: ReturnType<typeof selectTypedValues>; kind: string },
): Promise<Settings> {
  const { db } = call.context;
  const { workspace, user } = call.actor;
  const boundProjects = selectBoundProjects(db, { workspace, channel });
  const likelyProject = findLikelyProject(call);
  const { bound, zones, orders, policies, stopped, typed, last } = await db
    .selectNoFrom([
      jsonArrayFrom(boundProjects).as('bound'),
      jsonArrayFrom(selectZones(db, { workspace, user, channel })).as('zones'),
      jsonArrayFrom(selectDateOrder(db, call.actor)).as('orders'),
      jsonArrayFrom(selectPolicies(db, workspace)).as('policies'),
      jsonArrayFrom(db.selectFrom('sending_stop').select('project').where('workspace', '=', workspace)).as(
        'stopped',
      ),
      (newForm ? jsonArrayFrom(sql<SealedRow>`(${newForm.typedForms})`) : sql<SealedRow[]>`'[]'::json`).as(
        'typed',
      ),
      (newForm
        ? jsonArrayFrom(
            selectConfirmed(db, {
              workspace,
              kind: newForm.kind,
              project: sql<string>`coalesce((${boundProjects.limit(1)}), ${likelyProject ?? null})`,
              limit: MAX_LAST_SUBMISSIONS,
            }).select(['id', 'workspace', 'content', 'summary']),
          )
        : sql<LastSubmission[]>`'[]'::json`
      ).as('last'),
    ])
    .executeTakeFirstOrThrow();
  return {
    boundProjects: bound.map(({ project }) => project),
    zones: toZones(zones),
    storedOrder: toStoredOrder(orders[0]),
    policies: toPolicies(policies),
    stoppedProjects: stopped.map(({ project }) => project),
    typedForms: typed,
    lastSubmissions: { project: newForm && (bound[0]?.project ?? likelyProject), rows: last },
  };
}

/** The project that a form preselects in a channel that is bound to none, as far as the cached projects say. */
function findLikelyProject({ context, channelName }: Call): string | undefined {
  const projects = context.reads.getLastProjects(context.api);
  const resolution = projects && resolveChannelProject(projects, [], channelName);
  return resolution?.kind === 'one' ? resolution.project.id : undefined;
}

async function loadProjects(
  call: Call,
  options: OpenOptions,
  pendingSettings = readSettings(call, options.channel),
): Promise<LoadResult<FormContext> & { settings: Settings }> {
  const { api, reads } = call.context;
  const [outcome, settings, profile] = await Promise.all([
    reads.fetchProjects(api),
    pendingSettings,
    readProfile(call),
  ]);
  const { projects: readable, failure } = await readProjects(call, outcome);
  const last = failure === 'unreadable' && options.allowCached ? reads.getLastProjects(api) : undefined;
  const projects = readable ?? (last?.items[0] && last);
  const fail = (reason: ReadFailure) => ({ failureText: renderReadFailure(reason, 'projects'), settings });
  if (!projects) return fail(failure ?? 'unreadable');
  if (failure && !options.allowCached) return fail(failure);
  const formContext = chooseProjects(call, options, { projects, ...settings });
  if ('failureText' in formContext) return { ...formContext, settings };
  if (failure && options.allowCached === 'all' && formContext.hasMore) return fail(failure);
  const dateOrder = decideDateOrder({
    ...settings.storedOrder,
    locale: profile.actorLocale,
    zone: profile.actorZone ?? settings.zones.person,
  });
  return {
    formContext: { ...formContext, ...(failure && { isFromCache: true }), ...profile, dateOrder },
    settings,
  };
}

function chooseProjects(
  call: Call,
  options: OpenOptions,
  known: { projects: Records<Project>; boundProjects: readonly string[] },
): Pick<FormContext, 'projects' | 'hasMore' | 'preselectedProject'> | { failureText: string } {
  const { boundProjects: boundIds } = known;
  const requestedProject = projectSchema.safeParse(options.prefill?.project).data;
  const addedProjects = [...(requestedProject ? [requestedProject] : []), ...boundIds];
  const projectList = addMissingProjects(known.projects, addedProjects, call);
  const { items } = projectList;
  const channelProjects = boundIds.flatMap((id) => items.find((item) => item.id === id) ?? []);
  // If the channel is bound to several projects, none of them is preselected.
  const resolution = resolveChannelProject(projectList, boundIds, options.channelName);
  if (resolution.kind === 'none') return { failureText: explainNoProject(projectList) };
  const preselectedProject = resolution.kind === 'one' ? resolution.project : undefined;
  const prefilledProject = items.find(({ id }) => id === requestedProject?.id);
  const preferred = [...channelProjects, preselectedProject, prefilledProject];
  const projects = [...new Set([...preferred, ...items])]
    .filter((item) => item !== undefined)
    .slice(0, LIMITS.options);
  return {
    projects,
    hasMore: projectList.isTruncated || items.length > projects.length,
    ...(preselectedProject && { preselectedProject }),
  };
}

export const zonedContextSchema = formContextSchema.extend({
  /** IANA zones of the channel, of each project (by id), of the actor's settings, and of the Slack profile. */
  zones: z.object({
    channel: z.string().optional(),
    byProject: z.record(z.string(), z.string()),
    person: z.string().optional(),
    profile: z.string().optional(),
  }),
});
export type ZonedContext = z.infer<typeof zonedContextSchema>;

/**
 * Like `projectLoader`, but adds the zones. For forms about a project and a moment. `actorZone` is the zone in the
 * actor's settings, or else the zone of the Slack profile.
 */
export const zonedLoader = {
  schema: zonedContextSchema,
  async load(
    call: Call,
    options: OpenOptions,
    pendingSettings?: Promise<Settings>,
  ): Promise<LoadResult<ZonedContext> & Omit<Settings, 'zones' | 'typedForms' | 'storedOrder'>> {
    const { settings, ...projectResult } = await loadProjects(call, options, pendingSettings);
    const { zones: chosenZones, typedForms: _, storedOrder: __, ...others } = settings;
    if ('failureText' in projectResult) return { ...projectResult, ...others };
    const { actorZone: profile, ...formContext } = projectResult.formContext;
    const zones = { ...chosenZones, ...(profile !== undefined && { profile }) };
    const actorZone = [chosenZones.person, profile].find((zone) => zone !== undefined && isZone(zone));
    return {
      formContext: { ...formContext, zones, ...(actorZone !== undefined && { actorZone }) },
      ...others,
    };
  },
};

export interface Reader {
  /** The actor's Slack id. */
  user?: string;
  now: Date;
  /** IANA zone in which dates are shown, and which they name. Defaults to UTC. */
  zone: string;
  /** IANA zone without a default; absent if it is unknown. What people write is never stored in another zone. */
  knownZone?: string | undefined;
  /** E.g. `de-DE`; absent if Slack didn't return it. */
  locale?: string | undefined;
  /** In which order dates in figures are read. Defaults to that of the locale. */
  dateOrder?: KnownDateOrder | undefined;
}

/**
 * Fetches the actor's zone, locale and order of day and month. The zone is in the actor's settings, or else in the
 * Slack profile.
 */
export async function fetchReader(
  call: Pick<Call, 'context' | 'actor' | 'client' | 'log' | 'reference' | 'now'>,
): Promise<Reader> {
  const { workspace, user } = call.actor;
  const { db } = call.context;
  const [{ zones, orders }, { actorZone, actorLocale: locale }] = await Promise.all([
    db
      .selectNoFrom([
        jsonArrayFrom(selectZones(db, { workspace, user, channel: undefined })).as('zones'),
        jsonArrayFrom(selectDateOrder(db, call.actor)).as('orders'),
      ])
      .executeTakeFirstOrThrow(),
    readProfile(call),
  ]);
  const { person: settingsZone } = toZones(zones);
  const storedOrder = toStoredOrder(orders[0]);
  const dateOrder = decideDateOrder({ ...storedOrder, locale, zone: actorZone ?? settingsZone });
  const knownZone = [settingsZone, actorZone].find((zone) => zone !== undefined && isZone(zone));
  return { user, now: call.now(), zone: knownZone ?? 'UTC', knownZone, locale, dateOrder };
}

/** Renders "Times are in Lisbon, from your Slack profile." Undefined without a default zone. Plain text. */
export function renderDefaultZone(zones: KnownZones, project: Project | undefined): string | undefined {
  const defaultZone = pickDefaultZone(zones, project?.id);
  if (!defaultZone) return undefined;
  const origin = {
    channel: 'set for this channel',
    project: `set for ${clipLine(project?.name ?? '')}`,
    person: 'your own choice',
    profile: 'from your Slack profile',
  }[defaultZone.source];
  return `Times are in ${zoneName(defaultZone.zone)}, ${origin}.`;
}

/** Says why the actor's zone isn't known (plain text). */
export function explainUnknownZone({ isZoneUnread }: Pick<FormContext, 'isZoneUnread'>): string {
  return isZoneUnread ? 'I couldn’t read your time zone from Slack.' : 'Your Slack profile has no time zone.';
}

/**
 * Reads IANA zone and locale from the actor's Slack profile. Each is absent if Slack doesn't return it. Slack documents no
 * `tz` for some accounts: bots have null. Also tells from the same answer whether Slack lets Upnext read files.
 */
export async function readProfile(
  call: Pick<Call, 'client' | 'actor' | 'log' | 'reference'>,
): Promise<Pick<FormContext, 'actorZone' | 'actorLocale' | 'isZoneUnread' | 'mayReadFiles'>> {
  const { client, actor, log, reference } = call;
  try {
    const answer = await client.users.info({ user: actor.user, include_locale: true });
    const { user } = answer;
    // An unknown name isn't the same as none: the data of this computer may be older than Slack's.
    const zone = user?.tz ? (isZone(user.tz) ? { actorZone: user.tz } : { isZoneUnread: true }) : {};
    return {
      ...zone,
      ...(user?.locale !== undefined && { actorLocale: user.locale }),
      mayReadFiles: grantsFileReads(answer),
    };
  } catch (error) {
    log.warn({ reference, err: error }, 'could not read the time zone of a profile');
    return {
      isZoneUnread: true,
      mayReadFiles: error instanceof Error && 'data' in error ? grantsFileReads(error.data) : undefined,
    };
  }
}
