import type { KnownBlock } from '@slack/types';
import { fetchReader, readProfile } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { listWaiting, type OutboxContent, renderOutboxCount } from '../../handlers/list-waiting.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readShownSeries, renderSeriesEntry } from '../../held-posts/series/series-card.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { buildOutboxPrefix } from '../../held-posts/text/held-post-buttons.ts';
import { renderHeldPostEntry } from '../../held-posts/text/held-post-card.ts';
import {
  actions,
  button,
  context,
  divider,
  renderDateForReaders,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { buildStateButton } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { loadShownRow } from '../../submissions/shown.ts';
import { FINAL_STATES, isState, type SubmissionRow } from '../../submissions/submission.ts';
import type { RenderedSubmission } from '../../submissions/text/render-submission.ts';
import { LIST_PREFIX, OUTBOX_ACTION, renderShortBlocks } from '../../submissions/text/state-blocks.ts';

/** Maximum entries in a message. A message holds 50 blocks, and an entry needs up to five, or six after its press. */
const MAX_ENTRIES = 8;
/** Maximum entries about submissions that have just ended. The others are only counted. */
const MAX_ENDED_ENTRIES = 4;

export const SEND_ALL_ACTION = 'outbox.send-all';

const NOTHING_PENDING = 'Nothing pending.';

/** An entry of the outbox. */
type Entry =
  | { kind: 'own' | 'other'; row: SubmissionRow }
  | { kind: 'series'; row: OutboxContent['series'][number] }
  | { kind: 'held'; row: HeldPostRow; note?: string | undefined };

const HEADINGS: Readonly<Record<Entry['kind'], string>> = {
  own: '*Outbox*',
  other: '*Needs you*',
  series: '*Posts that wait for you*',
  held: '*Posts that wait for you*',
};

/** A part of the outbox that fits into a message. */
interface Outbox {
  entries: readonly { heading: string; blocks: readonly KnownBlock[] }[];
  /** The position of the first of these entries, from 0. */
  from: number;
  /** Number of readable entries of the whole outbox. */
  readableCount: number;
  unreadableCount: number;
  /** Whether the actor has more submissions than were read. */
  hasMore: boolean;
  /** How much is in it: "2 posts are waiting". */
  countText: string;
  endedEntries: readonly (readonly KnownBlock[])[];
  hiddenEndedCount: number;
  /** The actor's submissions that can be sent again together. */
  resends: readonly SubmissionRow[];
  readAt: Date;
  /** What became of a press (mrkdwn). */
  note?: string;
}

/** A submission after a press, or after a check. `note` describes the result (mrkdwn). */
export interface CheckedSubmission {
  row: SubmissionRow;
  note?: string | undefined;
}

/** Creates a check whether the actor manages a project, and so may handle other people's submissions in it. */
export function createManagerCheck(call: Call): (project: string | undefined) => boolean {
  return (project) => call.may('manager', project ?? '');
}

/** A post whose button in the outbox was just pressed, as it is now. `note` describes the result (mrkdwn). */
interface PressedEntry {
  row: HeldPostRow;
  note?: string | undefined;
}

/**
 * Reads the outbox from an entry on, or its last entries if it has become shorter. `checked`: the submissions whose
 * button was just pressed, or which were just checked. `pressed`: comes first.
 */
export async function readOutbox(
  call: Call,
  checked: readonly CheckedSubmission[] = [],
  requestedFrom = 0,
  pressed?: PressedEntry,
): Promise<Outbox> {
  const waiting = await listWaiting(call);
  const isReadable = ({ state }: SubmissionRow) => isState(state);
  const isOther = ({ id, origin }: SubmissionRow) =>
    id !== pressed?.row.submission && origin !== pressed?.row.id;
  const [ownRows, otherRows] = [
    waiting.submissions.filter(isOther),
    waiting.submissionsOfOthers.filter(isOther),
  ];
  const entries: Entry[] = [
    ...ownRows.filter(isReadable).map((row) => ({ kind: 'own', row }) as const),
    ...otherRows.filter(isReadable).map((row) => ({ kind: 'other', row }) as const),
    ...waiting.series.map((row) => ({ kind: 'series', row }) as const),
    // The question about a post comes before a draft.
    ...[...waiting.questions, ...waiting.drafts].flatMap((row) =>
      row.id === pressed?.row.id ? [] : [{ kind: 'held', row } as const],
    ),
  ];
  const endedRows = checked
    .map(({ row }) => row)
    .filter(({ state }) => FINAL_STATES.some((one) => one === state));
  const shownEnded = endedRows.slice(0, MAX_ENDED_ENTRIES);
  const size = MAX_ENTRIES - shownEnded.length - (pressed ? 1 : 0);
  const from = requestedFrom < entries.length ? requestedFrom : Math.max(0, entries.length - size);
  const notes = new Map(checked.flatMap(({ row, note }) => (note === undefined ? [] : [[row.id, note]])));
  const render = createEntryRenderer(call, { notes, from });
  const pressedBlocks = pressed && (await render({ kind: 'held', ...pressed }));
  const submissions = [...ownRows, ...otherRows].filter(isReadable);
  const unreadableCount = ownRows.length + otherRows.length - submissions.length;
  return {
    readAt: call.now(),
    hasMore: waiting.hasMore,
    from,
    readableCount: entries.length,
    entries: await Promise.all(
      entries
        .slice(from, from + size)
        .map(async (entry) => ({ heading: HEADINGS[entry.kind], blocks: await render(entry) })),
    ),
    unreadableCount,
    countText: renderOutboxCount(waiting),
    endedEntries: [
      ...(pressedBlocks ? [pressedBlocks] : []),
      ...(await Promise.all(shownEnded.map((row) => render({ kind: 'own', row })))),
    ],
    hiddenEndedCount: endedRows.length - shownEnded.length,
    // The first to go out comes first, because a failure ends it.
    resends: ownRows
      .filter((row) => row.content !== null && findResend(row))
      .toSorted((one, other) => Number(one.publish_at) - Number(other.publish_at)),
  };
}

/**
 * Creates a function that renders an entry. `notes`: what became of presses and checks (mrkdwn), by submission id.
 * `from`: see `Outbox`. The entries' buttons contain it, so that a press shows the same part again.
 */
function createEntryRenderer(
  call: Call,
  { notes, from }: { notes: ReadonlyMap<string, string>; from: number },
) {
  const { heldPosts, submissions } = call.context;
  const now = call.now();
  const prefix = buildOutboxPrefix(from);
  let profile: ReturnType<typeof readProfile> | undefined;
  let viewers: ReturnType<typeof fetchReader> | undefined;
  // The author's own clock is stored with a submission.
  const renderRow = async (row: SubmissionRow, isOwn: boolean): Promise<readonly KnownBlock[]> => {
    if (row.author !== call.actor.user) profile ??= readProfile(call);
    const reader = row.author === call.actor.user ? undefined : { locale: (await profile)?.actorLocale };
    const submission = await loadShownRow(submissions.context, row, { reader });
    const shown = isOwn ? submission : { ...submission, stateCopy: removeEditButtons(submission) };
    const valuePrefix = from === 0 ? LIST_PREFIX : `${LIST_PREFIX}${from}:`;
    const author = isOwn ? undefined : row.author;
    return renderShortBlocks(shown, { note: notes.get(row.id), valuePrefix, author, prefix });
  };
  return async (entry: Entry): Promise<readonly KnownBlock[]> => {
    switch (entry.kind) {
      case 'own':
      case 'other':
        return renderRow(entry.row, entry.kind === 'own');
      case 'series': {
        viewers ??= fetchReader(call);
        const { locale } = await viewers;
        return renderSeriesEntry(await readShownSeries(heldPosts, entry.row), { now, locale });
      }
      case 'held': {
        viewers ??= fetchReader(call);
        const shown = await readShownPost(heldPosts, entry.row);
        const author = entry.row.author === call.actor.user ? undefined : entry.row.author;
        const readers = { viewers: await viewers, now };
        return renderHeldPostEntry(shown, readers, { note: entry.note, author, prefix });
      }
    }
  };
}

export function renderOutbox(outbox: Outbox): Message {
  const { entries, from, readableCount, unreadableCount, countText, hasMore, readAt } = outbox;
  const count = readableCount + unreadableCount;
  const blocks = renderOutboxBlocks(outbox);
  if (blocks.length === 0) return { text: NOTHING_PENDING };
  if (count === 0) return { text: NOTHING_PENDING, blocks: [...blocks, context('Nothing else pending.')] };
  const end = from + entries.length;
  const isWhole = entries.length === readableCount;
  const position = `${from + 1} to ${end} of ${hasMore ? 'at least ' : ''}${count}`;
  const time = renderDateForReaders(readAt, '{time}');
  const [refresh] = buildStateButton('Refresh', OUTBOX_ACTION, { from });
  const buttons = [
    ...(from > 0
      ? buildStateButton('Previous page', 'outbox.previous', { from: Math.max(0, from - MAX_ENTRIES) })
      : []),
    ...(end < readableCount ? buildStateButton('Next page', 'outbox.next', { from: end }) : []),
  ];
  return {
    text: `${countText}${isWhole ? '' : `, ${position}`}.`,
    blocks: [
      ...blocks,
      // Only a press can change an ephemeral message.
      {
        ...section(isWhole ? `As of ${time}` : `${position}, as of ${time}`),
        ...(refresh && { accessory: refresh }),
      },
      ...(buttons.length > 0 ? [actions(...buttons)] : []),
    ],
  };
}

/**
 * The decision with which a submission is sent again together with others: the service certainly doesn't have it, or
 * Upnext has looked for it in vain.
 */
export function findResend({ state, reason }: SubmissionRow): 'retry' | 'send-again' | undefined {
  if (state === 'gave-up') return 'retry';
  return state === 'unsure' && reason === 'not-found' ? 'send-again' : undefined;
}

/** A submission as a list showed it. With every attempt, it has another fencing token. */
type ShownRow = Pick<SubmissionRow, 'id' | 'fence'>;

const renderShownRows = (rows: readonly ShownRow[]) =>
  rows.map(({ id, fence }) => `${id}:${fence}`).join(' ');

/** Parses the value of the button that sends several submissions again. */
export function parseShownRows(value = ''): ShownRow[] {
  return value.split(' ').map((shown) => {
    const [id = '', fence] = shown.split(':');
    return { id, fence: Number(fence) };
  });
}

/** Renders the button that sends several submissions again, unless there are fewer. */
function renderSendAll({ resends, hasMore }: Outbox): KnownBlock[] {
  if (resends.length < 2) return [];
  const doubt = resends.some((row) => findResend(row) === 'send-again')
    ? 'I look for each once more, and send those that aren’t there. If one turns up after that, it’s there twice.'
    : 'The scheduling service doesn’t have them.';
  const dialog = { title: 'Send them all again?', text: doubt, confirm: 'Send again', deny: 'Not now' };
  const label = `Send ${hasMore ? '' : 'all '}${resends.length} again`;
  return [actions(withConfirmation(button(label, SEND_ALL_ACTION, renderShownRows(resends)), dialog))];
}

/** Renders the entries. Returns no blocks if nothing is pending. */
function renderOutboxBlocks(outbox: Outbox): KnownBlock[] {
  const { entries, from, readableCount, endedEntries, hiddenEndedCount, unreadableCount } = outbox;
  const isLast = from + entries.length === readableCount;
  const unreadableText = unreadableCount === 1 ? 'one submission' : `${unreadableCount} submissions`;
  return [
    ...(outbox.note === undefined ? [] : [section(outbox.note)]),
    ...endedEntries.flat(),
    ...(hiddenEndedCount > 0 ? [context(`…and ${hiddenEndedCount} more, just finished.`)] : []),
    ...entries.flatMap(({ heading, blocks }, index) => [
      ...(heading === entries[index - 1]?.heading
        ? []
        : [
            ...(index > 0 ? [divider()] : []),
            section(heading),
            ...(heading === HEADINGS.own ? renderSendAll(outbox) : []),
          ]),
      ...blocks,
    ]),
    ...(isLast && outbox.hasMore
      ? [context('You have more submissions. They show up here as these finish.')]
      : []),
    ...(isLast && unreadableCount > 0 ? [context(`I can’t show ${unreadableText}.`)] : []),
  ];
}

/** Removes the edit buttons, because only the author may edit a submission. */
function removeEditButtons({ stateCopy }: RenderedSubmission): RenderedSubmission['stateCopy'] {
  return {
    ...stateCopy,
    buttons: stateCopy.buttons.filter((name) => name !== 'edit'),
  };
}
