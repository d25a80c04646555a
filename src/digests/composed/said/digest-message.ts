import type { KnownBlock } from '@slack/types';
import { readerMomentText } from '../../../posts/moment-words.ts';
import { platformNames } from '../../../posts/platforms.ts';
import { context, plain, quoted, section } from '../../../slack/blocks.ts';
import { clip } from '../../../slack/clip.ts';
import { escapeText } from '../../../slack/escape.ts';
import type { Message } from '../../../slack/message.ts';
import { PRACTICE_NOTICE } from '../../../slack/practice.ts';
import type { ComposedMessage, Occasion } from '../../compose.ts';
import type { Digest } from '../../digest.ts';
import type { Changes } from '../changes.ts';
import { dateIn, dayWords } from '../days.ts';
import type { Findings } from '../findings.ts';
import type { Plan, Planned } from '../plan.ts';
import type { Show } from '../shows.ts';
import { counted, fullMoment, nameOf, namesOf, postLine, type Seen, shortMoment, wordsOf } from './lines.ts';
import { type Note, notesOf } from './notes.ts';
import { type Detail, detailOf, threadOf } from './thread.ts';

/** All that a digest says. */
export interface Said {
  digest: Pick<Digest, 'kind' | 'zone'>;
  occasion: Pick<Occasion, 'now' | 'date' | 'late'>;
  plan: Plan;
  findings: Findings;
  changes: Changes | undefined;
  shows: readonly Show[];
  practice: boolean;
}

/** Lines that stand in the message itself; more of them go into its thread. */
const MOST_LINES = 5;
/** What phones show. */
const TEXT = 600;

/** Five lines when little happens; the rest in the thread. */
export function digestMessage(said: Said): ComposedMessage {
  const seen = seenFor(said);
  const title = titleOf(said);
  const notes = notesOf(said, said.shows, seen);
  const ahead = aheadOf(said, seen);
  const details = [...ahead.details, ...notes.flatMap(({ details: found }) => found ?? [])];
  const thread = threadOf(title, details);
  const lines = [...ahead.lines, ...notes.map(({ line }) => line)];
  return {
    text: textOf(said, title, notes, seen),
    blocks: [
      section([`*${escapeText(title)}*`, escapeText(lateWords(said, seen))].join('\n').trim()),
      ...(said.shows.includes('next') ? nextBlocks(said.findings.next, seen) : []),
      ...(lines.length > 0 ? [quoted(lines.join('\n'))] : []),
      ...footOf(said, thread.length > 0),
    ],
    ...(thread.length > 0 && { thread }),
  };
}

/** One line. */
export function nothingPlanned(said: Said): Message {
  const seen = seenFor(said);
  const { next, until } = said.findings;
  const line = [
    `Nothing is planned for ${namesOf(said.plan.projects)} until ${fullMoment(until, seen)}.`,
    ...(next ? [`Next: ${fullMoment(next.at, seen)}.`] : []),
    lateWords(said, seen),
  ]
    .filter((part) => part !== '')
    .join(' ');
  return {
    text: escapeText(line),
    blocks: [quoted(line), ...(said.practice ? [context(PRACTICE_NOTICE)] : [])],
  };
}

function seenFor({ digest, occasion, plan }: Said): Seen {
  return { zone: digest.zone, now: occasion.now, isMixed: plan.projects.length > 1 };
}

function titleOf({ digest, occasion, plan }: Said): string {
  const day = dayWords(occasion.date);
  return `${namesOf(plan.projects)}, ${digest.kind === 'weekly' ? `the week from ${day}` : day}`;
}

function lateWords({ occasion }: Said, seen: Seen): string {
  return occasion.late ? `This comes late: it was meant for ${fullMoment(occasion.late, seen)}.` : '';
}

function nextBlocks(next: Planned | undefined, seen: Seen): KnownBlock[] {
  if (!next) return [section('Next: nothing is scheduled. `/schedule-post` schedules a post.')];
  const moment = escapeText(fullMoment(next.at, seen));
  const platforms = platformNames(next.post.platforms) || 'no platform yet';
  const of = [platforms, ...(seen.isMixed ? [nameOf(next.project)] : [])].join(' · ');
  return [
    section(`Next: *${moment}*, for you ${readerMomentText(next.at, moment)}`),
    quoted(clip(`${of} · ${wordsOf(next)}`, TEXT)),
  ];
}

/** What is coming, as far as it is not said above. */
function aheadOf(said: Said, seen: Seen): { lines: string[]; details: Detail[] } {
  const { findings, shows, digest } = said;
  if (!shows.includes('ahead')) return { lines: [], details: [] };
  return digest.kind === 'weekly'
    ? weekAhead(findings, seen)
    : hoursAhead(findings, seen, shows.includes('next'));
}

function hoursAhead({ ahead, next, until }: Findings, seen: Seen, isNextSaid: boolean) {
  const others = isNextSaid ? ahead.filter((planned) => planned !== next) : ahead;
  const end = shortMoment(until, seen);
  if (ahead.length === 0) return { lines: [`Nothing else until ${end}.`], details: [] };
  if (others.length === 0) return { lines: [], details: [] };
  const shown = others.slice(0, MOST_LINES).map((planned) => postLine(planned, seen));
  if (others.length <= MOST_LINES) return { lines: shown, details: [] };
  return {
    lines: [...shown, `…and ${(others.length - MOST_LINES).toLocaleString('en-GB')} more until ${end}.`],
    details: [detailOf(`Until ${end}`, ahead, (planned) => postLine(planned, seen))],
  };
}

function weekAhead({ ahead, until }: Findings, seen: Seen) {
  const end = shortMoment(new Date(until.getTime() - 1), seen).split(',')[0];
  if (ahead.length === 0) return { lines: [`No post until ${end}.`], details: [] };
  const days = Map.groupBy(ahead, ({ at }) => dateIn(at, seen.zone));
  return {
    lines: [`${counted(ahead.length, 'One post', 'posts')} until ${end}.`],
    details: [...days].map(([date, posts]) =>
      detailOf(dayWords(date), posts, (planned) => postLine(planned, seen, { withDay: false })),
    ),
  };
}

function footOf({ plan, practice }: Said, hasThread: boolean): KnownBlock[] {
  const { isWhole, unreadable } = plan;
  const words = [
    ...(hasThread ? ['Details are in the thread.'] : []),
    ...(isWhole ? [] : ['There are more posts than I read: numbers are at least.']),
    ...(unreadable > 0
      ? [`${counted(unreadable, 'One record', 'records')} of the service’s could not be read.`]
      : []),
    ...(practice ? [PRACTICE_NOTICE] : []),
  ];
  return words.length === 0 ? [] : [context(plain(words.join(' ')))];
}

/** For phones and screen readers: project, moment, and what needs a look. */
function textOf({ findings, plan }: Said, title: string, notes: readonly Note[], seen: Seen): string {
  const { next } = findings;
  const when = next
    ? `Next: ${fullMoment(next.at, seen)}${plan.projects.length > 1 ? `, ${nameOf(next.project)}` : ''}.`
    : 'Nothing is scheduled.';
  return escapeText(clip([`${title}.`, when, ...notes.map(({ line }) => line)].join(' '), TEXT));
}
