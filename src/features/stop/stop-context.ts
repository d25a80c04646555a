import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { listKnownProjects } from '../../api/cached-reads.ts';
import { isAccessRefusal } from '../../api/outcome.ts';
import { listProjects } from '../../api/projects.ts';
import { findSendingStop, listStoppedProjects, type SendingStop } from '../../engine/sending-stop.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type ContextLoader, cachedProjectLoader, formContextSchema } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { countHeldPosts } from '../../held-posts/sql/held-posts.ts';
import { renderExcerpt, renderWaitingCount, toExcerpt, type Waiting } from '../../posts/post-text.ts';
import { comparePosts, renderPostTime, type Viewer } from '../../posts/post-time.ts';
import { type ProjectList, resolveProject } from '../../posts/project.ts';
import type { readPostList } from '../../posts/read-post-list.ts';
import { within } from '../../promises.ts';
import {
  actions,
  clipEscaped,
  clipLine,
  context,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { runLineButton } from '../../slack/catalogue.ts';
import { addBlocks, type Message } from '../../slack/message.ts';
import { buildModal, type Modal } from '../../slack/message-view.ts';
import { normalizeName } from '../../slack/name.ts';
import { PermissionUnknown } from '../../slack/not-allowed.ts';
import { renderReadFailure } from '../../slack/service-failure.ts';
import { findNearest } from '../../slack/suggest.ts';
import { isPaused } from '../../submissions/pause.ts';
import { countUnsent, findProjectStop } from '../../submissions/project-stop.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';
import { clip, MAX_COUNTED, renderCount } from '../../words.ts';

const MAX_EXCERPT_LENGTH = 80;
/** Maximum length of an excerpt in mrkdwn, so that 12 lines with times fit in a section. */
const MAX_ESCAPED_EXCERPT_LENGTH = 140;
const MAX_TITLE_LENGTH = 120;
/** Maximum number of submissions in flight in a list, which also has up to 500 posts in 100 blocks. */
const MAX_LISTED_IN_FLIGHT = 300;
/** Maximum number of posts in a message, of which Slack accepts about 10,000 characters. */
const MAX_TOLD_POSTS = 20;
/** Maximum length of the line of a post in mrkdwn, which is longer than in plain text if it has many entities. */
const MAX_LINE_LENGTH = 220;

/** Says what a stop of the chosen project changes, before anybody confirms it. */
export function renderConsequences({ chosen, unknownProject }: StopContext): KnownBlock[] {
  return [
    ...(unknownProject === undefined
      ? []
      : [
          plainSection(
            `I know no project “${clipLine(unknownProject)}” that you may stop.${chosen ? '' : ' Choose one.'}`,
          ),
        ]),
    ...(chosen?.stop
      ? [
          section(
            `*${escapeText(clipLine(chosen.project.name))} is stopped already.*\n${renderStop(chosen.stop)}.`,
          ),
        ]
      : []),
    ...(chosen && !chosen.stop ? [section(renderChosen(chosen))] : []),
    context(
      'New posts are saved and wait. Posts that the scheduling service already has still go out, and I’ll list them.',
    ),
  ];
}

function renderChosen({ project, waiting }: NonNullable<StopContext['chosen']>): string {
  const countText =
    waiting.count === 0
      ? 'Nothing is waiting now.'
      : `${renderWaitingCount(waiting)} waiting, and will wait longer.`;
  return `I’ll send nothing more for *${escapeText(clipLine(project.name))}* until a Manager resumes it. ${countText}`;
}

interface StopResult {
  project: NamedRecord;
  stop: SendingStop;
  /** Whether this press stopped the project. Otherwise it was stopped before. */
  isNew: boolean;
  /** Whether the reader may resume it. */
  mayResume: boolean;
  now: Date;
  viewer: Viewer;
  /** Posts that may have reached the service already. */
  inFlight: readonly { title: string; author: string }[] | 'unread';
  servicePosts: Awaited<ReturnType<typeof readPostList>> | 'reading' | 'unread';
}

/** Says that a project is stopped, and lists what can't be stopped any more. */
export function renderStoppedView(result: StopResult): Modal {
  const { project, stop, isNew, mayResume, inFlight } = result;
  const title = `${escapeText(clipLine(project.name))} is stopped${isNew ? '' : ' already'}.`;
  return buildModal('Stopped', [
    section(`:octagonal_sign: *${title}*\n${renderStop(stop)}.`),
    mayResume
      ? actions(runLineButton('Resume…', `/upnext resume ${project.id}`))
      : context('A Manager can resume it with `/upnext resume`.'),
    section('*Upnext can’t stop these*'),
    ...renderInFlight(inFlight),
    ...renderServicePosts(result),
  ]);
}

function renderInFlight(inFlight: StopResult['inFlight']): KnownBlock[] {
  if (inFlight === 'unread') return [section('I don’t know which posts are on their way to the service.')];
  if (inFlight.length === 0) return [section('Nothing is on its way to the service.')];
  const lines = inFlight.map(
    ({ title, author }) => `${clipEscaped(escapeText(title), MAX_LINE_LENGTH)} by <@${author}>`,
  );
  return [
    section(
      `${renderCount(inFlight.length, 'submission was', 'submissions were')} on the way to the service:`,
    ),
    ...renderLines(lines.slice(0, MAX_LISTED_IN_FLIGHT)),
    ...(lines.length > MAX_LISTED_IN_FLIGHT
      ? [context(`…and ${lines.length - MAX_LISTED_IN_FLIGHT} more.`)]
      : []),
  ];
}

/** Lines of a section. More of the longest would be more than Slack's 3,000 characters. */
const LINES_PER_BLOCK = 12;

/** Renders lines (mrkdwn) in as few blocks as possible, because hundreds of posts have to fit. */
function renderLines(lines: readonly string[]): KnownBlock[] {
  return Array.from({ length: Math.ceil(lines.length / LINES_PER_BLOCK) }, (_, index) => {
    const part = lines.slice(index * LINES_PER_BLOCK, (index + 1) * LINES_PER_BLOCK);
    return section(part.map((line) => `• ${line}`).join('\n'));
  });
}

/** Renders posts in a message as lines: their title, and the beginning of their text. `where`: where the others are. */
export function renderPostLines(posts: readonly { title: string; text: string }[], where = ''): KnownBlock[] {
  const lines = posts.slice(0, MAX_TOLD_POSTS).map(({ title, text }) => {
    const excerpt = toExcerpt(sanitizeLine(text), MAX_EXCERPT_LENGTH);
    const line = `${clip(title, MAX_TITLE_LENGTH)}${excerpt === '' ? '' : `: “${excerpt}”`}`;
    return clipEscaped(escapeText(line), MAX_LINE_LENGTH);
  });
  const hiddenCount = posts.length - lines.length;
  return [
    ...renderLines(lines),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more. ${where}`.trim())] : []),
  ];
}

const UNKNOWN_POSTS = 'I don’t know which posts the service already has.';

function renderServicePosts({ servicePosts: result, viewer, now }: StopResult): KnownBlock[] {
  if (result === 'reading') return [section('I’m asking the scheduling service which posts it already has.')];
  if (result === 'unread') return [section(UNKNOWN_POSTS)];
  if (result.kind === 'failed') return [section(`${UNKNOWN_POSTS} ${renderReadFailure(result.failure)}`)];
  const { posts, isTruncated, unreadableCount } = result;
  const count = posts.length + unreadableCount;
  if (count === 0)
    return [
      section(
        isTruncated
          ? 'I don’t know which posts the service already has, because it didn’t return a whole list.'
          : 'The scheduling service has no scheduled post of this project.',
      ),
    ];
  const countText = `${isTruncated ? 'at least ' : ''}${renderCount(count, 'post')}`;
  const lines = posts.toSorted(comparePosts).map((post) => {
    const time =
      post.scheduleDate &&
      renderPostTime({ instant: post.scheduleDate, zone: post.timezone }, viewer, now).mrkdwn;
    const excerpt = escapeText(toExcerpt(renderExcerpt(post), MAX_EXCERPT_LENGTH));
    return `${time ?? 'No date'} ${clipEscaped(excerpt, MAX_ESCAPED_EXCERPT_LENGTH)}`;
  });
  return [
    section(
      `The scheduling service has ${countText} to publish. Change ${count === 1 ? 'it' : 'them'} there.`,
    ),
    ...renderLines(lines),
  ];
}

const stopContextSchema = formContextSchema.extend({
  /** The text after the command if it names no project that the person may stop. */
  unknownProject: z.string().optional(),
  chosen: z
    .object({
      project: namedRecord,
      waiting: z.object({ count: z.number(), kinds: z.array(z.string()).readonly() }),
      stop: z
        .object({ reason: z.string(), since: z.coerce.date(), stopped_by: z.string().nullable() })
        .optional(),
    })
    .optional(),
});
export type StopContext = z.infer<typeof stopContextSchema>;

/** Loads the projects that the person may stop, also while the service is down, and the state of the chosen project. */
export const stopLoader: ContextLoader<StopContext> = {
  schema: stopContextSchema,
  async load(call, options) {
    const text = namedRecord.safeParse(options.prefill?.project).data?.name ?? '';
    const named = text === '' ? undefined : findNamedProject(await listKnownProjects(call.context), text);
    const namedProject = named?.project;
    const result = await cachedProjectLoader.load(call, { ...options, prefill: { project: namedProject } });
    if ('failureText' in result) return result;
    const { isFromCache: _, preselectedProject, ...formContext } = result.formContext;
    const isUnknown = text !== '' && !namedProject;
    // In a hurry, people type why they stop it.
    const reason = named?.reason ?? (isUnknown && !isLikeName(text, formContext.projects) ? text : '');
    const hasOneProject = formContext.projects.length === 1 && !formContext.hasMore;
    const preselected = namedProject ?? (isUnknown && !hasOneProject ? undefined : preselectedProject);
    return {
      formContext: {
        ...formContext,
        ...(preselected && { preselectedProject: preselected }),
        ...(isUnknown && { unknownProject: text }),
        chosen: preselected && (await loadProject(call, preselected)),
      },
      ...(reason !== '' && { prefill: { reason } }),
    };
  },
};

/** A shorter text may be a name as well as a reason. */
const MIN_REASON_WORDS = 3;

/** Whether a text may be a mistyped name of a project. It mustn't be announced as the reason of the stop. */
function isLikeName(text: string, projects: readonly NamedRecord[]): boolean {
  const words = text.trim().split(/\s+/);
  return (
    words.length < MIN_REASON_WORDS ||
    words.every((word) => /^[^\p{Ll}]/u.test(word)) ||
    findNearest(
      normalizeName(text),
      projects.map(({ name }) => normalizeName(name)),
    ) !== undefined
  );
}

/**
 * Finds the project that the text after a command names, and the reason in the text: the words after the name, or all if
 * there are words before it. Undefined if the text names no project, or several.
 */
export function findNamedProject(
  list: ProjectList | undefined,
  text: string,
): { project: NamedRecord; reason: string } | undefined {
  const resolution = list && resolveProject(list, [], text);
  if (resolution?.kind !== 'one' || resolution.rest === text.trim()) return undefined;
  const { project, rest } = resolution;
  return { project, reason: rest === '' || text.trim().endsWith(rest) ? rest : text.trim() };
}

/** Throws if a stopped project may be the person's, and a lookup of their roles has failed. */
export async function requireKnownRoles(call: Call): Promise<void> {
  const rows = await listStoppedProjects(call.context.db, call.actor.workspace);
  if (rows.every(({ project }) => call.may('manager', project) || call.lacks('manager', project))) return;
  throw new PermissionUnknown(call.reference);
}

export async function loadProject(call: Call, project: NamedRecord): Promise<StopContext['chosen']> {
  const [stop, waiting] = await Promise.all([
    findProjectStop(call.context.db, { workspace: call.actor.workspace, project: project.id }),
    countWaiting(call, project.id),
  ]);
  return { project, waiting, ...(stop && { stop }) };
}

/** Counts what would go out for a project without a stop. Posts that are reviewed wait anyway. */
export async function countWaiting(
  { context, actor, now }: Pick<Call, 'context' | 'actor' | 'now'>,
  project: string,
): Promise<Waiting> {
  const key = { workspace: actor.workspace, project };
  const [unsent, heldCount] = await Promise.all([
    countUnsent(context.submissions.context, key),
    countHeldPosts(context.db, { ...key, states: ['held'], from: now() }, MAX_COUNTED + 1),
  ]);
  return {
    count: unsent.reduce((sum, { count }) => sum + count, heldCount),
    kinds: unsent.map(({ kind }) => kind),
  };
}

/** What keeps posts from going out although nobody has stopped their project. */
export type Obstacle = 'all-stopped' | 'refused';

export const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  'all-stopped': 'An operator has stopped all sending too, so nothing goes out until that ends.',
  refused:
    'The scheduling service refuses my access, so posts wait until an Owner replaces the token with `/upnext connect`.',
};

/** A slow service doesn't delay a resumption: it says no more than what is known without it. */
const MAX_SERVICE_WAIT_MS = 2_000;

/** Finds out whether an operator has stopped all sending, or the service refuses the token for such submissions. */
export async function findObstacle(
  { context: { db, submissions }, actor: { workspace } }: Pick<Call, 'context' | 'actor'>,
  project: string,
  kinds: readonly string[],
): Promise<Obstacle | undefined> {
  if (await findSendingStop(db)) return 'all-stopped';
  const api = await submissions.context.findApiClient(workspace, project);
  // Nothing was sent while the project was stopped, so only another request shows whether the token is refused now.
  const outcome = api && (await within(MAX_SERVICE_WAIT_MS, listProjects(api)));
  if (outcome?.kind === 'refused' && isAccessRefusal(outcome.status)) return 'refused';
  const isTokenAccepted = outcome?.kind === 'done';
  const paused = { workspace, project, kinds: ['post', ...kinds], isTokenAccepted };
  return api && (await isPaused(db, api, paused)) ? 'refused' : undefined;
}

/** Adds that all sending is stopped, because people read of their posts only that sending is stopped. */
export async function addAllStopped({ context: { db } }: Call, message: Message): Promise<Message> {
  if (!(await findSendingStop(db))) return message;
  const note = 'But an operator has stopped all sending, and only an operator can resume that.';
  return { ...addBlocks(message, section(note)), text: `${message.text} ${note}` };
}
