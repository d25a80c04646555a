import type { KnownBlock } from '@slack/types';
import { renderPostTime } from '../../posts/post-time.ts';
import { actions, button, context, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { APP_NAME } from '../../slack/name.ts';
import { describeFailure, type ServiceFailure } from '../../slack/service-failure.ts';
import { renderRecurrence } from '../../when/recurrence.ts';
import { renderCount } from '../../words.ts';
import { type Digest, isPersonal, type PauseReason, toRecurrence } from '../digest.ts';
import type { OccurrenceRow } from '../occurrence.ts';

interface NoticeItem {
  row: OccurrenceRow;
  /** Undefined if the digest was removed. */
  digest: Digest | undefined;
}

/** Maximum number of digests that a notice names. Further digests are counted. */
const MAX_LINES = 12;
/** Maximum number of dates in the line of a digest. Further dates are counted. */
const MAX_DATES = 5;

const BACKUP_RESTORED_TEXT = 'my data was restored from a backup';

/** What a notice says of missed occurrences, by their state reason, in this order. */
const MISSED_TITLES = [
  ['late', 'Not sent: I wasn’t running or couldn’t send at that time, and now it’s too late.'],
  ['refused', 'Not sent: Slack refused the message.'],
  ['restored', `Unknown: ${BACKUP_RESTORED_TEXT}, so I can’t tell whether these were sent.`],
] as const;

export function renderMissedNotice(missedItems: readonly NoticeItem[], { now }: { now: Date }): Message {
  const groups = Object.groupBy(missedItems, ({ row: { reason } }) =>
    reason === 'refused' || reason === 'restored' ? reason : 'late',
  );
  const paragraphs = MISSED_TITLES.map(([reason, title]) => renderGroup(groups[reason] ?? [], now, title));
  const isOn = missedItems.every(({ digest }) => digest?.state === 'on');
  const text = [...paragraphs, isOn ? 'The next ones come as planned.' : ''].filter(Boolean).join('\n');
  return { text, blocks: [section(text)] };
}

function renderGroup(items: readonly NoticeItem[], now: Date, title: string): string {
  if (items.length === 0) return '';
  const groups = Object.values(Object.groupBy(items, ({ row }) => row.digest));
  const lines = groups.slice(0, MAX_LINES).map((group = []) => renderLine(group, now));
  const hiddenCount = groups.length - lines.length;
  return [
    title,
    ...lines,
    ...(hiddenCount > 0 ? [`• and ${renderCount(hiddenCount, 'more digest')}`] : []),
  ].join('\n');
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
  return renderTimeForReaders(row.due_at, digest?.zone, now);
}

/** Renders a time of a digest as mrkdwn that Slack shows in the zone and with the clock of each reader. */
export function renderTimeForReaders(instant: Date, zone: string | undefined, now: Date): string {
  return renderPostTime({ instant, zone }, 'everyone', now).mrkdwn;
}

/** Renders the notice that asks the owner whether a message with an unknown outcome was sent. */
export function renderUncertainNotice(item: NoticeItem, { now }: { now: Date }): Message {
  const { row, digest } = item;
  const name = digest ? renderDigestName(digest) : `<#${row.channel}>`;
  const subject = `the digest of ${renderDueTime(item, now)} (${name})`;
  const result = row.reason === 'not-searched' ? 'I can’t look for it there' : 'I couldn’t find it there';
  const cause =
    row.reason === 'restored'
      ? `I don’t know whether I sent ${subject}, because ${BACKUP_RESTORED_TEXT}.`
      : `Slack didn’t answer when I sent ${subject}, and ${result}.`;
  const text = `${cause} Is it there?`;
  const buttons = [button('It’s there', CONFIRM_SENT, row.id), button('Send again', SEND_AGAIN, row.id)];
  return { text, blocks: [section(text), actions(...buttons)] };
}

const PAUSE_TEXT: Readonly<Record<PauseReason, string>> = {
  requested: 'somebody paused it',
  archived: 'the channel was archived or deleted',
  'not-in-channel': `I was removed from the channel. Type \`/invite @${APP_NAME}\` there first`,
  restricted: 'the workspace’s rules don’t let me post there',
  'no-access': 'Slack didn’t let me in',
  uninstalled: 'I was removed from this workspace',
  shared: 'the channel was shared with another organisation, whose people would have seen your posts',
  guests: 'guests are in the channel, and the policy of a project keeps them out',
  'project-gone': 'one of its projects isn’t at the scheduling service any more',
};

/** Says why a digest is paused; mrkdwn, without a period. */
export function renderPauseReason(digest: Digest): string {
  const { pauseReason = 'requested' } = digest;
  // A direct message has no channel to which somebody could invite the app.
  if (isPersonal(digest) && pauseReason === 'not-in-channel')
    return 'the reader’s account is deactivated, or I can’t reach it';
  if (isPersonal(digest) && ['archived', 'restricted'].includes(pauseReason))
    return 'Slack doesn’t deliver my direct messages';
  return PAUSE_TEXT[pauseReason];
}

export function renderPausedNotice(pausedDigests: readonly Digest[], { now }: { now: Date }): Message {
  const renderPause = (digest: Digest) => `${renderDigestName(digest)}: ${renderPauseReason(digest)}.`;
  const shownDigests = pausedDigests.slice(0, MAX_LINES);
  const hiddenCount = pausedDigests.length - shownDigests.length;
  const title =
    pausedDigests.length === 1 ? 'A digest is paused.' : `${pausedDigests.length} digests are paused.`;
  const blocks: KnownBlock[] = [
    section(`*${title}*`),
    ...shownDigests.map((digest) => ({
      ...section(renderPause(digest)),
      accessory: button('Resume', RESUME, digest.id),
    })),
    context(
      ...(hiddenCount > 0 ? [`And ${hiddenCount} more.`] : []),
      `I won’t send ${pausedDigests.length === 1 ? 'it until somebody resumes or edits it' : 'them until somebody resumes or edits them'}.`,
      `As of ${renderTimeForReaders(now, shownDigests[0]?.zone, now)}.`,
    ),
  ];
  return { text: [title, ...shownDigests.map(renderPause)].join('\n'), blocks };
}

/** Renders a digest's name as mrkdwn: "<#C1>, weekdays at 09:00 (Berlin)". Its days are those of its zone. */
export function renderDigestName(digest: Pick<Digest, 'channel' | 'days' | 'time' | 'zone'>): string {
  const place = isPersonal(digest) ? 'Direct messages' : `<#${digest.channel}>`;
  return `${place}, ${renderRecurrence(toRecurrence(digest))}`;
}

/** Renders the message instead of a personal digest if Upnext couldn't check which projects the reader may see. */
export function renderNotCheckedMessage(
  digest: Pick<Digest, 'zone'>,
  times: { due: Date; now: Date },
): Message {
  const moment = renderTimeForReaders(times.due, digest.zone, times.now);
  return {
    text: `I skipped the digest for ${moment} because I couldn’t check which projects you can see. The next one comes as planned.`,
  };
}

/** Renders the message instead of a digest if the service failed. */
export function renderServiceDownMessage(
  digest: Pick<Digest, 'zone'>,
  times: { due: Date; now: Date; failure: ServiceFailure },
): Message {
  const moment = renderTimeForReaders(times.due, digest.zone, times.now);
  const { failure } = times;
  const reason =
    failure.kind === 'not-applied' && failure.cause === 'not-connected'
      ? 'this workspace isn’t connected to a scheduling service'
      : `the scheduling service hasn’t ${describeFailure(failure)} for half an hour`;
  return { text: `No digest for ${moment}: ${reason}. The next one comes as planned.` };
}

/** Renders the message instead of a digest for which nobody has chosen a project. */
export function renderNoProjectMessage(digest: Pick<Digest, 'channel'>): Message {
  const text = isPersonal(digest)
    ? 'Your digest has no project yet. Find it with `/upnext digest`, then press Edit to choose one.'
    : 'This channel doesn’t follow a project yet, so there’s no digest. Choose one with `/upnext use`.';
  return { text, blocks: [section(text)] };
}

/** Renders the message instead of a personal digest whose reader may no longer see any of its projects. */
export function renderNoReadableProjectMessage(): Message {
  const text =
    'I can’t show your digest because you no longer have access to its projects. Change or delete it with `/upnext digest`.';
  return { text, blocks: [section(text)] };
}

/** Action ids of the buttons in notices. A button's value is the occurrence's id; for `RESUME`, the digest's id. */
export const CONFIRM_SENT = 'digests.confirm-sent';
export const SEND_AGAIN = 'digests.send-again';
export const RESUME = 'digests.resume';
