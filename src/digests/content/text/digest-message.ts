import type { KnownBlock } from '@slack/types';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMomentForReaders } from '../../../posts/post-time.ts';
import { clip, context, escapeText, plain, plainSection, section } from '../../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../../slack/emulator-notice.ts';
import type { Message } from '../../../slack/message.ts';
import type { ComposedMessage, ComposeRequest } from '../../composer.ts';
import type { Digest } from '../../digest.ts';
import type { Changes } from '../changes.ts';
import { getLocalDate, renderDay } from '../days.ts';
import type { Findings } from '../findings.ts';
import type { Plan, PlannedPost } from '../plan.ts';
import type { Section } from '../sections.ts';
import {
  formatCount,
  type RenderOptions,
  renderExcerpt,
  renderFullMoment,
  renderPostLine,
  renderProjectName,
  renderProjectNames,
  renderShortMoment,
} from './lines.ts';
import { buildNotes, type Note } from './notes.ts';
import { buildDetail, type Detail, renderThread } from './thread.ts';

/** The content of a digest. */
export interface DigestContent {
  digest: Pick<Digest, 'kind' | 'zone'>;
  request: Pick<ComposeRequest, 'now' | 'date' | 'delayedFrom'>;
  plan: Plan;
  findings: Findings;
  changes: Changes | undefined;
  sections: readonly Section[];
  isEmulated: boolean;
}

/** Maximum number of posts in the message itself. The thread contains the full list. */
const MAX_LINES = 5;
/** Maximum number of characters in the fallback text, which phones show in notifications. */
const MAX_TEXT_LENGTH = 600;

/** Renders a digest as a short message with details in its thread. */
export function renderDigestMessage(content: DigestContent): ComposedMessage {
  const options = buildRenderOptions(content);
  const title = renderTitle(content);
  const notes = buildNotes(content, content.sections, options);
  const ahead = renderAhead(content, options);
  const details = [...ahead.details, ...notes.flatMap((note) => note.details ?? [])];
  const thread = renderThread(title, details);
  const lines = [...ahead.lines, ...notes.map(({ line }) => line)];
  return {
    text: renderFallbackText(content, title, notes, options),
    blocks: [
      section([`*${escapeText(title)}*`, escapeText(renderDelay(content, options))].join('\n').trim()),
      ...(content.sections.includes('next') ? renderNextPost(content.findings.next, options) : []),
      ...(lines.length > 0 ? [plainSection(lines.join('\n'))] : []),
      ...renderFoot(content, thread.length > 0),
    ],
    ...(thread.length > 0 && { thread }),
  };
}

/** Renders a digest without posts as one line. */
export function renderEmptyDigest(content: DigestContent): Message {
  const options = buildRenderOptions(content);
  const { next, end } = content.findings;
  const line = [
    `Nothing is scheduled for ${renderProjectNames(content.plan.projects)} until ${renderFullMoment(end, options)}.`,
    ...(next ? [`Next: ${renderFullMoment(next.scheduledAt, options)}.`] : []),
    renderDelay(content, options),
  ]
    .filter((part) => part !== '')
    .join(' ');
  return {
    text: escapeText(line),
    blocks: [plainSection(line), ...(content.isEmulated ? [context(EMULATOR_NOTICE)] : [])],
  };
}

function buildRenderOptions({ digest, request, plan }: DigestContent): RenderOptions {
  return { zone: digest.zone, now: request.now, hasSeveralProjects: plan.projects.length > 1 };
}

function renderTitle({ digest, request, plan }: DigestContent): string {
  const day = renderDay(request.date);
  return `${renderProjectNames(plan.projects)}, ${digest.kind === 'weekly' ? `the week from ${day}` : day}`;
}

function renderDelay({ request }: DigestContent, options: RenderOptions): string {
  const { delayedFrom } = request;
  return delayedFrom ? `This digest is late. It was due ${renderFullMoment(delayedFrom, options)}.` : '';
}

