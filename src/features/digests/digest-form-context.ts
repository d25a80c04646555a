import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { parseSections, SECTIONS } from '../../digests/content/sections.ts';
import { type Digest, isPersonal, isSharedWith } from '../../digests/digest.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, zonedContextSchema, zonedLoader } from '../../forms/form-context.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { type Conversation, conversation, readConversation } from './conversation.ts';
import { formatTime } from './parse-digest-command.ts';

/** The values of the fields that the form shows or hides, and of the two fields that decide it. */
const toggledValues = z.object({
  /** `where` and `kind` decide which of the other fields the form shows. */
  where: z.string(),
  kind: z.string(),
  channel: z.string(),
  projects: z.array(namedRecord),
  days: z.array(z.string()),
  day: z.string(),
});
type ToggledValues = z.infer<typeof toggledValues>;

/**
 * Restores the values of hidden fields, which Slack doesn't send, from the `previous` values. `mine` are the projects
 * of a personal digest.
 */
export function restoreHidden(
  { where, kind, channel, projects, mine, days, day }: ToggledValues & { mine: ToggledValues['projects'] },
  previous: ToggledValues | undefined,
): ToggledValues {
  if (!previous) return { where, kind, channel, projects, days, day };
  return {
    where,
    kind,
    channel: previous.where === 'me' && channel === '' ? previous.channel : channel,
    projects: previous.where === 'me' ? mine : projects,
    days: previous.kind === 'weekly' && days.length === 0 ? previous.days : days,
    day: previous.kind !== 'weekly' && day === '' ? previous.day : day,
  };
}

const digestFormContext = zonedContextSchema.extend({
  /** The digest that the form edits; absent for a new one. */
  editedDigest: z.object({ id: z.string(), isPersonal: z.boolean() }).optional(),
  /** The chosen channel. */
  conversation: conversation.optional(),
  /** Ids of the organisations that the form named when the actor submitted it. */
  namedOutsiders: z.array(z.string()).optional(),
  /** The values at the last change, so that a hidden field reappears with its value. */
  previousValues: toggledValues.optional(),
});
export type DigestFormContext = z.infer<typeof digestFormContext>;

/** A new digest defaults to weekdays at 9:00. */
export const DEFAULT_DAYS = [1, 2, 3, 4, 5];
export const DEFAULT_TIME = { hour: 9, minute: 0 };

/** The prefill values that choose the digest to edit, or the channel of a new digest. */
const prefillChoice = z.object({ digest: z.string().optional(), channel: z.string().optional() });

/** Loads the context of the digest form. */
export const digestContextLoader: ContextLoader<DigestFormContext> = {
  schema: digestFormContext,
  async load(call, begin) {
    const { digest: id, channel: prefilledChannel } = prefillChoice.catch({}).parse(begin.prefill ?? {});
    const editedDigest = id === undefined ? undefined : await findVisibleDigest(call, id);
    if (id !== undefined && !editedDigest) return { failureText: 'This digest is not there any more.' };
    const channel = chooseChannel(editedDigest, prefilledChannel ?? begin.channel);
    const request = { ...begin, ...(channel !== undefined && { channel }) };
    const [base, conversation] = await Promise.all([
      zonedLoader.load(call, request),
      channel === undefined ? undefined : readConversation(call, channel),
    ]);
    if ('failureText' in base) return base;
    const formContext = {
      ...base.formContext,
      ...(conversation && { conversation }),
      ...(editedDigest && { editedDigest: { id: editedDigest.id, isPersonal: isPersonal(editedDigest) } }),
    };
    if (editedDigest)
      return {
        formContext,
        prefill: { ...createPrefill(editedDigest, await listProjectNames(call), conversation), channel },
      };
    const [firstBoundId] = conversation?.boundProjectIds ?? [];
    const zone = pickDefaultZone(formContext.zones, formContext.chosen?.id ?? firstBoundId)?.zone;
    return { formContext, prefill: { ...buildDefaults(zone, channel), ...begin.prefill } };
  },
};

/** Finds a digest that the actor may see. Undefined for another person's personal digest. */
export async function findVisibleDigest(call: Call, id: string): Promise<Digest | undefined> {
  const { workspace, user } = call.actor;
  const digest = await call.context.digests.find({ workspace, id });
  return digest && isPersonal(digest) && digest.channel !== user ? undefined : digest;
}

/** Chooses the initial channel of the form. Undefined for a personal digest, and in a direct message. */
function chooseChannel(editedDigest: Digest | undefined, requested: string | undefined): string | undefined {
  if (editedDigest) return isPersonal(editedDigest) ? undefined : editedDigest.channel;
  return requested !== undefined && /^[CG]/.test(requested) ? requested : undefined;
}

function buildDefaults(zone: string | undefined, channel: string | undefined) {
  return {
    where: channel === undefined ? 'me' : 'channel',
    channel: channel ?? '',
    days: DEFAULT_DAYS.map(String),
    day: '1',
    time: formatTime(DEFAULT_TIME),
    zone: zone ?? '',
    sections: [...SECTIONS],
  };
}

function createPrefill(
  digest: Digest,
  allProjects: readonly NamedRecord[],
  conversation: Conversation | undefined,
) {
  const ids = digest.projects === 'channel' ? [] : digest.projects;
  return {
    where: isPersonal(digest) ? 'me' : 'channel',
    projects: ids.map((id) => allProjects.find((project) => project.id === id) ?? { id, name: id }),
    kind: digest.kind,
    days: digest.days.map(String),
    day: String(digest.days[0] ?? 1),
    time: formatTime(digest.time),
    zone: digest.zone,
    sections: [...parseSections(digest.sections)],
    quiet: digest.isSilentWhenEmpty ? [QUIET] : [],
    // Ticked only if the digest is shared with all current outsiders. A new organisation needs a new tick.
    shared: isSharedWith(digest, conversation?.audience?.outsiders ?? []) ? [SHARED] : [],
  };
}

/** Values of the single checkboxes. */
export const QUIET = 'quiet';
export const SHARED = 'shared';

/** Lists ids and names of the service's projects. Empty if the service fails. */
export async function listProjectNames({ context }: Pick<Call, 'context'>): Promise<readonly NamedRecord[]> {
  const outcome = await context.reads.listProjects(context.api);
  return outcome.kind === 'done' ? outcome.data.items : [];
}
