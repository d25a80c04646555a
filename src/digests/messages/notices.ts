import type { KnownBlock } from '@slack/types';
import { renderMoment } from '../../posts/render-post.ts';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { APP_NAME } from '../../slack/name.ts';
import { CONFIRM_SENT, RESUME, SEND_AGAIN } from '../action-ids.ts';
import type { Digest, PauseReason } from '../digest.ts';
import { RESTORED } from '../lasting-reasons.ts';
import type { OccurrenceRow } from '../sql/occurrences.ts';
import { renderDigestName } from './name-digest.ts';

/** An occurrence in a notice to the owner of its digest. */
interface NoticeItem {
  row: OccurrenceRow;
  /** Undefined if the digest was removed. */
  digest: Digest | undefined;
}

/** Maximum number of digests that a notice names. Further digests are counted. */
const MAX_LINES = 12;
/** Maximum number of dates in the line of a digest. Further dates are counted. */
const MAX_DATES = 5;

/** Renders the notice about occurrences that weren't sent, grouped by reason. */
export function renderMissedNotice(missed: readonly NoticeItem[], { now }: { now: Date }): Message {
  const lateItems = missed.filter(({ row }) => row.reason !== 'refused' && row.reason !== RESTORED);
  const restoredItems = missed.filter(({ row }) => row.reason === RESTORED);
  const refusedItems = missed.filter(({ row }) => row.reason === 'refused');
  const paragraphs = [
    renderGroup(
      lateItems,
      now,
      'Not posted: I was not running, or could not post, at their time, and now it is too late.',
    ),
    renderGroup(refusedItems, now, 'Not posted: Slack did not take the message.'),
    renderGroup(
      restoredItems,
      now,
      `Not known: ${BACKUP_RESTORED}, and whether these were posted since is not in it.`,
    ),
  ];
  const text = [...paragraphs.filter(Boolean), 'The next ones come as planned.'].join('\n');
  return { text, blocks: [section(text)] };
}

function renderGroup(missed: readonly NoticeItem[], now: Date, title: string): string {
  if (missed.length === 0) return '';
  const groups = Object.values(Object.groupBy(missed, ({ row }) => row.digest));
  const lines = groups.slice(0, MAX_LINES).map((group = []) => renderLine(group, now));
  const hiddenCount = groups.length - lines.length;
  return [title, ...lines, ...(hiddenCount > 0 ? [`• and ${hiddenCount} more digests`] : [])].join('\n');
}

function renderLine(group: readonly NoticeItem[], now: Date): string {
  const [first] = group;
  if (!first) return '';
  const dates = group
    .toSorted((a, b) => a.row.due_at.getTime() - b.row.due_at.getTime())
    .map((item) => renderDueTime(item, now));
  const hiddenCount = dates.length - MAX_DATES;
  const dateList = [...dates.slice(0, MAX_DATES), ...(hiddenCount > 0 ? [`${hiddenCount} more`] : [])].join(
    '; ',
  );
  return `• ${first.digest ? renderDigestName(first.digest) : `<#${first.row.channel}>`}: ${dateList}`;
}

function renderDueTime({ row, digest }: NoticeItem, now: Date): string {
  return renderMoment(row.due_at, digest?.zone, now);
}

const BACKUP_RESTORED = 'a backup of mine was put back';

/** Renders the notice that asks the owner whether a message with an unknown outcome was sent. */
export function renderUncertainNotice(item: NoticeItem, { now }: { now: Date }): Message {
  const { row, digest } = item;
  const name = digest ? renderDigestName(digest) : `<#${row.channel}>`;
  const subject = `the digest of ${renderDueTime(item, now)} (${name})`;
  const cause =
    row.reason === RESTORED
      ? `Whether I posted ${subject} I do not know: ${BACKUP_RESTORED}.`
      : `Slack did not answer when I posted ${subject}, and I could not find it there.`;
  const text = `${cause} I do not post it again by myself. Is it there?`;
  const buttons = [button('It is there', CONFIRM_SENT, row.id), button('Post again', SEND_AGAIN, row.id)];
  return { text, blocks: [section(text), actions(...buttons)] };
}

const PAUSE_TEXT: Readonly<Record<PauseReason, string>> = {
  requested: 'somebody paused it',
  archived: 'the channel is archived',
  'not-in-channel': `I am not in the channel any more. Type \`/invite @${APP_NAME}\` there first`,
  restricted: 'I may not post there',
  'no-access': 'Slack did not let me in any more',
  uninstalled: 'I was removed from this workspace',
  shared: 'the channel is now shared with another organisation, whose people would see the project’s plans',
  'project-gone': 'a project that it is about is no longer there',
};

/** Renders the notice about paused digests, each with a button to resume it. */
export function renderPausedNotice(paused: readonly Digest[], { now }: { now: Date }): Message {
  const renderPause = (digest: Digest) =>
    `${renderDigestName(digest)}: ${PAUSE_TEXT[digest.pauseReason ?? 'requested']}.`;
  const shownDigests = paused.slice(0, MAX_LINES);
  const hiddenCount = paused.length - shownDigests.length;
  const title = paused.length === 1 ? 'A digest is paused.' : `${paused.length} digests are paused.`;
  const blocks: KnownBlock[] = [
    section(`*${title}*`),
    ...shownDigests.map((digest) => ({
      ...section(renderPause(digest)),
      accessory: button('Resume', RESUME, digest.id),
    })),
    context(
      `${hiddenCount > 0 ? `And ${hiddenCount} more. ` : ''}Nothing is posted for them until they are resumed. As of ${renderMoment(now, shownDigests[0]?.zone, now)}.`,
    ),
  ];
  return { text: [title, ...shownDigests.map(renderPause)].join('\n'), blocks };
}