function renderNextPost(next: PlannedPost | undefined, options: RenderOptions): KnownBlock[] {
  if (!next) return [section('Nothing is scheduled. Add a post with `/schedule-post`.')];
  const moment = escapeText(renderFullMoment(next.scheduledAt, options));
  const platforms = renderPlatformNames(next.post.platforms) || 'no platform';
  const subject = [platforms, ...(options.hasSeveralProjects ? [renderProjectName(next.project)] : [])].join(
    ' · ',
  );
  return [
    section(`Next: *${moment}*, for you ${renderMomentForReaders(next.scheduledAt, moment)}`),
    plainSection(clip(`${subject} · ${renderExcerpt(next)}`, MAX_TEXT_LENGTH)),
  ];
}

/** Renders the posts ahead. A daily digest leaves out the post that it shows as next. */
function renderAhead(content: DigestContent, options: RenderOptions): { lines: string[]; details: Detail[] } {
  const { findings, sections, digest } = content;
  if (!sections.includes('ahead')) return { lines: [], details: [] };
  return digest.kind === 'weekly'
    ? renderWeekAhead(findings, options)
    : renderHoursAhead(findings, options, sections.includes('next'));
}

function renderHoursAhead({ ahead, next, end }: Findings, options: RenderOptions, isNextShown: boolean) {
  const otherPosts = isNextShown ? ahead.filter((planned) => planned !== next) : ahead;
  const endText = renderShortMoment(end, options);
  if (ahead.length === 0) return { lines: [`Nothing else until ${endText}.`], details: [] };
  if (otherPosts.length === 0) return { lines: [], details: [] };
  const lines = otherPosts.slice(0, MAX_LINES).map((planned) => renderPostLine(planned, options));
  if (otherPosts.length <= MAX_LINES) return { lines, details: [] };
  return {
    lines: [
      ...lines,
      `…and ${(otherPosts.length - MAX_LINES).toLocaleString('en-GB')} more until ${endText}.`,
    ],
    details: [buildDetail(`Until ${endText}`, ahead, (planned) => renderPostLine(planned, options))],
  };
}

function renderWeekAhead({ ahead, end }: Findings, options: RenderOptions) {
  const lastDay = renderShortMoment(new Date(end.getTime() - 1), options).split(',')[0];
  if (ahead.length === 0) return { lines: [`No post until ${lastDay}.`], details: [] };
  const days = Map.groupBy(ahead, ({ scheduledAt }) => getLocalDate(scheduledAt, options.zone));
  return {
    lines: [`${formatCount(ahead.length, 'One post', 'posts')} until ${lastDay}.`],
    details: [...days].map(([date, posts]) =>
      buildDetail(renderDay(date), posts, (planned) => renderPostLine(planned, options, { showsDay: false })),
    ),
  };
}

function renderFoot({ plan, isEmulated }: DigestContent, hasThread: boolean): KnownBlock[] {
  const { isComplete, unreadableCount } = plan;
  const sentences = [
    ...(hasThread ? ['Details are in the thread.'] : []),
    ...(isComplete ? [] : ['There are more posts than I can read, so the real numbers may be higher.']),
    ...(unreadableCount > 0
      ? [`${formatCount(unreadableCount, 'One record', 'records')} couldn’t be read.`]
      : []),
    ...(isEmulated ? [EMULATOR_NOTICE] : []),
  ];
  return sentences.length === 0 ? [] : [context(plain(sentences.join(' ')))];
}

/** Renders the fallback text for phones and screen readers: projects, next post and notes. */
function renderFallbackText(
  { findings, plan }: DigestContent,
  title: string,
  notes: readonly Note[],
  options: RenderOptions,
): string {
  const { next } = findings;
  const nextText = next
    ? `Next: ${renderFullMoment(next.scheduledAt, options)}${plan.projects.length > 1 ? `, ${renderProjectName(next.project)}` : ''}.`
    : 'Nothing is scheduled.';
  return escapeText(
    clip([`${title}.`, nextText, ...notes.map(({ line }) => line)].join(' '), MAX_TEXT_LENGTH),
  );
}
