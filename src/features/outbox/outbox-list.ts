import type { KnownBlock } from '@slack/types';
import { fetchReader, readProfile } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { listWaiting, renderWaiting, type Waiting } from '../../handlers/list-waiting.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readShownSeries, renderSeriesEntry } from '../../held-posts/series/series-card.ts';
import { readShownPost } from '../../held-posts/show.ts';
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
import { buildPageButtons, buildStateButton, type Page, paginate } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { loadShownRow } from '../../submissions/shown.ts';
import { FINAL_STATES, isState, type SubmissionRow } from '../../submissions/submission.ts';
import type { RenderedSubmission } from '../../submissions/text/render-submission.ts';
import { LIST_PREFIX, OUTBOX_ACTION, renderShortBlocks } from '../../submissions/text/state-blocks.ts';

/** Maximum entries in a message. It holds 50 blocks, and an entry needs up to five. */
const MAX_ENTRIES = 8;
/** Maximum entries about submissions that have just ended. The others are only counted. */
const MAX_ENDED_ENTRIES = 4;

export const SEND_ALL_ACTION = 'outbox.send-all';

const NOTHING_PENDING = 'Nothing pending.';

/** What waits for a person, in the order of the outbox. */
type Entry =
  | { kind: 'own' | 'other'; row: SubmissionRow }
  | { kind: 'series'; row: Waiting['series'][number] }
  | { kind: 'held'; row: HeldPostRow };

const HEADINGS: Readonly<Record<Entry['kind'], string>> = {
  own: '*Outbox*',
  other: '*Needs you*',
  series: '*Posts that wait for you*',
  held: '*Posts that wait for you*',
};

