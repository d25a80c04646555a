import type { KnownBlock } from '@slack/types';
import { renderMoment } from '../../posts/render-post.ts';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { APP_NAME } from '../../slack/name.ts';
import { CONFIRM_SENT, RESUME, SEND_AGAIN } from '../action-ids.ts';
import type { Digest, PauseReason } from '../digest.ts';
import { RESTORED } from '../lasting-reasons.ts';
import type { OccurrenceRow } from '../sql/occurrences.ts';
import { nameDigest } from './name-digest.ts';

/** The direct messages that notify owners of digests. */

interface NoticeItem {
  row: OccurrenceRow;
  /** Undefined if it was removed. */
  digest: Digest | undefined;
}

/** Digests in a notice, and dates in the line of a digest. The rest is counted. */
const MAX_LINES = 12;
const MAX_DATES = 5;

/** Occurrences that weren't sent, grouped by reason. */
export function missedNotice(missed: readonly NoticeItem[], { now }: { now: Date }): Message {
  const late = missed.filter(({ row }) => row.reason !== 'refused' && row.reason !== RESTORED);
  const restored = missed.filter(({ row }) => row.reason === RESTORED);
  const refused = missed.filter(({ row }) => row.reason === 'refused');
  const parts = [
    groupText(
      late,
      now,
      'Not posted: I was not running, or could not post, at their time, and now it is too late.',
    ),
    groupText(refused, now, 'Not posted: Slack did not take the message.'),
    groupText(
      restored,
      now,
      `Not known: ${BACKUP_RESTORED}, and whether these were posted since is not in it.`,
    ),
  ];
  const text = [...parts.filter(Boolean), 'The next ones come as planned.'].join('\n');
  return { text, blocks: [section(text)] };
}

function groupText(missed: readonly NoticeItem[], now: Date, title: string): string {
  if (missed.length === 0) return '';
  const groups = Object.values(Object.groupBy(missed, ({ row }) => row.digest));
  const lines = groups.slice(0, MAX_LINES).map((group = []) => lineOf(group, now));
  const more = groups.length - lines.length;
  return [title, ...lines, ...(more > 0 ? [`• and ${more} more digests`] : [])].join('\n');
}

function lineOf(group: readonly NoticeItem[], now: Date): string {
  const [first] = group;
  if (!first) return '';
  const dates = group
    .toSorted((a, b) => a.row.due_at.getTime() - b.row.due_at.getTime())
    .map((shown) => momentOf(shown, now));
  const more = dates.length - MAX_DATES;
  const dateList = [...dates.slice(0, MAX_DATES), ...(more > 0 ? [`${more} more`] : [])].join('; ');
  return `• ${first.digest ? nameDigest(first.digest) : `<#${first.row.channel}>`}: ${dateList}`;
}

function momentOf({ row, digest }: NoticeItem, now: Date): string {
  return renderMoment(row.due_at, digest?.zone, now);
}

const BACKUP_RESTORED = 'a backup of mine was put back';

/** Asks the owner whether a message exists, because its outcome is unknown. */
export function uncertainNotice(shown: NoticeItem, { now }: { now: Date }): Message {
  const { row, digest } = shown;
  const name = digest ? nameDigest(digest) : `<#${row.channel}>`;
  const which = `the digest of ${momentOf(shown, now)} (${name})`;
  const because =
    row.reason === RESTORED
      ? `Whether I posted ${which} I do not know: ${BACKUP_RESTORED}.`
      : `Slack did not answer when I posted ${which}, and I could not find it there.`;
  const text = `${because} I do not post it again by myself. Is it there?`;
  const buttons = [button('It is there', CONFIRM_SENT, row.id), button('Post again', SEND_AGAIN, row.id)];
  return { text, blocks: [section(text), actions(...buttons)] };
}

const PAUSE_TEXT: Readonly<Record<PauseReason, string>> = {
  asked: 'somebody paused it',
  archived: 'the channel is archived',
  'not-in-channel': `I am not in the channel any more. Type \`/invite @${APP_NAME}\` there first`,
  restricted: 'I may not post there',
  'no-access': 'Slack did not let me in any more',
  uninstalled: 'I was removed from this workspace',
  shared: 'the channel is now shared with another organisation, whose people would see the project’s plans',
  'project-gone': 'a project that it is about is no longer there',
};

/** Digests that were paused, each with a button to resume it. */
export function pausedNotice(paused: readonly Digest[], { now }: { now: Date }): Message {
  const one = (digest: Digest) => `${nameDigest(digest)}: ${PAUSE_TEXT[digest.pauseReason ?? 'asked']}.`;
  const shown = paused.slice(0, MAX_LINES);
  const more = paused.length - shown.length;
  const title = paused.length === 1 ? 'A digest is paused.' : `${paused.length} digests are paused.`;
  const blocks: KnownBlock[] = [
    section(`*${title}*`),
    ...shown.map((digest) => ({
      ...section(one(digest)),
      accessory: button('Resume', RESUME, digest.id),
    })),
    context(
      `${more > 0 ? `And ${more} more. ` : ''}Nothing is posted for them until they are resumed. As of ${renderMoment(now, shown[0]?.zone, now)}.`,
    ),
  ];
  return { text: [title, ...shown.map(one)].join('\n'), blocks };
}
