import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { parseSections, SECTIONS } from '../../digests/content/sections.ts';
import { type Digest, isPersonal, isSharedWith } from '../../digests/digest.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, zonedContextSchema, zonedLoader } from '../../forms/form-context.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { type Conversation, conversation, readConversation } from './conversation.ts';
import { timeText } from './parse-digest-command.ts';

/** Values of the fields that the form shows or hides, depending on `where` and `kind`. */
const toggled = z.object({
  /** With `kind`: decides which fields the form shows. */
  where: z.string(),
  kind: z.string(),
  channel: z.string(),
  projects: z.array(namedRecord),
  days: z.array(z.string()),
  day: z.string(),
});
type Toggled = z.infer<typeof toggled>;

/** The last values are stored with the form, so that a hidden field reappears with its value. */
const lastToggled = toggled.optional();

/**
 * The current values of all fields. Slack sends no values for hidden fields, so those come from `last`. `mine`: the
 * projects of a personal digest. Pure.
 */
export function restoreHidden(
  { where, kind, channel, projects, mine, days, day }: Toggled & { mine: Toggled['projects'] },
  last: Toggled | undefined,
): Toggled {
  if (!last) return { where, kind, channel, projects, days, day };
  return {
    where,
    kind,
    channel: last.where === 'me' && channel === '' ? last.channel : channel,
    projects: last.where === 'me' ? mine : projects,
    days: last.kind === 'weekly' && days.length === 0 ? last.days : days,
    day: last.kind !== 'weekly' && day === '' ? last.day : day,
  };
}

const digestFacts = zonedContextSchema.extend({
  /** The digest that the form edits; absent for a new one. */
  editing: z.object({ id: z.string(), isPersonal: z.boolean() }).optional(),
  /** The current formContext about the chosen channel. */
  conversation: conversation.optional(),
  /** Slack's ids of the organisations that the form named when the user submitted it. */
  namedOutsiders: z.array(z.string()).optional(),
  last: lastToggled,
});
export type DigestFacts = z.infer<typeof digestFacts>;

/** Defaults to weekdays at 9:00. */
export const DEFAULT_DAYS = [1, 2, 3, 4, 5];
export const DEFAULT_TIME = { hour: 9, minute: 0 };

/** The prefill values that choose a digest to edit, or a channel. */
const choice = z.object({ digest: z.string().optional(), channel: z.string().optional() });

export const factsOfDigest: ContextLoader<DigestFacts> = {
  schema: digestFacts,
  async load(call, begin) {
    const { digest: id, channel: prefilledChannel } = choice.catch({}).parse(begin.prefill ?? {});
    const editing = id === undefined ? undefined : await findVisibleDigest(call, id);
    if (id !== undefined && !editing) return { trouble: 'This digest is not there any more.' };
    const channel = initialChannel(editing, prefilledChannel ?? begin.channel);
    const here = { ...begin, ...(channel !== undefined && { channel }) };
    const [base, found] = await Promise.all([
      zonedLoader.load(call, here),
      channel === undefined ? undefined : readConversation(call, channel),
    ]);
    if ('trouble' in base) return base;
    const formContext = {
      ...base.formContext,
      ...(found && { conversation: found }),
      ...(editing && { editing: { id: editing.id, isPersonal: isPersonal(editing) } }),
    };
    if (editing)
      return {
        formContext,
        prefill: { ...createPrefill(editing, await listProjectNames(call), found), channel },
      };
    const [bound] = found?.bound ?? [];
    const zone = pickDefaultZone(formContext.zones, formContext.chosen?.id ?? bound)?.zone;
    return { formContext, prefill: { ...defaults(zone, channel), ...begin.prefill } };
  },
};

/** Finds a digest. Other people's personal digests don't exist for the actor. */
export async function findVisibleDigest(call: Call, id: string): Promise<Digest | undefined> {
  const { workspace, user } = call.actor;
  const digest = await call.context.digests.find({ workspace, id });
  return digest && isPersonal(digest) && digest.channel !== user ? undefined : digest;
}

/** The channel that the form starts with. Undefined for a personal digest, and in a direct message. */
function initialChannel(editing: Digest | undefined, requested: string | undefined): string | undefined {
  if (editing) return isPersonal(editing) ? undefined : editing.channel;
  return requested !== undefined && /^[CG]/.test(requested) ? requested : undefined;
}

function defaults(zone: string | undefined, channel: string | undefined) {
  return {
    where: channel === undefined ? 'me' : 'channel',
    channel: channel ?? '',
    days: DEFAULT_DAYS.map(String),
    day: '1',
    time: timeText(DEFAULT_TIME),
    zone: zone ?? '',
    sections: [...SECTIONS],
  };
}

function createPrefill(digest: Digest, all: readonly NamedRecord[], conversation: Conversation | undefined) {
  const ids = digest.projects === 'channel' ? [] : digest.projects;
  return {
    where: isPersonal(digest) ? 'me' : 'channel',
    projects: ids.map((id) => all.find((project) => project.id === id) ?? { id, name: id }),
    kind: digest.kind,
    days: digest.days.map(String),
    day: String(digest.days[0] ?? 1),
    time: timeText(digest.time),
    zone: digest.zone,
    sections: [...parseSections(digest.sections)],
    quiet: digest.silentWhenEmpty ? [QUIET] : [],
    // Ticked only if it covers all current outsiders: a new organisation needs a new tick.
    shared: isSharedWith(digest, conversation?.audience?.outsiders ?? []) ? [SHARED] : [],
  };
}

/** Values of the single checkboxes. */
export const QUIET = 'quiet';
export const SHARED = 'shared';

/** Ids and names of the service's projects; empty if the service fails. */
export async function listProjectNames({ context }: Pick<Call, 'context'>): Promise<readonly NamedRecord[]> {
  const outcome = await context.reads.projects(context.api);
  return outcome.kind === 'done' ? outcome.data.items : [];
}
