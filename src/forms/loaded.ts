import { z } from 'zod';
import { isInconclusive, type Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { Call } from '../app/call.ts';
import { addUnreadProjects, resolveChannelProject } from '../posts/project.ts';
import { boundProjects } from '../preferences/bindings.ts';
import { zonesFor } from '../preferences/zones.ts';
import { LIMITS } from '../slack/limits.ts';
import { serviceFailureText } from '../slack/service-trouble.ts';
import { isZone } from '../when/when.ts';
import { readProfile } from './reader.ts';

const project = z.object({ id: z.string(), name: z.string() });

/** What every form rests on; a form that needs more extends it. */
export const loaded = z.object({
  /** At most a select's hundred; `more` says that there are others, which the select then searches. */
  projects: z.array(project),
  more: z.boolean(),
  /** The service did not answer: the projects are those that it named last. */
  isLast: z.boolean().optional(),
  /** The one that is not asked for, or the channel's. */
  chosen: project.optional(),
  /** The person's own, from their Slack profile; absent where Slack did not say. */
  readerZone: z.string().optional(),
  /** The language that the person reads and writes, e.g. `de-DE`; absent where Slack did not say. */
  readerLocale: z.string().optional(),
});
export type Loaded = z.infer<typeof loaded>;

/** What a form begins with. */
export interface Begin {
  channel?: string;
  /** Values by field. */
  prefill?: Readonly<Record<string, unknown>>;
  /** Where the service does not answer, the projects that it named last will do: what is submitted waits for it. */
  lastWillDo?: boolean;
}

/** `prefill`: what the form begins with beside what it was opened with, found out while it was loading. */
export type Loading<Facts> =
  | { facts: Facts; prefill?: Readonly<Record<string, unknown>> }
  | { trouble: string };

/** How a form gets what it rests on, and how that is read back from where it is kept. */
export interface Facts<Kept extends Loaded> {
  schema: z.ZodType<Kept>;
  load(call: Call, begin: Begin): Promise<Loading<Kept>>;
}

/** What stands in a form whose `isLast` is true; plain text. */
export const IS_LAST =
  'The scheduling service does not answer just now, so the projects are those that it named last. What you send is saved, and goes out when it answers.';

/** For a form about a project: which there are, which one is meant, and who reads. */
export const projectFacts: Facts<Loaded> = { schema: loaded, load: loadProjects };

/** The same for what can wait for the service: where it does not answer, with the projects that it named last. */
export const waitingFacts: Facts<Loaded> = {
  schema: loaded,
  load: (call, begin) => loadProjects(call, { ...begin, lastWillDo: true }),
};

/** For a form about no project: who reads. */
export const readerFacts: Facts<Loaded> = {
  schema: loaded,
  load: async (call) => ({ facts: { projects: [], more: false, ...(await readProfile(call)) } }),
};

async function loadProjects(call: Call, begin: Begin): Promise<Loading<Loaded>> {
  const { api, reads, db } = call.context;
  const [outcome, bound, reader] = await Promise.all([
    reads.projectsNow(api),
    boundProjects(db, { workspace: call.who.workspace, channel: begin.channel }),
    readProfile(call),
  ]);
  const last = begin.lastWillDo && isInconclusive(outcome) ? reads.lastProjects(api) : undefined;
  const known = knownProjects(outcome, last);
  if ('trouble' in known) return known;
  const { isLast } = known;
  const prefilled = project.safeParse(begin.prefill?.project).data;
  const listed = addUnreadProjects(known.listed, [...(prefilled ? [prefilled] : []), ...bound], call);
  const { items } = listed;
  const here = bound.flatMap((id) => items.find((item) => item.id === id) ?? []);
  // Of several that the channel is about none is meant more than the others.
  const found = resolveChannelProject(listed, here.length === 1 ? here[0]?.id : undefined);
  if (found.kind === 'none')
    return { trouble: 'There is no project yet. Make one in the scheduling service first.' };
  const chosen = found.kind === 'one' ? found.project : undefined;
  const projects = selectable(items, [...here, chosen, items.find(({ id }) => id === prefilled?.id)]);
  return {
    facts: {
      ...{ projects, more: listed.isTruncated || items.length > projects.length },
      ...(isLast && { isLast }),
      ...(chosen && { chosen }),
      ...reader,
    },
  };
}

function knownProjects(
  outcome: Outcome<Records<Project>>,
  last: Records<Project> | undefined,
): { listed: Records<Project>; isLast: boolean } | { trouble: string } {
  if (last) return { listed: last, isLast: true };
  if (outcome.kind !== 'done') return { trouble: `${serviceFailureText(outcome)} The form needs it.` };
  if (outcome.data.shape === 'read') return { listed: outcome.data, isLast: false };
  return { trouble: 'The scheduling service answered, but I cannot read its projects.' };
}

/** As many as a select holds; the channel's stand first, and those that the form begins with are among them. */
function selectable(items: readonly Project[], begun: readonly (Project | undefined)[]): Project[] {
  const first = begun.filter((one) => one !== undefined);
  return [...new Set([...first, ...items])].slice(0, LIMITS.options);
}

export const zonedFacts = loaded.extend({
  /** Which zones were chosen for what; IANA names. */
  zones: z.object({
    channel: z.string().optional(),
    byProject: z.record(z.string(), z.string()),
    own: z.string().optional(),
    profile: z.string().optional(),
  }),
});
export type ZonedFacts = z.infer<typeof zonedFacts>;

/** For a form about a project and a moment: what projectFacts has, and the zones; the reader's is their own first. */
export const zoneFacts: Facts<ZonedFacts> = {
  schema: zonedFacts,
  async load(call, begin) {
    const { workspace, user } = call.who;
    const [base, chosen] = await Promise.all([
      projectFacts.load(call, begin),
      zonesFor(call.context.db, { workspace, user, channel: begin.channel }),
    ]);
    if ('trouble' in base) return base;
    const { readerZone: profile, ...facts } = base.facts;
    const zones = { ...chosen, ...(profile !== undefined && { profile }) };
    const readerZone = [chosen.own, profile].find((zone) => zone !== undefined && isZone(zone));
    return { facts: { ...facts, zones, ...(readerZone !== undefined && { readerZone }) } };
  },
};
