import type { KnownBlock } from '@slack/types';
import { fetchReader, readProfile } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import { listWaiting } from '../../handlers/list-waiting.ts';
import { readShownSeries, renderSeriesEntry } from '../../held-posts/series/series-card.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { renderHeldPostEntry } from '../../held-posts/text/held-post-card.ts';
import { renderWaitingCount } from '../../posts/post-text.ts';
import {
  actions,
  button,
  context,
  divider,
  renderDateForReaders,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { loadShownRow } from '../../submissions/shown.ts';
import { FINAL_STATES, isState, type SubmissionRow } from '../../submissions/submission.ts';
import type { RenderedSubmission } from '../../submissions/text/render-submission.ts';
import { LIST_PREFIX, OUTBOX_ACTION, renderShortBlocks } from '../../submissions/text/state-blocks.ts';

/** Maximum entries in a message. A message holds 50 blocks, and an entry needs up to five. */
const MAX_ENTRIES = 8;
/** Maximum entries about submissions that have just ended. The others are only counted. */
const MAX_ENDED_ENTRIES = 4;

export const SEND_ALL_ACTION = 'outbox.send-all';

const NOTHING_PENDING = 'Nothing pending.';

/** The pending submissions of the actor, and those of others that the actor may handle. */
interface Outbox {
  ownSubmissions: readonly RenderedSubmission[];
  /** Whether the actor has more submissions than were read. */
  hasMore: boolean;
  othersSubmissions: readonly { submission: RenderedSubmission; author: string }[];
  heldPosts: HeldEntries;
  /** Number of submissions in a state that this version doesn't know. */
  unreadableCount: number;
  endedSubmissions: readonly RenderedSubmission[];
  /** The actor's submissions that can be sent again together. */
  resends: readonly SubmissionRow[];
  readAt: Date;
  /** What became of a press (mrkdwn). */
  note?: string;
  /** The results of checks (mrkdwn), by submission id. */
  notes: ReadonlyMap<string, string>;
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

/** Reads the outbox. `checked`: the submissions whose button was just pressed, or which were just checked. */
export async function readOutbox(call: Call, checked: readonly CheckedSubmission[] = []): Promise<Outbox> {
  const { context: submissionContext } = call.context.submissions;
  const { user: author } = call.actor;
  const waiting = await listWaiting(call);
  const { submissions: ownRows, submissionsOfOthers: managedRows } = waiting;
  const readableRows = new Set([...ownRows, ...managedRows].filter(({ state }) => isState(state)));
  // The author's own clock is stored with a submission.
  const hasOthers = managedRows.length > 0 || checked.some(({ row }) => row.author !== author);
  const reader = hasOthers ? { locale: (await readProfile(call)).actorLocale } : undefined;
  const render = (row: SubmissionRow) => loadShownRow(submissionContext, row, { reader });
  const endedRows = checked
    .map(({ row }) => row)
    .filter(({ state }) => FINAL_STATES.some((one) => one === state));
  const maxEntries = MAX_ENTRIES - Math.min(endedRows.length, MAX_ENDED_ENTRIES);
  return {
    readAt: call.now(),
    hasMore: waiting.hasMore,
    heldPosts: await readHeldEntries(call, waiting, maxEntries - readableRows.size),
    ownSubmissions: await Promise.all(ownRows.filter((row) => readableRows.has(row)).map(render)),
    othersSubmissions: await Promise.all(
      managedRows
        .filter((row) => readableRows.has(row))
        .map(async (row) => ({ submission: await render(row), author: row.author })),
    ),
    unreadableCount: ownRows.length + managedRows.length - readableRows.size,
    endedSubmissions: await Promise.all(endedRows.map(render)),
    // The first to go out comes first, because a failure ends it.
    resends: ownRows
      .filter((row) => row.content !== null && findResend(row))
      .toSorted((one, other) => Number(one.publish_at) - Number(other.publish_at)),
    notes: new Map(checked.flatMap(({ row, note }) => (note === undefined ? [] : [[row.id, note]]))),
  };
}

export function renderOutbox(outbox: Outbox): Message {
  const blocks = renderOutboxBlocks(outbox);
  if (blocks.length === 0) return { text: NOTHING_PENDING };
  // Only a press can change an ephemeral message.
  const readAt = section(`As of ${renderDateForReaders(outbox.readAt, '{time}')}`);
  const refresh = { ...readAt, accessory: button('Refresh', OUTBOX_ACTION) };
  const count =
    outbox.ownSubmissions.length +
    outbox.othersSubmissions.length +
    outbox.unreadableCount +
    outbox.heldPosts.count;
  const submissions = [
    ...outbox.ownSubmissions,
    ...outbox.othersSubmissions.map(({ submission }) => submission),
  ];
  const countText = renderWaitingCount({ count, kinds: submissions.map(({ noun }) => noun) });
  const text =
    count === 0 ? NOTHING_PENDING : `${outbox.hasMore ? `At least ${countText}` : countText} waiting.`;
  return { text, blocks: [...blocks, ...(count === 0 ? [context('Nothing else pending.')] : [refresh])] };
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

/** Renders the entries of the outbox. Returns no blocks if nothing is pending. */
function renderOutboxBlocks(outbox: Outbox): KnownBlock[] {
  const { ownSubmissions, othersSubmissions, heldPosts, unreadableCount, endedSubmissions, notes } = outbox;
  const render = (submission: RenderedSubmission) =>
    renderShortBlocks(submission, notes.get(submission.id), LIST_PREFIX);
  const shownEnded = endedSubmissions.slice(0, MAX_ENDED_ENTRIES);
  const hiddenEndedCount = endedSubmissions.length - shownEnded.length;
  const maxEntries = MAX_ENTRIES - shownEnded.length;
  const endedBlocks = [
    ...shownEnded.flatMap(render),
    ...(hiddenEndedCount > 0 ? [context(`…and ${hiddenEndedCount} more, just finished.`)] : []),
  ];
  const ownBlocks = ownSubmissions.slice(0, maxEntries).flatMap(render);
  const maxOthersEntries = Math.max(0, maxEntries - ownSubmissions.length);
  const othersBlocks = othersSubmissions
    .slice(0, maxOthersEntries)
    .flatMap(({ submission, author }) => [
      ...render({ ...submission, stateCopy: removeEditButtons(submission) }),
      context(`Sent by <@${author}>`),
    ]);
  const hiddenOwnCount = Math.max(0, ownSubmissions.length - maxEntries);
  const hiddenHeldCount = heldPosts.count - heldPosts.entries.length;
  const hiddenCount =
    hiddenOwnCount + Math.max(0, othersSubmissions.length - maxOthersEntries) + hiddenHeldCount;
  return [
    ...(outbox.note === undefined ? [] : [section(outbox.note)]),
    ...endedBlocks,
    ...(ownBlocks.length > 0 ? [section('*Outbox*'), ...renderSendAll(outbox), ...ownBlocks] : []),
    ...(othersBlocks.length > 0 ? [divider(), section('*Needs you*'), ...othersBlocks] : []),
    ...(heldPosts.entries.length > 0 && ownBlocks.length + othersBlocks.length > 0 ? [divider()] : []),
    ...(heldPosts.entries.length > 0 ? [section('*Posts that wait for you*')] : []),
    ...heldPosts.entries.flat(),
    ...(hiddenCount > 0
      ? [
          context(
            `…and ${outbox.hasMore ? 'at least ' : ''}${hiddenCount} more. They show up here as these finish.`,
          ),
        ]
      : []),
    ...(unreadableCount > 0
      ? [
          context(
            `I can’t show ${unreadableCount === 1 ? 'one submission' : `${unreadableCount} submissions`}.`,
          ),
        ]
      : []),
  ];
}

/** Removes the edit buttons, because only the author may edit a submission. */
function removeEditButtons({ stateCopy }: RenderedSubmission): RenderedSubmission['stateCopy'] {
  return {
    ...stateCopy,
    buttons: stateCopy.buttons.filter((name) => name !== 'edit' && name !== 'new-time'),
  };
}

/** Posts and series that wait for the actor: their own drafts and questions, and what nobody may schedule any more. */
interface HeldEntries {
  count: number;
  /** The blocks of the first ones, one list for each. */
  entries: readonly (readonly KnownBlock[])[];
}

/** Reads the posts that wait for the actor. The question about a post comes before a draft. */
async function readHeldEntries(
  call: Call,
  { questions, drafts, series }: Awaited<ReturnType<typeof listWaiting>>,
  maxEntries: number,
): Promise<HeldEntries> {
  const { heldPosts } = call.context;
  const rows = [...questions, ...drafts];
  const count = series.length + rows.length;
  if (count === 0) return { count, entries: [] };
  const viewers = await fetchReader(call);
  const shownSeries = await Promise.all(
    series.slice(0, Math.max(0, maxEntries)).map((row) => readShownSeries(heldPosts, row)),
  );
  const seriesEntries = shownSeries.map((shown) =>
    renderSeriesEntry(shown, { now: call.now(), locale: viewers.locale }),
  );
  const shownRows = rows.slice(0, Math.max(0, maxEntries - seriesEntries.length));
  const shownPosts = await Promise.all(shownRows.map((row) => readShownPost(heldPosts, row)));
  return {
    count,
    entries: [
      ...seriesEntries,
      ...shownPosts.map((shown) => renderHeldPostEntry(shown, { viewers, now: call.now() })),
    ],
  };
}
