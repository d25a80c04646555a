import type { KnownBlock } from '@slack/types';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderMomentForReaders } from '../../../posts/render-post.ts';
import { context, plain, plainSection, section } from '../../../slack/blocks.ts';
import { clip, escapeText } from '../../../slack/escape.ts';
import type { Message } from '../../../slack/message.ts';
import { PRACTICE_NOTICE } from '../../../slack/practice.ts';
import type { ComposedMessage, ComposeRequest } from '../../composer.ts';
import type { Digest } from '../../digest.ts';
import type { Changes } from '../changes.ts';
import { dateIn, dayText } from '../days.ts';
import type { Findings } from '../findings.ts';
import type { Plan, PlannedPost } from '../plan.ts';
import type { Section } from '../sections.ts';
import {
  formatCount,
  fullMoment,
  postExcerpt,
  postLine,
  projectName,
  projectNames,
  type RenderOptions,
  shortMoment,
} from './lines.ts';
import { type Note, notesOf } from './notes.ts';
import { type Detail, detailOf, threadOf } from './thread.ts';

/** The content of a digest. */
export interface DigestContent {
  digest: Pick<Digest, 'kind' | 'zone'>;
  request: Pick<ComposeRequest, 'now' | 'date' | 'late'>;
  plan: Plan;
  findings: Findings;
  changes: Changes | undefined;
  sections: readonly Section[];
  practice: boolean;
}

/** Posts listed in the message itself. The full list goes into the thread. */
const MAX_LINES = 5;
/** Characters of the plain text, which phones show in notifications. */
const MAX_TEXT_LENGTH = 600;

/** Renders a digest as a short message with details in its thread. */
export function digestMessage(content: DigestContent): ComposedMessage {
  const options = optionsOf(content);
  const title = titleOf(content);
  const notes = notesOf(content, content.sections, options);
  const ahead = aheadOf(content, options);
  const details = [...ahead.details, ...notes.flatMap(({ details: found }) => found ?? [])];
  const thread = threadOf(title, details);
  const lines = [...ahead.lines, ...notes.map(({ line }) => line)];
  return {
    text: textOf(content, title, notes, options),
    blocks: [
      section([`*${escapeText(title)}*`, escapeText(lateText(content, options))].join('\n').trim()),
      ...(content.sections.includes('next') ? nextBlocks(content.findings.next, options) : []),
      ...(lines.length > 0 ? [plainSection(lines.join('\n'))] : []),
      ...footOf(content, thread.length > 0),
    ],
    ...(thread.length > 0 && { thread }),
  };
}

/** Renders a digest without any post, as one line. */
export function nothingPlanned(content: DigestContent): Message {
  const options = optionsOf(content);
  const { next, until } = content.findings;
  const line = [
    `Nothing is planned for ${projectNames(content.plan.projects)} until ${fullMoment(until, options)}.`,
    ...(next ? [`Next: ${fullMoment(next.at, options)}.`] : []),
    lateText(content, options),
  ]
    .filter((part) => part !== '')
    .join(' ');
  return {
    text: escapeText(line),
    blocks: [plainSection(line), ...(content.practice ? [context(PRACTICE_NOTICE)] : [])],
  };
}

function optionsOf({ digest, request, plan }: DigestContent): RenderOptions {
  return { zone: digest.zone, now: request.now, isMixed: plan.projects.length > 1 };
}

function titleOf({ digest, request, plan }: DigestContent): string {
  const day = dayText(request.date);
  return `${projectNames(plan.projects)}, ${digest.kind === 'weekly' ? `the week from ${day}` : day}`;
}

function lateText({ request }: DigestContent, options: RenderOptions): string {
  return request.late ? `This comes late: it was meant for ${fullMoment(request.late, options)}.` : '';
}

function nextBlocks(next: PlannedPost | undefined, options: RenderOptions): KnownBlock[] {
  if (!next) return [section('Next: nothing is scheduled. `/schedule-post` schedules a post.')];
  const moment = escapeText(fullMoment(next.at, options));
  const platforms = renderPlatformNames(next.post.platforms) || 'no platform yet';
  const of = [platforms, ...(options.isMixed ? [projectName(next.project)] : [])].join(' · ');
  return [
    section(`Next: *${moment}*, for you ${renderMomentForReaders(next.at, moment)}`),
    plainSection(clip(`${of} · ${postExcerpt(next)}`, MAX_TEXT_LENGTH)),
  ];
}

/** The upcoming posts, without the one that is already shown as next. */
function aheadOf(content: DigestContent, options: RenderOptions): { lines: string[]; details: Detail[] } {
  const { findings, sections, digest } = content;
  if (!sections.includes('ahead')) return { lines: [], details: [] };
  return digest.kind === 'weekly'
    ? weekAhead(findings, options)
    : hoursAhead(findings, options, sections.includes('next'));
}

function hoursAhead({ ahead, next, until }: Findings, options: RenderOptions, isNextShown: boolean) {
  const others = isNextShown ? ahead.filter((planned) => planned !== next) : ahead;
  const end = shortMoment(until, options);
  if (ahead.length === 0) return { lines: [`Nothing else until ${end}.`], details: [] };
  if (others.length === 0) return { lines: [], details: [] };
  const shown = others.slice(0, MAX_LINES).map((planned) => postLine(planned, options));
  if (others.length <= MAX_LINES) return { lines: shown, details: [] };
  return {
    lines: [...shown, `…and ${(others.length - MAX_LINES).toLocaleString('en-GB')} more until ${end}.`],
    details: [detailOf(`Until ${end}`, ahead, (planned) => postLine(planned, options))],
  };
}

function weekAhead({ ahead, until }: Findings, options: RenderOptions) {
  const end = shortMoment(new Date(until.getTime() - 1), options).split(',')[0];
  if (ahead.length === 0) return { lines: [`No post until ${end}.`], details: [] };
  const days = Map.groupBy(ahead, ({ at }) => dateIn(at, options.zone));
  return {
    lines: [`${formatCount(ahead.length, 'One post', 'posts')} until ${end}.`],
    details: [...days].map(([date, posts]) =>
      detailOf(dayText(date), posts, (planned) => postLine(planned, options, { withDay: false })),
    ),
  };
}

function footOf({ plan, practice }: DigestContent, hasThread: boolean): KnownBlock[] {
  const { isComplete, unreadable } = plan;
  const words = [
    ...(hasThread ? ['Details are in the thread.'] : []),
    ...(isComplete ? [] : ['There are more posts than I read: numbers are at least.']),
    ...(unreadable > 0
      ? [`${formatCount(unreadable, 'One record', 'records')} of the service’s could not be read.`]
      : []),
    ...(practice ? [PRACTICE_NOTICE] : []),
  ];
  return words.length === 0 ? [] : [context(plain(words.join(' ')))];
}

/** The plain text, for phones and screen readers: projects, next post, and everything that needs attention. */
function textOf(
  { findings, plan }: DigestContent,
  title: string,
  notes: readonly Note[],
  options: RenderOptions,
): string {
  const { next } = findings;
  const when = next
    ? `Next: ${fullMoment(next.at, options)}${plan.projects.length > 1 ? `, ${projectName(next.project)}` : ''}.`
    : 'Nothing is scheduled.';
  return escapeText(clip([`${title}.`, when, ...notes.map(({ line }) => line)].join(' '), MAX_TEXT_LENGTH));
}
