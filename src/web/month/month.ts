import type { Project } from '../../api/projects.ts';
import { getLocalDate } from '../../digests/content/days.ts';
import { listOpenSlots } from '../../held-posts/slots/slot-plan.ts';
import { DEFAULT_POLICY, listPolicies } from '../../preferences/project-policy.ts';
import { mapLimited, within } from '../../promises.ts';
import { type Answer, toAnswer } from '../answer.ts';
import { answerUnavailable, answerUnread } from '../layout.ts';
import type { Look, PageLook } from '../look.ts';
import type { People } from '../people.ts';
import { listProjects, MAX_READ_PROJECTS } from '../projects.ts';
import { type PagePlan, readPlan } from '../read-plan.ts';
import type { PageRequest } from '../request.ts';
import { getMonthRange, renderZone } from '../time.ts';
import { createMonthContent } from './month-content.ts';
import { renderDayPage, renderMonthPage } from './month-page.ts';
import { ALL_PROJECTS, type MonthQuery, readMonthQuery } from './month-query.ts';

/** Authors whose names are looked up. Slack allows about 100 lookups a minute. */
const MAX_NAMED_AUTHORS = 20;
/** A page doesn't wait longer for the names of authors. The next one has them. */
const MAX_NAMES_MS = 1_500;

/** Answers with the plan of a month, or of one of its days. Without a month in the address, it is the present one. */
export async function answerMonth(request: PageRequest): Promise<Answer | undefined> {
  const { look, assets, people, rest, parameters } = request;
  const [reader, known] = await Promise.all([people.readReader(look), listProjects(look)]);
  const now = look.now();
  const frame = {
    assets,
    reader: { name: reader.name, zone: renderZone(reader.zone, now) },
    home: '.',
  };
  if (!known) return answerUnread(frame);
  const { projects, isComplete } = known;
  const asked = parameters.get('project') ?? ALL_PROJECTS;
  const isMissing = asked !== ALL_PROJECTS && !projects.some(({ id }) => id === asked);
  // Another project instead of one that couldn't be looked up would be taken for it.
  if (isMissing && !isComplete && !look.lacks('viewer', asked)) return answerUnavailable(assets);
  const query = readMonthQuery(rest || getLocalDate(now, reader.zone).slice(0, 7), parameters, projects);
  if (!query) return undefined;
  const chosen = projects.filter(({ id }) => query.project === ALL_PROJECTS || id === query.project);
  const shownProjects = chosen.slice(0, MAX_READ_PROJECTS);
  const isAll = query.project !== ALL_PROJECTS || (isComplete && chosen.length === shownProjects.length);
  const plan = await readMonth(look, shownProjects, getMonthRange(query.month, reader.zone));
  const { blackouts, freeSlots } = await readCalendars(look, shownProjects, {
    plan,
    query,
    zone: reader.zone,
  });
  const content = createMonthContent({
    ...{ query, plan, projects: shownProjects, isAll, blackouts, freeSlots, reader, now },
  });
  const names = await findNames(look, people, [
    ...new Set([...(query.author === '' ? [] : [query.author]), ...content.authors]),
  ]);
  const page = {
    ...{ query, content, plan, projects, hasMoreProjects: !isComplete, reader, now, frame, names },
    leftOutCount: chosen.length - shownProjects.length,
  };
  if (query.day === '') return toAnswer(renderMonthPage(page));
  const day = content.days.find(({ date }) => date.slice(8) === query.day);
  return day && toAnswer(renderDayPage(page, day));
}

/** Reads a month, with the delivered posts for their history. If those leave no room for later posts, reads it without them. */
async function readMonth(
  look: PageLook,
  projects: readonly Project[],
  range: { from: Date; to: Date },
): Promise<PagePlan> {
  const plan = await readPlan(look, projects, range, { deliveredSince: 'ever' });
  return plan.isTruncated ? readPlan(look, projects, range) : plan;
}

/** Reads the blackout days and free slots of projects. */
async function readCalendars(
  { context, actor, may }: Look,
  projects: readonly Project[],
  { plan, query, zone }: { plan: PagePlan; query: MonthQuery; zone: string },
) {
  const policies = await listPolicies(context.db, actor.workspace);
  const { from, to: until } = getMonthRange(query.month, zone);
  const ofProjects = await mapLimited(projects, async ({ id: project }) => {
    const policy = policies.get(project) ?? DEFAULT_POLICY;
    const planned = plan.posts
      .filter((post) => post.project.id === project && post.state.tone !== 'cancelled')
      .map(({ at: instant, post: { platforms } }) => ({ instant, platforms }));
    // Without the service's posts, taken slots would look free.
    const isKnown = !plan.isTruncated && !plan.unread.some(({ id }) => id === project);
    const maySchedule = may('contributor', project);
    const key = { workspace: actor.workspace, project };
    const freeSlots =
      isKnown && maySchedule
        ? await listOpenSlots(context.heldPosts, key, policy, { from, until, planned })
        : [];
    return { project, blackouts: policy.blackouts, freeSlots };
  });
  return {
    blackouts: new Map(ofProjects.map(({ project, blackouts }) => [project, blackouts] as const)),
    freeSlots: ofProjects.flatMap(({ freeSlots }) => freeSlots),
  };
}

async function findNames(
  look: Look,
  people: People,
  authors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const find = mapLimited(authors.slice(0, MAX_NAMED_AUTHORS), async (author) => {
    const name = await people.readName(look, author);
    if (name !== undefined) names.set(author, name);
  });
  await within(MAX_NAMES_MS, find);
  return new Map([...names].toSorted(([, one], [, other]) => one.localeCompare(other)));
}
