import type { KnownBlock } from '@slack/types';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderMoment, toExcerpt } from '../../posts/render-post.ts';
import { button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { zoneName } from '../../when/when.ts';
import type { Entry, HomeFacts, Plans } from './load-home.ts';

/** Runs the line in the button's value. Action ids must be unique within a block, so buttons in rows add a number. */
export const RUN = 'home.run';

const MAX_UPCOMING = 3;
const MAX_POSTS_PER_DAY = 8;
const MAX_DRAFTS = 5;
const MAX_INCOMPLETE_PROJECTS = 5;
const MAX_NAME_LENGTH = 60;
const MAX_EXCERPT_LENGTH = 80;
/** Home shows hundreds of posts, and each text may be long, so only its start is processed. */
const MAX_EXCERPT_SOURCE_LENGTH = 400;

type ReaderTime = Pick<HomeFacts, 'now' | 'zone'>;

/** Upcoming posts, the week by day, and drafts: at most 40 blocks. */
export function planBlocks(plans: Plans, readerTime: ReaderTime): KnownBlock[] {
  return [
    ...upcomingBlocks(plans, readerTime),
    ...weekBlocks(plans, readerTime),
    ...draftBlocks(plans),
    ...noteBlocks(plans),
  ];
}

function projectName({ project }: Entry): string {
  return clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
}

function upcomingBlocks(
  { upcoming, projectCount, hasMoreProjects }: Plans,
  { now }: ReaderTime,
): KnownBlock[] {
  if (projectCount === 0 && hasMoreProjects)
    return [section('*None of the projects that I read is yours.* There are more than I can read.')];
  if (projectCount === 0)
    return [section('*There is no project yet.* Make one in the scheduling service first.')];
  if (upcoming.length === 0)
    return [section('*Nothing is scheduled.* Press *Schedule a post* for the first one.')];
  return upcoming.slice(0, MAX_UPCOMING).flatMap((entry) => {
    const { post } = entry;
    const when = post.scheduleDate ? renderMoment(post.scheduleDate, post.timezone, now) : 'No date';
    const platforms = renderPlatformNames(post.platforms);
    return [
      section(`*${escapeText(when)}*\n${escapeText(projectName(entry))}`),
      plainSection(excerptText(entry)),
      context(plain(platforms === '' ? 'No platform yet' : platforms)),
    ];
  });
}

/** Days are in the reader's zone, so that all projects share one calendar. */
function weekBlocks({ week, hasMoreThisWeek, projectCount }: Plans, { now, zone }: ReaderTime): KnownBlock[] {
  if (projectCount === 0) return [];
  const title = section(`*The next seven days*, times in ${escapeText(zoneName(zone))}`);
  const days = new Map<string, string[]>();
  for (const entry of week) {
    const { scheduleDate } = entry.post;
    if (!scheduleDate) continue;
    const [day = '', time = ''] = renderMoment(scheduleDate, zone, now).split(', ');
    const line = `${time.split(' ')[0]}  ${projectName(entry)}: ${excerptText(entry)}`;
    days.set(day, [...(days.get(day) ?? []), line]);
  }
  if (days.size === 0) return [title, context('Nothing goes out in this time.')];
  return [
    title,
    ...[...days].flatMap(([day, lines]) => {
      const rest = lines.length - MAX_POSTS_PER_DAY;
      const shown = [...lines.slice(0, MAX_POSTS_PER_DAY), ...(rest > 0 ? [`…and ${rest} more`] : [])];
      return [section(`*${escapeText(day)}*`), plainSection(shown.join('\n'))];
    }),
    ...(hasMoreThisWeek ? [context('There is more than I have read: `/upnext posts` lists it all.')] : []),
  ];
}

function draftBlocks({ drafts, hasMoreDrafts }: Plans): KnownBlock[] {
  if (drafts.length === 0) return [];
  const lines = drafts.slice(0, MAX_DRAFTS).map((entry) => `• ${projectName(entry)}: ${excerptText(entry)}`);
  const count = `${hasMoreDrafts ? 'More than ' : ''}${drafts.length === 1 ? 'One draft' : `${drafts.length} drafts`}`;
  return [
    { ...section(`*${count}*`), accessory: button('All drafts', RUN, '/upnext posts drafts') },
    plainSection(lines.join('\n')),
  ];
}

function noteBlocks({ skippedProjects, hasMoreProjects, incompleteProjects }: Plans): KnownBlock[] {
  const names = incompleteProjects
    .slice(0, MAX_INCOMPLETE_PROJECTS)
    .map((project) => clip(sanitizeLine(project.name), MAX_NAME_LENGTH));
  return [
    ...(skippedProjects > 0
      ? [
          context(
            `…and ${hasMoreProjects ? 'at least ' : ''}${skippedProjects} more projects: \`/upnext projects\`.`,
          ),
        ]
      : []),
    ...(names.length > 0
      ? [context(plain(`Not all could be read of: ${names.join(', ')}.`, LIMITS.sectionText))]
      : []),
  ];
}

function excerptText({ post }: Entry): string {
  const text = toExcerpt(sanitizeLine(clip(post.content ?? '', MAX_EXCERPT_SOURCE_LENGTH)));
  return text === '' ? 'No text' : clip(text, MAX_EXCERPT_LENGTH);
}
