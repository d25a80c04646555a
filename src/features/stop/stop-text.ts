import type { KnownBlock, ModalView } from '@slack/types';
import type { SendingStop } from '../../engine/sending-stop.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { renderCount } from '../../posts/post-count.ts';
import { comparePosts } from '../../posts/post-order.ts';
import { renderExcerpt, toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, type Viewer } from '../../posts/post-time.ts';
import type { readPostList } from '../../posts/read-post-list.ts';
import {
  actions,
  button,
  clip,
  clipEscaped,
  context,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import { renderReadFailure } from '../../slack/service-failure.ts';
import { renderStop } from '../../submissions/text/stop-text.ts';
import type { StopContext } from './stop-context.ts';

/** Maximum length of a project's name in a sentence. */
const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;
const MAX_TITLE_LENGTH = 120;
/** Maximum number of posts in a list. More would hide what comes below. */
const MAX_LISTED_POSTS = 5;
/** Maximum number of submissions in flight in the whole list, which also has up to 500 posts in 100 blocks. */
const MAX_LISTED_IN_FLIGHT = 300;
/** Maximum number of posts in a message, of which Slack accepts about 10,000 characters. */
const MAX_TOLD_POSTS = 20;
/** Maximum length of the line of a post in mrkdwn, which is longer than in plain text if it has many entities. */
const MAX_LINE_LENGTH = 220;

/** Renders a project's name for a sentence (plain text). */
export function renderName({ name }: { name: string }): string {
  return clip(sanitizeLine(name), MAX_NAME_LENGTH);
}

/** Says what a stop of the chosen project changes, before anybody confirms it. */
export function renderConsequences({ chosen, unknownProject }: StopContext): KnownBlock[] {
  return [
    ...(unknownProject === undefined
      ? []
      : [
          plainSection(
            `I know no project “${renderName({ name: unknownProject })}” that you may stop. Choose one.`,
          ),
        ]),
    ...(chosen?.stop
      ? [
          section(
            `*${escapeText(renderName(chosen.project))} is stopped already.*\n${renderStop(chosen.stop)}.`,
          ),
        ]
      : []),
    ...(chosen && !chosen.stop ? [section(renderChosen(chosen))] : []),
    context(
      'New posts are saved and wait. Posts that the scheduling service already has still go out, and I’ll list them.',
    ),
  ];
}

function renderChosen({ project, waitingCount }: NonNullable<StopContext['chosen']>): string {
  const countText =
    waitingCount === 0
      ? 'No post is waiting now.'
      : `${renderCount(waitingCount, 'post')} ${waitingCount === 1 ? 'is' : 'are'} waiting, and will wait longer.`;
  return `I’ll send nothing more for *${escapeText(renderName(project))}* until a Manager resumes it. ${countText}`;
}

/** What became of a stop. */
export interface StopResult {
  project: NamedRecord;
  stop: SendingStop;
  /** Whether this press stopped the project. Otherwise it was stopped before. */
  isNew: boolean;
  now: Date;
  /** The person who reads the answer. */
  viewer: Viewer;
  /** Posts that may have reached the service already. */
  inFlight: readonly { title: string; author: string }[];
  servicePosts: Awaited<ReturnType<typeof readPostList>> | 'reading';
  /** Whether all posts are listed, not only the first. Defaults to false. */
  isWhole?: boolean;
}

/** The action id of the button that lists everything that a stop couldn't stop. */
export const SHOW_ALL = 'stop.show-all';

/** Says that a project is stopped, and lists what can't be stopped any more. */
export function renderStoppedView({
  project,
  stop,
  isNew,
  inFlight,
  isWhole = false,
  ...service
}: StopResult): ModalView {
  const { servicePosts } = service;
  const postCount =
    typeof servicePosts === 'object' && servicePosts.kind === 'read' ? servicePosts.posts.length : 0;
  const hiddenCount = [inFlight.length, postCount].reduce(
    (sum, count) => sum + Math.max(0, count - MAX_LISTED_POSTS),
    0,
  );
  const title = `${escapeText(renderName(project))} is stopped${isNew ? '' : ' already'}.`;
  return buildModal('Stopped', [
    section(`:octagonal_sign: *${title}*\n${renderStop(stop)}.`),
    context('A Manager can resume it with `/upnext resume`.'),
    section('*Upnext can’t stop these*'),
    ...renderInFlight(inFlight, isWhole),
    ...renderServicePosts({ ...service, isWhole }),
    ...(isWhole || hiddenCount === 0
      ? []
      : [actions(button(`…and ${hiddenCount} more`, SHOW_ALL, project.id))]),
  ]);
}

function renderInFlight(inFlight: StopResult['inFlight'], isWhole: boolean): KnownBlock[] {
  if (inFlight.length === 0) return [section('Nothing was being sent when you stopped it.')];
  const lines = inFlight.map(({ title, author }) => `${escapeText(title)} by <@${author}>`);
  return [
    section(
      `${renderCount(inFlight.length, 'submission')} ${inFlight.length === 1 ? 'was' : 'were'} on the way to the service:`,
    ),
    ...renderLines(lines.slice(0, isWhole ? MAX_LISTED_IN_FLIGHT : MAX_LISTED_POSTS)),
    ...(isWhole && lines.length > MAX_LISTED_IN_FLIGHT
      ? [context(`…and ${lines.length - MAX_LISTED_IN_FLIGHT} more.`)]
      : []),
  ];
}

/** Lines of a section. More than 20 of the longest would be more than Slack's 3,000 characters. */
const LINES_PER_BLOCK = 12;

/** Renders lines (mrkdwn) in as few blocks as possible, because hundreds of posts have to fit. */
function renderLines(lines: readonly string[]): KnownBlock[] {
  return Array.from({ length: Math.ceil(lines.length / LINES_PER_BLOCK) }, (_, index) => {
    const part = lines.slice(index * LINES_PER_BLOCK, (index + 1) * LINES_PER_BLOCK);
    return section(part.map((line) => `• ${line}`).join('\n'));
  });
}

/** Renders posts in a message as lines: their title, and the beginning of their text. */
export function renderPostLines(posts: readonly { title: string; text: string }[]): KnownBlock[] {
  const lines = posts.slice(0, MAX_TOLD_POSTS).map(({ title, text }) => {
    const excerpt = toExcerpt(sanitizeLine(text), MAX_EXCERPT_LENGTH);
    const line = `${clip(title, MAX_TITLE_LENGTH)}${excerpt === '' ? '' : `: “${excerpt}”`}`;
    return clipEscaped(escapeText(line), MAX_LINE_LENGTH);
  });
  const hiddenCount = posts.length - lines.length;
  return [
    ...renderLines(lines),
    ...(hiddenCount > 0 ? [context(`…and ${hiddenCount} more. See them with \`/upnext posts\`.`)] : []),
  ];
}

function renderServicePosts({
  servicePosts: result,
  viewer,
  now,
  isWhole,
}: Pick<StopResult, 'servicePosts' | 'viewer' | 'now'> & { isWhole: boolean }): KnownBlock[] {
  if (result === 'reading') return [section('I’m asking the scheduling service which posts it already has.')];
  if (result.kind === 'failed')
    return [
      section(`I don’t know which posts the service already has. ${renderReadFailure(result.failure)}`),
    ];
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
    return `${time ?? 'No date'} ${escapeText(toExcerpt(renderExcerpt(post), MAX_EXCERPT_LENGTH))}`;
  });
  return [
    section(
      `The scheduling service has ${countText} to publish. Change ${count === 1 ? 'it' : 'them'} there.`,
    ),
    ...renderLines(isWhole ? lines : lines.slice(0, MAX_LISTED_POSTS)),
  ];
}
