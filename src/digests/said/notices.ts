import type { KnownBlock } from '@slack/types';
import { momentText } from '../../posts/moment-words.ts';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { APP_NAME } from '../../slack/name.ts';
import { AGAIN, RESUME, THERE } from '../action-ids.ts';
import type { Digest, PausedWhy } from '../digest.ts';
import { RESTORED } from '../kept-marks.ts';
import type { OccurrenceRow } from '../sql/occurrences.ts';
import { nameDigest } from './name-digest.ts';

/** What owners of digests are told, each in one direct message. */

interface Shown {
  row: OccurrenceRow;
  /** Undefined where it was removed. */
  digest: Digest | undefined;
}

/** Lines, and dates in a line; more is said as a number. */
const MOST_LINES = 12;
const MOST_DATES = 5;

/** Those that came while nothing could be posted. */
export function missedNotice(missed: readonly Shown[], { now }: { now: Date }): Message {
  const late = missed.filter(({ row }) => row.reason !== 'refused' && row.reason !== RESTORED);
  const restored = missed.filter(({ row }) => row.reason === RESTORED);
  const refused = missed.filter(({ row }) => row.reason === 'refused');
  const parts = [
    part(
      late,
      now,
      'Not posted: I was not running, or could not post, at their time, and now it is too late.',
    ),
    part(refused, now, 'Not posted: Slack did not take the message.'),
    part(restored, now, `Not known: ${PUT_BACK}, and whether these were posted since is not in it.`),
  ];
  const text = [...parts.filter(Boolean), 'The next ones come as planned.'].join('\n');
  return { text, blocks: [section(text)] };
}

function part(missed: readonly Shown[], now: Date, reason: string): string {
  if (missed.length === 0) return '';
  const groups = Object.values(Object.groupBy(missed, ({ row }) => row.digest));
  const lines = groups.slice(0, MOST_LINES).map((group = []) => lineOf(group, now));
  const more = groups.length - lines.length;
  return [reason, ...lines, ...(more > 0 ? [`• and ${more} more digests`] : [])].join('\n');
}

function lineOf(group: readonly Shown[], now: Date): string {
  const [first] = group;
  if (!first) return '';
  const dates = group
    .toSorted((a, b) => a.row.due_at.getTime() - b.row.due_at.getTime())
    .map((shown) => momentOf(shown, now));
  const more = dates.length - MOST_DATES;
  const said = [...dates.slice(0, MOST_DATES), ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return `• ${first.digest ? nameDigest(first.digest) : `<#${first.row.channel}>`}: ${said}`;
}

function momentOf({ row, digest }: Shown, now: Date): string {
  return momentText(row.due_at, digest?.zone, now);
}

const PUT_BACK = 'a backup of mine was put back';

/** Nobody can say whether it was posted: its owner looks. */
export function uncertainNotice(shown: Shown, { now }: { now: Date }): Message {
  const { row, digest } = shown;
  const name = digest ? nameDigest(digest) : `<#${row.channel}>`;
  const which = `the digest of ${momentOf(shown, now)} (${name})`;
  const because =
    row.reason === RESTORED
      ? `Whether I posted ${which} I do not know: ${PUT_BACK}.`
      : `Slack did not answer when I posted ${which}, and I could not find it there.`;
  const text = `${because} I do not post it again by myself. Is it there?`;
  const buttons = [button('It is there', THERE, row.id), button('Post again', AGAIN, row.id)];
  return { text, blocks: [section(text), actions(...buttons)] };
}

const WHY: Readonly<Record<PausedWhy, string>> = {
  asked: 'somebody paused it',
  archived: 'the channel is archived',
  'not-in-channel': `I am not in the channel any more. Type \`/invite @${APP_NAME}\` there first`,
  restricted: 'I may not post there',
  'no-access': 'Slack did not let me in any more',
  uninstalled: 'I was removed from this workspace',
  shared: 'the channel is now shared with another organisation, whose people would see the project’s plans',
  'project-gone': 'a project that it is about is no longer there',
};

/** They come no more until somebody resumes them. */
export function pausedNotice(paused: readonly Digest[], { now }: { now: Date }): Message {
  const one = (digest: Digest) => `${nameDigest(digest)}: ${WHY[digest.pausedWhy ?? 'asked']}.`;
  const shown = paused.slice(0, MOST_LINES);
  const more = paused.length - shown.length;
  const title = paused.length === 1 ? 'A digest is paused.' : `${paused.length} digests are paused.`;
  const blocks: KnownBlock[] = [
    section(`*${title}*`),
    ...shown.map((digest) => ({
      ...section(one(digest)),
      accessory: button('Resume', RESUME, digest.id),
    })),
    context(
      `${more > 0 ? `And ${more} more. ` : ''}Nothing is posted for them until they are resumed. As of ${momentText(now, shown[0]?.zone, now)}.`,
    ),
  ];
  return { text: [title, ...shown.map(one)].join('\n'), blocks };
}
