import type { KnownBlock } from '@slack/types';
import { momentText } from '../../posts/moment-words.ts';
import { platformNames } from '../../posts/platforms.ts';
import { excerpt } from '../../posts/post-card.ts';
import { button, context, plain, quoted, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { zoneName } from '../../when/when.ts';
import type { Entry, HomeFacts, Plans } from './load-home.ts';

/** Does the line in its value; in a row of buttons each has a number of its own behind it. */
export const RUN = 'home.run';

const MOST_COMING = 3;
const MOST_A_DAY = 8;
const MOST_DRAFTS = 5;
const NAME = 60;
const WORDS = 80;
const LONG = 400;

type Seen = Pick<HomeFacts, 'now' | 'zone'>;

/** What is next, the week by day and the drafts: at most 40 blocks. */
export function planBlocks(plans: Plans, seen: Seen): KnownBlock[] {
  return [
    ...comingBlocks(plans, seen),
    ...weekBlocks(plans, seen),
    ...draftBlocks(plans),
    ...noteBlocks(plans),
  ];
}

function name({ project }: Entry): string {
  return clip(sanitizeLine(project.name), NAME);
}

function comingBlocks({ coming, projects, moreProjects }: Plans, { now }: Seen): KnownBlock[] {
  if (projects === 0 && moreProjects)
    return [section('*None of the projects that I read is yours.* There are more than I can read.')];
  if (projects === 0)
    return [section('*There is no project yet.* Make one in the scheduling service first.')];
  if (coming.length === 0)
    return [section('*Nothing is scheduled.* Press *Schedule a post* for the first one.')];
  return coming.slice(0, MOST_COMING).flatMap((entry) => {
    const { post } = entry;
    const when = post.scheduleDate ? momentText(post.scheduleDate, post.timezone, now) : 'No date';
    const platforms = platformNames(post.platforms);
    return [
      section(`*${escapeText(when)}*\n${escapeText(name(entry))}`),
      quoted(wordsOf(entry)),
      context(plain(platforms === '' ? 'No platform yet' : platforms)),
    ];
  });
}

/** Each day in the reader's own zone, so that it is one row of days for all projects. */
function weekBlocks({ week, isMore, projects }: Plans, { now, zone }: Seen): KnownBlock[] {
  if (projects === 0) return [];
  const title = section(`*The next seven days*, times in ${escapeText(zoneName(zone))}`);
  const days = new Map<string, string[]>();
  for (const entry of week) {
    const { scheduleDate } = entry.post;
    if (!scheduleDate) continue;
    const [day = '', time = ''] = momentText(scheduleDate, zone, now).split(', ');
    const line = `${time.split(' ')[0]}  ${name(entry)}: ${wordsOf(entry)}`;
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  if (days.size === 0) return [title, context('Nothing goes out in this time.')];
  return [
    title,
    ...[...days].flatMap(([day, lines]) => {
      const rest = lines.length - MOST_A_DAY;
      const shown = [...lines.slice(0, MOST_A_DAY), ...(rest > 0 ? [`…and ${rest} more`] : [])];
      return [section(`*${escapeText(day)}*`), quoted(shown.join('\n'))];
    }),
    ...(isMore ? [context('There is more than I have read: `/upnext posts` lists it all.')] : []),
  ];
}

function draftBlocks({ drafts, moreDrafts }: Plans): KnownBlock[] {
  if (drafts.length === 0) return [];
  const lines = drafts.slice(0, MOST_DRAFTS).map((entry) => `• ${name(entry)}: ${wordsOf(entry)}`);
  const count = `${moreDrafts ? 'More than ' : ''}${drafts.length === 1 ? 'One draft' : `${drafts.length} drafts`}`;
  return [
    { ...section(`*${count}*`), accessory: button('All drafts', RUN, '/upnext posts drafts') },
    quoted(lines.join('\n')),
  ];
}

function noteBlocks({ others, moreProjects, missing }: Plans): KnownBlock[] {
  const names = missing.slice(0, MOST_DRAFTS).map((project) => clip(sanitizeLine(project.name), NAME));
  return [
    ...(others > 0
      ? [context(`…and ${moreProjects ? 'at least ' : ''}${others} more projects: \`/upnext projects\`.`)]
      : []),
    ...(names.length > 0
      ? [context(plain(`Not all could be read of: ${names.join(', ')}.`, LIMITS.sectionText))]
      : []),
  ];
}

function wordsOf({ post }: Entry): string {
  // A text may be long, and there are hundreds of them.
  const words = clip(excerpt(sanitizeLine(clip(post.content ?? '', LONG))), WORDS);
  return words === '' ? 'No text' : words;
}
