import { z } from 'zod';
import { listKnownProjects } from '../../api/cached-reads.ts';
import { nameById } from '../../api/project-ids.ts';
import {
  type Digest,
  type DigestSettings,
  formatTime,
  isPersonal,
  isSharedWith,
  SECTIONS,
  toColumns,
} from '../../digests/digest.ts';
import { listDigestProjects } from '../../digests/sql/digests.ts';
import {
  type Conversation,
  conversationSchema,
  isChannelId,
  readConversationWithGuests,
} from '../../forms/conversation.ts';
import type { NamedRecord } from '../../forms/field.ts';
import {
  type ContextLoader,
  readProfile,
  zonedContextSchema,
  zonedLoader,
} from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { findProjectByChannelName } from '../../posts/project.ts';
import { keepsGuestsOut, listPolicies } from '../../preferences/project-policy.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';

const digestFormContextSchema = zonedContextSchema.extend({
  /** The digest that the form edits; absent for a new one. */
  editedDigest: z.object({ id: z.string(), isPersonal: z.boolean() }).optional(),
  /** The chosen channel; absent if none is chosen. */
  conversation: conversationSchema.optional(),
  /** Ids of the other organisations that the form named when the actor submitted it. */
  shownOrganisationIds: z.array(z.string()).optional(),
  shownWhere: z.string().optional(),
  /** The ids of the projects whose policies keep guests out. */
  projectsWithoutGuests: z.array(z.string()).default([]),
});
export type DigestFormContext = z.infer<typeof digestFormContextSchema>;

/** A new digest defaults to weekdays at 9:00. */
export const DEFAULT_DAYS = [1, 2, 3, 4, 5];
export const DEFAULT_TIME = { hour: 9, minute: 0 };

const prefillChoiceSchema = z.object({ digest: z.string().optional(), channel: z.string().optional() });

export const digestContextLoader: ContextLoader<DigestFormContext> = {
  schema: digestFormContextSchema,
  async load(call, openOptions) {
    const { digest: id, channel: prefilledChannel } = prefillChoiceSchema
      .catch({})
      .parse(openOptions.prefill ?? {});
    const editedDigest = id === undefined ? undefined : await findVisibleDigest(call, id);
    if (id !== undefined && !editedDigest) return { failureText: 'This digest no longer exists.' };
    // The form of a personal digest begins without a channel, and so does a new one in a direct message.
    const requestedChannel = editedDigest ? editedDigest.channel : (prefilledChannel ?? openOptions.channel);
    const channel = isChannelId(requestedChannel) ? requestedChannel : undefined;
    const zonedOptions = { ...openOptions, ...(channel !== undefined && { channel }) };
    const [zonedResult, policies, conversation] = await Promise.all([
      zonedLoader.load(call, zonedOptions),
      listPolicies(call.context.db, call.actor.workspace),
      channel === undefined ? undefined : readConversationWithGuests(call, channel),
    ]);
    if ('failureText' in zonedResult) return zonedResult;
    const formContext = {
      ...zonedResult.formContext,
      projectsWithoutGuests: [...policies].flatMap(([id, policy]) => (keepsGuestsOut(policy) ? [id] : [])),
      ...(conversation && { conversation }),
      ...(editedDigest && { editedDigest: { id: editedDigest.id, isPersonal: isPersonal(editedDigest) } }),
    };
    if (editedDigest)
      return {
        formContext,
        prefill: { ...createEditPrefill(editedDigest, await listNamedProjects(call), conversation), channel },
      };
    const channelProjectId = conversation?.boundProjectIds[0] ?? findNamesake(formContext)?.id;
    const projectId = formContext.preselectedProject?.id ?? channelProjectId;
    const zone = pickDefaultZone(formContext.zones, projectId)?.zone;
    const projectIds = projectId === undefined ? formContext.projects.map(({ id }) => id) : [projectId];
    // Only a manager may set up the digest of a channel.
    const isManager = projectIds.some((id) => !call.lacks('manager', id));
    const where = channel === undefined || !isManager ? 'me' : 'channel';
    const prefill = {
      where,
      channel: channel ?? '',
      days: DEFAULT_DAYS.map(String),
      day: '1',
      time: formatTime(DEFAULT_TIME),
      zone: zone ?? '',
      sections: [...SECTIONS],
      ...openOptions.prefill,
    };
    return { formContext, prefill };
  },
};

/** Finds the project that the chosen channel is named after, which counts for a channel without bound projects. */
export function findNamesake(
  formContext: Pick<DigestFormContext, 'projects' | 'hasMore' | 'conversation'>,
): NamedRecord | undefined {
  const { projects, hasMore, conversation } = formContext;
  if (conversation?.name === undefined || conversation.boundProjectIds.length > 0) return undefined;
  return findProjectByChannelName({ items: projects, isTruncated: hasMore }, conversation.name);
}

/** Finds a digest. Undefined if there is none, or if it is another person's personal digest. */
export async function findVisibleDigest(call: Call, id: string): Promise<Digest | undefined> {
  const { workspace, user } = call.actor;
  const digest = await call.context.digests.find({ workspace, id });
  return digest && isPersonal(digest) && digest.channel !== user ? undefined : digest;
}

/** Whether another digest says the same in the same place at the same times. `id` is the id of the saved digest. */
export async function isTwin(call: Call, settings: DigestSettings & { id?: string }): Promise<boolean> {
  const { workspace, channel, id } = settings;
  const { digests } = await call.context.digests.list({ workspace, channel });
  const others = digests.filter((digest) => digest.id !== id);
  if (others.length === 0) return false;
  const allProjects = await listNamedProjects(call);
  const describe = async (digest: DigestSettings) => {
    const chosen = await listDigestProjects(call.context.db, digest);
    const projects = chosen.length > 0 ? chosen : allProjects.map((project) => project.id);
    return JSON.stringify(toColumns({ ...digest, projects: projects.toSorted(), sharedWith: null }));
  };
  const wanted = await describe(settings);
  return (await Promise.all(others.map(describe))).includes(wanted);
}

function createEditPrefill(
  digest: Digest,
  allProjects: readonly NamedRecord[],
  conversation: Conversation | undefined,
) {
  const projectIds = digest.projects === 'channel' ? [] : digest.projects;
  return {
    where: isPersonal(digest) ? 'me' : 'channel',
    projects: projectIds.map((id) => allProjects.find((project) => project.id === id) ?? nameById(id)),
    kind: digest.kind,
    days: digest.days.map(String),
    day: String(digest.days[0] ?? 1),
    time: formatTime(digest.time),
    zone: digest.zone,
    sections: [...digest.sections],
    quiet: digest.isSilentWhenEmpty ? [QUIET_OPTION] : [],
    // The box is ticked only if the digest is shared with all current outsiders. A new organisation needs a new tick.
    shared: isSharedWith(digest, conversation?.audience?.outsiders ?? []) ? [SHARED_OPTION] : [],
  };
}

/** The values of the form's two single checkboxes. */
export const QUIET_OPTION = 'quiet';
export const SHARED_OPTION = 'shared';

/** Whom a digest is shown to: the projects whose names they read, and their locale. */
export interface DigestViewer {
  projects: readonly NamedRecord[];
  locale: string | undefined;
}

export async function loadViewer(call: Call): Promise<DigestViewer> {
  const [projects, { actorLocale: locale }] = await Promise.all([listNamedProjects(call), readProfile(call)]);
  return { projects, locale };
}

async function listNamedProjects({ context }: Pick<Call, 'context'>): Promise<readonly NamedRecord[]> {
  return (await listKnownProjects(context))?.items ?? [];
}