/** A page of the outbox. */
interface Outbox {
  page: Page<{ heading: string; blocks: readonly KnownBlock[] }>;
  /** Number of entries on all pages, with those in a state that this version doesn't know. */
  count: number;
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

/**
 * Reads a page of the outbox: the one with this number, or the one on which the submission `near` is or was. `checked`:
 * the submissions whose button was just pressed, or which were just checked.
 */
export async function readOutbox(
  call: Call,
  checked: readonly CheckedSubmission[] = [],
  shown: { number: number } | { near: SubmissionRow } = { number: 0 },
): Promise<Outbox> {
  const waiting = await listWaiting(call);
  const isReadable = ({ state }: SubmissionRow) => isState(state);
  const [ownRows, otherRows] = [waiting.submissions, waiting.submissionsOfOthers];
  const entries: Entry[] = [
    ...ownRows.filter(isReadable).map((row) => ({ kind: 'own', row }) as const),
    ...otherRows.filter(isReadable).map((row) => ({ kind: 'other', row }) as const),
    ...waiting.series.map((row) => ({ kind: 'series', row }) as const),
    // The question about a post comes before a draft.
    ...[...waiting.questions, ...waiting.drafts].map((row) => ({ kind: 'held', row }) as const),
  ];
  const endedRows = checked
    .map(({ row }) => row)
    .filter(({ state }) => FINAL_STATES.some((one) => one === state));
  const shownEnded = endedRows.slice(0, MAX_ENDED_ENTRIES);
  const size = MAX_ENTRIES - shownEnded.length;
  const page = paginate(entries, 'near' in shown ? findPage(entries, shown.near, size) : shown.number, size);
  const notes = new Map(checked.flatMap(({ row, note }) => (note === undefined ? [] : [[row.id, note]])));
  const render = createEntryRenderer(call, notes);
  const submissions = [...ownRows, ...otherRows].filter(isReadable);
  const unreadableCount = ownRows.length + otherRows.length - submissions.length;
  return {
    readAt: call.now(),
    hasMore: waiting.hasMore,
    page: {
      ...page,
      items: await Promise.all(
        page.items.map(async (entry) => ({ heading: HEADINGS[entry.kind], blocks: await render(entry) })),
      ),
    },
    count: entries.length + unreadableCount,
    unreadableCount,
    countText: renderWaiting(waiting),
    endedEntries: await Promise.all(shownEnded.map((row) => render({ kind: 'own', row }))),
    hiddenEndedCount: endedRows.length - shownEnded.length,
    // The first to go out comes first, because a failure ends it.
    resends: ownRows
      .filter((row) => row.content !== null && findResend(row))
      .toSorted((one, other) => Number(one.publish_at) - Number(other.publish_at)),
  };
}

/** Finds the page on which a submission is, or on which the one after it is. */
function findPage(entries: readonly Entry[], near: SubmissionRow, size: number): number {
  const itself = entries.findIndex(({ row }) => row.id === near.id);
  const next = entries.findIndex(({ kind, row }) => kind !== 'own' || row.created_at < near.created_at);
  const position = [itself, next].find((index) => index >= 0) ?? entries.length - 1;
  return Math.floor(position / size);
}

/** Creates a function that renders an entry. `notes`: what became of presses and checks (mrkdwn), by submission id. */
function createEntryRenderer(call: Call, notes: ReadonlyMap<string, string>) {
  const { heldPosts, submissions } = call.context;
  const now = call.now();
  // The author's own clock is stored with a submission.
  const renderRow = async (row: SubmissionRow, isOwn: boolean): Promise<readonly KnownBlock[]> => {
    const reader =
      row.author === call.actor.user ? undefined : { locale: (await readProfile(call)).actorLocale };
    const submission = await loadShownRow(submissions.context, row, { reader });
    const shown = isOwn ? submission : { ...submission, stateCopy: removeEditButtons(submission) };
    const blocks = renderShortBlocks(shown, notes.get(row.id), LIST_PREFIX);
    return isOwn ? blocks : [...blocks, context(`Sent by <@${row.author}>`)];
  };
  return async (entry: Entry): Promise<readonly KnownBlock[]> => {
    switch (entry.kind) {
      case 'own':
      case 'other':
        return renderRow(entry.row, entry.kind === 'own');
      case 'series': {
        const { locale } = await fetchReader(call);
        return renderSeriesEntry(await readShownSeries(heldPosts, entry.row), { now, locale });
      }
      case 'held': {
        const viewers = await fetchReader(call);
        return renderHeldPostEntry(await readShownPost(heldPosts, entry.row), { viewers, now });
      }
    }
  };
}

export function renderOutbox(outbox: Outbox): Message {
  const { count, countText, hasMore, page, readAt } = outbox;
  const blocks = renderOutboxBlocks(outbox);
  if (blocks.length === 0) return { text: NOTHING_PENDING };
  if (count === 0) return { text: NOTHING_PENDING, blocks: [...blocks, context('Nothing else pending.')] };
  const positions =
    page.titleSuffix === ''
      ? 'As of'
      : `${page.titleSuffix.slice(2)} of ${hasMore ? 'at least ' : ''}${count}, as of`;
  const [refresh] = buildStateButton('Refresh', OUTBOX_ACTION, { page: page.number });
  const buttons = buildPageButtons('outbox', page, (number) => ({ page: number }));
  return {
    text: `${countText}.`,
    blocks: [
      ...blocks,
      // Only a press can change an ephemeral message.
      {
        ...section(`${positions} ${renderDateForReaders(readAt, '{time}')}`),
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
  return state === 'needs-person' && reason === 'not-found' ? 'send-again' : undefined;
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

/** Renders the entries of the page. Returns no blocks if nothing is pending. */
function renderOutboxBlocks(outbox: Outbox): KnownBlock[] {
  const { page, endedEntries, hiddenEndedCount, unreadableCount } = outbox;
  const isLast = page.number === page.count - 1;
  const unreadableText = unreadableCount === 1 ? 'one submission' : `${unreadableCount} submissions`;
  return [
    ...(outbox.note === undefined ? [] : [section(outbox.note)]),
    ...endedEntries.flat(),
    ...(hiddenEndedCount > 0 ? [context(`…and ${hiddenEndedCount} more, just finished.`)] : []),
    ...page.items.flatMap(({ heading, blocks }, index) => [
      ...(heading === page.items[index - 1]?.heading
        ? []
        : [
            ...(index > 0 ? [divider()] : []),
            section(heading),
            ...(heading === HEADINGS.own ? renderSendAll(outbox) : []),
          ]),
      ...blocks,
    ]),
    ...(isLast && outbox.hasMore ? [context('There are more. They show up here as these finish.')] : []),
    ...(isLast && unreadableCount > 0 ? [context(`I can’t show ${unreadableText}.`)] : []),
  ];
}

/** Removes the edit buttons, because only the author may edit a submission. */
function removeEditButtons({ stateCopy }: RenderedSubmission): RenderedSubmission['stateCopy'] {
  return {
    ...stateCopy,
    buttons: stateCopy.buttons.filter((name) => name !== 'edit' && name !== 'new-time'),
  };
}
