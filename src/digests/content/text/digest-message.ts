import type { KnownBlock } from '@slack/types';
import { clip, context, divider, escapeText, header, plain, plainSection } from '../../../slack/blocks.ts';
import { EMULATOR_NOTICE, type Message } from '../../../slack/message.ts';
import type { ComposedMessage, ComposeRequest } from '../../composer.ts';
import type { Changes } from '../changes.ts';
import { renderDay } from '../days.ts';
import {
  formatCount,
  type RenderOptions,
  renderDayAndTime,
  renderFullMoment,
  renderProjectName,
  renderProjectNames,
  renderZone,
} from './lines.ts';
import { buildNotes, buildStopNotes, type Note, type ProjectStop, renderScheduleButton } from './notes.ts';
import { type PostContent, renderOthersAtSameTime, renderPosts } from './posts.ts';
import { renderThread } from './thread.ts';

/** The content of a digest. */
export interface DigestContent extends PostContent {
  request: Pick<ComposeRequest, 'now' | 'date' | 'delayedFrom'>;
  changes: Changes | undefined;
  /** The stopped projects of the digest. */
  stops: readonly ProjectStop[];
  isEmulated: boolean;
}

/** Shown above the posts that Upnext keeps, if the service doesn't answer. */
const SERVICE_DOWN =
  '⚠️ I couldn’t read the scheduling service’s posts. These are only the posts that I keep.';

/** Maximum number of characters in the fallback text, which phones show in notifications. */
const MAX_TEXT_LENGTH = 600;

/**
 * Renders a digest: a heading, the posts by time, the changes, and one sentence for each warning. Details are in its
 * thread. The text, the thread and the picture show times in the digest's zone, which each of them states once.
 */
export function renderDigestMessage(content: DigestContent): ComposedMessage {
  const options = buildRenderOptions(content);
  const title = renderTitle(content);
  const notes = [
    ...buildStopNotes(content.stops, options),
    ...buildNotes(content, content.sections, options),
  ];
  const posts = renderPosts(content, options);
  const details = [...posts.details, ...notes.flatMap((note) => note.details ?? [])];
  const thread = renderThread({ heading: title, zone: renderZone(options) }, details);
  return {
    text: renderFallbackText(content, title, notes, options),
    blocks: [
      header(title),
      renderZoneAndDelay(content, options),
      ...(content.plan.isServiceDown ? [plainSection(SERVICE_DOWN)] : []),
      ...posts.blocks,
      ...(notes.length > 0 && posts.blocks.length > 0 ? [divider()] : []),
      ...notes.map(renderNote),
      ...renderFooter(content, thread.length > 0),
    ],
    ...(thread.length > 0 && { thread }),
  };
}

/** Renders a digest without posts: one sentence, and a button for a new post. */
export function renderEmptyDigest(content: DigestContent): Message {
  const options = buildRenderOptions(content);
  const { plan, findings } = content;
  const { next, end } = findings;
  const delay = renderDelay(content, options);
  const text = `Nothing is scheduled for ${renderProjectNames(plan.projects)} until ${renderDayAndTime(end, options)}.`;
  const nextText = next ? `Next: ${renderDayAndTime(next.scheduledAt, options)}.` : '';
  const stopNotes = buildStopNotes(content.stops, options);
  return {
    text: escapeText(
      [text, nextText, ...stopNotes.map(({ line }) => line), delay, `${renderZone(options)}.`]
        .filter((part) => part !== '')
        .join(' '),
    ),
    blocks: [
      {
        ...plainSection(text),
        accessory: renderScheduleButton(plan),
      },
      ...(next ? [plainSection(nextText)] : []),
      ...stopNotes.map(renderNote),
      renderZoneAndDelay(content, options),
      ...(content.isEmulated ? [context(EMULATOR_NOTICE)] : []),
    ],
  };
}

function buildRenderOptions({ digest, request, plan }: DigestContent): RenderOptions {
  return {
    zone: digest.zone,
    now: request.now,
    date: request.date,
    hasSeveralProjects: plan.projects.length > 1,
  };
}

function renderTitle({ digest, request, plan }: DigestContent): string {
  const day = renderDay(request.date);
  return `${renderProjectNames(plan.projects)}, ${digest.kind === 'weekly' ? `the week from ${day}` : day}`;
}

function renderDelay({ request }: DigestContent, options: RenderOptions): string {
  const { delayedFrom } = request;
  return delayedFrom ? `This digest is late. It was due ${renderDayAndTime(delayedFrom, options)}.` : '';
}

/** Renders the zone of the digest's times, and its delay if it is late. */
function renderZoneAndDelay(content: DigestContent, options: RenderOptions): KnownBlock {
  const texts = [renderZone(options), renderDelay(content, options)].filter((text) => text !== '');
  return context(...texts.map((text) => plain(text)));
}

function renderNote({ line, button: noteButton }: Note): KnownBlock {
  return { ...plainSection(line), ...(noteButton && { accessory: noteButton }) };
}

function renderFooter({ plan, isEmulated }: DigestContent, hasThread: boolean): KnownBlock[] {
  const { isComplete, isServiceDown, unreadableCount } = plan;
  const sentences = [
    ...(hasThread ? ['Details are in the thread.'] : []),
    ...(isComplete || isServiceDown
      ? []
      : ['There may be more posts than I could read, so the real numbers may be higher.']),
    ...(unreadableCount > 0
      ? [`${formatCount(unreadableCount, 'One record', 'records')} couldn’t be read.`]
      : []),
    ...(isEmulated ? [EMULATOR_NOTICE] : []),
  ];
  return sentences.length === 0 ? [] : [context(...sentences.map((sentence) => plain(sentence)))];
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
    ? `Next: ${[
        renderFullMoment(next.scheduledAt, options),
        ...(options.hasSeveralProjects ? [renderProjectName(next.project)] : []),
        ...renderOthersAtSameTime(next, plan, options),
      ].join(', ')}.`
    : 'Nothing is scheduled.';
  const start = plan.isServiceDown ? [SERVICE_DOWN, ...(next ? [nextText] : [])] : [nextText];
  return escapeText(
    clip([`${title}.`, ...start, ...notes.map(({ line }) => line)].join(' '), MAX_TEXT_LENGTH),
  );
}
