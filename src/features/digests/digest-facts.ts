import { z } from 'zod';
import type { Call } from '../../app/call.ts';
import { readShows, SHOWS } from '../../digests/composed/shows.ts';
import { type Digest, isPersonal, isSharedWith } from '../../digests/digest.ts';
import { type Named, named } from '../../forms/field.ts';
import { type ContextLoader, zonedContextSchema, zonedLoader } from '../../forms/form-context.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { type Conversation, conversation, readConversation } from './conversation.ts';
import { timeText } from './read-digest-words.ts';

/** What stands in the fields of which only some are there at a time. */
const toggled = z.object({
  /** Which of them were there last. */
  where: z.string(),
  kind: z.string(),
  channel: z.string(),
  projects: z.array(named),
  days: z.array(z.string()),
  day: z.string(),
});
type Toggled = z.infer<typeof toggled>;

/** The same, kept with the form: a field that was not there comes back as it was. */
const lastToggled = toggled.optional();

/** Slack says nothing of a field that is not there. `mine`: the projects where it is for one person. Pure. */
export function restored(
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
  /** The one that is changed; absent of a new one. */
  editing: z.object({ id: z.string(), isPersonal: z.boolean() }).optional(),
  /** The channel that stands in the form, as it is now. */
  conversation: conversation.optional(),
  /** Slack's ids of the organisations that the form named before it was looked up anew. */
  named: z.array(z.string()).optional(),
  last: lastToggled,
});
export type DigestFacts = z.infer<typeof digestFacts>;

/** What a digest is when nobody says anything: weekdays at 9:00. */
export const USUAL_DAYS = [1, 2, 3, 4, 5];
export const USUAL_TIME = { hour: 9, minute: 0 };

/** What the form begins with, beside what it was opened with. */
const begun = z.object({ digest: z.string().optional(), channel: z.string().optional() });

export const factsOfDigest: ContextLoader<DigestFacts> = {
  schema: digestFacts,
  async load(call, begin) {
    const { digest: id, channel: wanted } = begun.catch({}).parse(begin.prefill ?? {});
    const editing = id === undefined ? undefined : await ownOrChannels(call, id);
    if (id !== undefined && !editing) return { trouble: 'This digest is not there any more.' };
    const channel = channelOf(editing, wanted ?? begin.channel);
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
      return { formContext, prefill: { ...prefillOf(editing, await projectsNamed(call), found), channel } };
    const [bound] = found?.bound ?? [];
    const zone = pickDefaultZone(formContext.zones, formContext.chosen?.id ?? bound)?.zone;
    return { formContext, prefill: { ...defaults(zone, channel), ...begin.prefill } };
  },
};

/** What belongs to somebody else alone is not there for others. */
export async function ownOrChannels(call: Call, id: string): Promise<Digest | undefined> {
  const { workspace, user } = call.who;
  const digest = await call.context.digests.find({ workspace, id });
  return digest && isPersonal(digest) && digest.channel !== user ? undefined : digest;
}

/** Digests are posted in channels; where somebody speaks with the bot alone there is none. */
function channelOf(editing: Digest | undefined, asked: string | undefined): string | undefined {
  if (editing) return isPersonal(editing) ? undefined : editing.channel;
  return asked !== undefined && /^[CG]/.test(asked) ? asked : undefined;
}

function defaults(zone: string | undefined, channel: string | undefined) {
  return {
    where: channel === undefined ? 'me' : 'channel',
    channel: channel ?? '',
    days: USUAL_DAYS.map(String),
    day: '1',
    time: timeText(USUAL_TIME),
    zone: zone ?? '',
    shows: [...SHOWS],
  };
}

function prefillOf(digest: Digest, all: readonly Named[], conversation: Conversation | undefined) {
  const ids = digest.projects === 'channel' ? [] : digest.projects;
  return {
    where: isPersonal(digest) ? 'me' : 'channel',
    projects: ids.map((id) => all.find((project) => project.id === id) ?? { id, name: id }),
    kind: digest.kind,
    days: digest.days.map(String),
    day: String(digest.days[0] ?? 1),
    time: timeText(digest.time),
    zone: digest.zone,
    shows: [...readShows(digest.shows)],
    quiet: digest.silentWhenEmpty ? [QUIET] : [],
    // Whoever has come since is not let in by a tick that nobody set.
    shared: isSharedWith(digest, conversation?.audience?.outsiders ?? []) ? [SHARED] : [],
  };
}

/** The values of the boxes that stand alone. */
export const QUIET = 'quiet';
export const SHARED = 'shared';

/** The names of what there is; none where the service does not answer. */
export async function projectsNamed({ context }: Pick<Call, 'context'>): Promise<readonly Named[]> {
  const outcome = await context.reads.projects(context.api);
  return outcome.kind === 'done' ? outcome.data.items : [];
}
