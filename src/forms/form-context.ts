import { z } from 'zod';
import { isInconclusive, type Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { Call } from '../app/call.ts';
import { addUnreadProjects, resolveChannelProject } from '../posts/project.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { findZones } from '../preferences/zones.ts';
import { LIMITS } from '../slack/limits.ts';
import { renderServiceFailure } from '../slack/service-failure.ts';
import { isZone } from '../when/when.ts';

const project = z.object({ id: z.string(), name: z.string() });

/** The context that every form loads before it renders. A form that needs more extends the schema. */
export const formContextSchema = z.object({
  /** At most 100, which is Slack's limit for a select. If there are more, `more` is true and the select searches. */
  projects: z.array(project),
  more: z.boolean(),
  /** The service didn't answer, so the projects come from the cache. */
  isFromCache: z.boolean().optional(),
  /** The only project, or the channel's. */
  chosen: project.optional(),
  /** IANA zone from the person's Slack profile; absent if Slack didn't return it. */
  readerZone: z.string().optional(),
  /** The person's locale in Slack, e.g. `de-DE`; absent if Slack didn't return it. */
  readerLocale: z.string().optional(),
});
export type FormContext = z.infer<typeof formContextSchema>;

/** How a form is opened. */
export interface OpenOptions {
  channel?: string;
  /** Values by field. */
  prefill?: Readonly<Record<string, unknown>>;
  /** Use cached projects if the service doesn't answer: the form's submission can wait for the service. */
  allowCached?: boolean;
}

/** `prefill` has initial values found while loading; they win over those of `OpenOptions`. `trouble` is mrkdwn. */
export type LoadResult<Context> =
  | { formContext: Context; prefill?: Readonly<Record<string, unknown>> }
  | { trouble: string };

/** Loads the context of a form, and reads it back from the database. */
export interface ContextLoader<Context extends FormContext> {
  schema: z.ZodType<Context>;
  load(call: Call, options: OpenOptions): Promise<LoadResult<Context>>;
}

/** Shown in a form whose context `isFromCache`; plain text. */
export const FROM_CACHE_NOTICE =
  'The scheduling service does not answer just now, so the projects are those that it named last. What you send is saved, and goes out when it answers.';

/** For a form about a project: the projects, the chosen one, and the reader's profile. */
export const projectLoader: ContextLoader<FormContext> = { schema: formContextSchema, load: loadProjects };

/**
 * The same for a form whose submission can wait for the service: uses cached projects if the service doesn't answer.
 */
export const cachedProjectLoader: ContextLoader<FormContext> = {
  schema: formContextSchema,
  load: (call, options) => loadProjects(call, { ...options, allowCached: true }),
};

/** For a form without a project: the reader's profile. */
export const readerLoader: ContextLoader<FormContext> = {
  schema: formContextSchema,
  load: async (call) => ({ formContext: { projects: [], more: false, ...(await readProfile(call)) } }),
};

async function loadProjects(call: Call, options: OpenOptions): Promise<LoadResult<FormContext>> {
  const { api, reads, db } = call.context;
  const [outcome, bound, reader] = await Promise.all([
    reads.fetchProjects(api),
    listBoundProjects(db, { workspace: call.actor.workspace, channel: options.channel }),
    readProfile(call),
  ]);
  const cached = options.allowCached && isInconclusive(outcome) ? reads.getLastProjects(api) : undefined;
  const known = knownProjects(outcome, cached);
  if ('trouble' in known) return known;
  const { isFromCache } = known;
  const prefilled = project.safeParse(options.prefill?.project).data;
  const listed = addUnreadProjects(known.listed, [...(prefilled ? [prefilled] : []), ...bound], call);
  const { items } = listed;
  const here = bound.flatMap((id) => items.find((item) => item.id === id) ?? []);
  // If the channel is bound to several projects, none of them is preselected.
  const found = resolveChannelProject(listed, here.length === 1 ? here[0]?.id : undefined);
  if (found.kind === 'none')
    return { trouble: 'There is no project yet. Make one in the scheduling service first.' };
  const chosen = found.kind === 'one' ? found.project : undefined;
  const projects = selectable(items, [...here, chosen, items.find(({ id }) => id === prefilled?.id)]);
  return {
    formContext: {
      ...{ projects, more: listed.isTruncated || items.length > projects.length },
      ...(isFromCache && { isFromCache }),
      ...(chosen && { chosen }),
      ...reader,
    },
  };
}

function knownProjects(
  outcome: Outcome<Records<Project>>,
  cached: Records<Project> | undefined,
): { listed: Records<Project>; isFromCache: boolean } | { trouble: string } {
  if (cached) return { listed: cached, isFromCache: true };
  if (outcome.kind !== 'done') return { trouble: `${renderServiceFailure(outcome)} The form needs it.` };
  if (outcome.data.shape === 'read') return { listed: outcome.data, isFromCache: false };
  return { trouble: 'The scheduling service answered, but I cannot read its projects.' };
}

/** As many projects as a select may have, with the preferred ones first. */
function selectable(items: readonly Project[], preferred: readonly (Project | undefined)[]): Project[] {
  const first = preferred.filter((one) => one !== undefined);
  return [...new Set([...first, ...items])].slice(0, LIMITS.options);
}

export const zonedContextSchema = formContextSchema.extend({
  /** IANA zones: of the channel, of projects by id, the person's own choice, and of their Slack profile. */
  zones: z.object({
    channel: z.string().optional(),
    byProject: z.record(z.string(), z.string()),
    person: z.string().optional(),
    profile: z.string().optional(),
  }),
});
export type ZonedContext = z.infer<typeof zonedContextSchema>;

/**
 * The same for a form about a project and a moment, with zones. `readerZone` is the person's choice, else the
 * profile's.
 */
export const zonedLoader: ContextLoader<ZonedContext> = {
  schema: zonedContextSchema,
  async load(call, options) {
    const { workspace, user } = call.actor;
    const [base, chosen] = await Promise.all([
      projectLoader.load(call, options),
      findZones(call.context.db, { workspace, user, channel: options.channel }),
    ]);
    if ('trouble' in base) return base;
    const { readerZone: profile, ...formContext } = base.formContext;
    const zones = { ...chosen, ...(profile !== undefined && { profile }) };
    const readerZone = [chosen.person, profile].find((zone) => zone !== undefined && isZone(zone));
    return { formContext: { ...formContext, zones, ...(readerZone !== undefined && { readerZone }) } };
  },
};

/** The person who reads a message: their zone and locale. */
export interface Reader {
  now: Date;
  /** IANA zone. Defaults to UTC. */
  zone: string;
  /** The same without the default. */
  known?: string | undefined;
  /** E.g. `de-DE`; absent if Slack didn't return it. */
  locale?: string | undefined;
}

/** The reader's zone is the one that they chose in Upnext, else that of their Slack profile. */
export async function fetchReader(call: Call): Promise<Reader> {
  const { workspace, user } = call.actor;
  const [{ person: ownZone }, { readerZone, readerLocale }] = await Promise.all([
    findZones(call.context.db, { workspace, user, channel: undefined }),
    readProfile(call),
  ]);
  const known = [ownZone, readerZone].find((one) => one !== undefined && isZone(one));
  return { now: call.now(), zone: known ?? 'UTC', known, locale: readerLocale };
}

/** IANA zone and locale from the person's Slack profile, each absent if Slack doesn't return it. */
export async function readProfile(
  call: Pick<Call, 'client' | 'actor' | 'log' | 'reference'>,
): Promise<{ readerZone?: string; readerLocale?: string }> {
  const { client, actor, log, reference } = call;
  try {
    const { user } = await client.users.info({ user: actor.user, include_locale: true });
    return {
      ...(user?.tz !== undefined && isZone(user.tz) && { readerZone: user.tz }),
      ...(user?.locale !== undefined && { readerLocale: user.locale }),
    };
  } catch (error) {
    log.warn({ reference, reason: String(error) }, 'could not read the time zone of a profile');
    return {};
  }
}
