import type { Button, KnownBlock } from '@slack/types';
import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import { CLOSE_UNCHECKED } from '../../posts/close-posts.ts';
import { MIN_POST_GAP_MS } from '../../posts/platform-rules/platform-rules.ts';
import { renderDestination } from '../../posts/platforms.ts';
import { type CardPost, toExcerpt } from '../../posts/post-text.ts';
import { type Blackout, leaveOutBlackouts } from '../../preferences/posting-times.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import {
  actions,
  button,
  context,
  escapeText,
  header,
  plain,
  section,
  withConfirmation,
} from '../../slack/blocks.ts';
import { buildFallbackText, type Message } from '../../slack/message.ts';
import { formatMoment } from '../../when/format-moment.ts';
import { clip, renderCount, renderDuration } from '../../words.ts';
import { describeContent, type HeldPostContext } from '../held-post-context.ts';
import { UNDO_DAYS } from '../pace.ts';
import { type CloseDates, listCloseDates } from './close-dates.ts';
import {
  isEditable,
  listOccurrences,
  listPlannedPosts,
  type PlannedPost,
  readMissedDates,
  readSeriesContent,
} from './occurrences.ts';
import { HORIZON_DAYS, listNextDates, type SeriesContent, toInstant } from './rule.ts';
import { type RuleReader, renderFrom, renderLeftOut, renderRuleForReader, SHOWN_DATES } from './rule-text.ts';
import { listWriters, type SeriesReason, type SeriesRow, type SeriesState } from './series.ts';

/** The buttons of a series, which `features/series` handles. */
export const SERIES_BUTTONS = ['open', 'edit', 'undo-edit', 'pause', 'resume', 'cancel', 'undo'] as const;
export type SeriesButton = (typeof SERIES_BUTTONS)[number];

export function buildSeriesAction(name: SeriesButton): string {
  return `series.${name}`;
}

/** The value of a button: the series, the version that the person saw, and the date from which the button counts. */
interface SeriesValue {
  id: string;
  version: number;
  from?: number | undefined;
}

function buildSeriesValue({ id, version, from }: SeriesValue): string {
  return [id, version, ...(from === undefined ? [] : [from])].join('.');
}

export function parseSeriesValue(value = ''): SeriesValue | undefined {
  const [, id, version, from] = /^([\w-]+)\.(\d{1,9})(?:\.(\d{1,10}))?$/.exec(value) ?? [];
  if (id === undefined) return undefined;
  return { id, version: Number(version), ...(from !== undefined && { from: Number(from) }) };
}

interface ShownSeries {
  row: SeriesRow;
  /** Undefined if the content was deleted. */
  content: SeriesContent | undefined;
  /** The first text of the series as a post. */
  post: CardPost | undefined;
  project: string;
  blackouts: readonly Blackout[];
  /** The posts of a running series that are made ahead. */
  planned: readonly PlannedPost[];
  /** The next posts of a running series. */
  nextTimes: readonly Date[];
}

export async function readShownSeries(context: HeldPostContext, row: SeriesRow): Promise<ShownSeries> {
  const policy = await findPolicy(context.db, row);
  const content = readSeriesContent(context, row);
  const first = content && { content: context.kind.content.parse(content.contents[0]) };
  const recurrence = content && leaveOutBlackouts(content.recurrence, policy);
  const isLive = recurrence && row.state === 'running';
  const planned = isLive ? await listPlannedPosts(context, row, recurrence) : [];
  const later = isLive
    ? listNextDates(recurrence, addMs(context.clock.now(), HORIZON_DAYS * DAY_MS), {
        ...{ from: row.changed_from, before: row.ends_before, most: SHOWN_DATES - planned.length },
      })
    : [];
  return {
    ...{ row, content, blackouts: policy.blackouts, planned },
    nextTimes: [...planned, ...later].slice(0, SHOWN_DATES).map(({ instant }) => instant),
    ...describeContent(context, first),
  };
}

/** Slack takes 300 characters in the text of a dialog: the rest of it, and from when the rule applies. */
const MAX_RULE_LENGTH = 120;

const TITLES: Readonly<Record<SeriesState, string>> = {
  running: 'Series',
  paused: 'Series paused',
  cancelled: 'Series cancelled',
  ended: 'Series ended',
  dropped: 'Series deleted',
};

/** Renders a series with its rule, its next dates and its buttons. `from`: the date from which [Cancel] and [Edit] count. */
export async function renderSeriesCard(
  heldPosts: HeldPostContext,
  row: SeriesRow,
  reader: RuleReader,
  { note, from }: { note?: string | undefined; from?: number | undefined } = {},
): Promise<Message & { blocks: KnownBlock[] }> {
  const shown = await readShownSeries(heldPosts, row);
  const { content, post, project, blackouts } = shown;
  const before = readSeriesContent(heldPosts, { ...row, content: row.previous });
  const title = TITLES[row.state];
  const rule = renderShownRule(shown, reader);
  const isLive = content && row.state === 'running';
  const dates = renderNextTimes(shown, reader);
  const leftOut = isLive ? renderLeftOut(content.recurrence, blackouts, reader.now) : [];
  const texts = content?.contents.length ?? 0;
  return {
    text: buildFallbackText([section(note ?? `${title}:`), section(escapeText(`${rule}, ${project}`))]),
    blocks: [
      header(title),
      ...(note === undefined ? [] : [section(note)]),
      section(`:repeat: *${escapeText(rule)}*`),
      section(renderState(shown, reader, await countRestored(heldPosts, row))),
      ...renderMissedDates(shown, reader),
      ...renderCloseDates(shown, await listCloseDates(heldPosts, shown), reader),
      ...(dates.length === 0
        ? []
        : [section(`Next:\n${dates.map((date) => `• ${escapeText(date)}`).join('\n')}`)]),
      ...leftOut.map((line) => context(plain(line))),
      context(
        plain(renderDestination(project, post?.platforms ?? [])),
        ...(texts > 1 ? [plain(renderTexts(texts, content?.gapDays ?? 0))] : []),
        ...(post?.content ? [plain(`“${toExcerpt(post.content)}”`)] : []),
        `Author: <@${escapeText(row.author)}>`,
        ...renderWriters(row),
      ),
      ...renderButtons(row, { from, before: before && renderBefore(before, shown, reader) }),
    ],
  };
}

/** The rule of a series, and from when it applies, if earlier posts to come have another one. Plain text. */
function renderShownRule({ row, content, planned }: ShownSeries, reader: RuleReader): string {
  if (!content) return 'Its content was deleted.';
  // Without an earlier content, an edit may have been undone, and posts before it have this content too.
  const from = row.previous === null ? Math.min(row.changed_from, content.from ?? 0) : row.changed_from;
  const rule = renderRuleForReader(content.recurrence, reader.locale);
  return `${rule}${renderSince({ ...content, from }, planned, reader)}`;
}

/**
 * The rule that [Undo edit] brings back, for Slack's short texts of a dialog. Only one earlier content is stored, so
 * posts before the edit that had an even earlier one get it too.
 */
function renderBefore(
  { recurrence, from = 0 }: SeriesContent,
  { row, planned }: ShownSeries,
  reader: RuleReader,
): string {
  const since = renderSince({ recurrence, from: Math.min(row.changed_from, from) }, planned, reader);
  return `${clip(renderRuleForReader(recurrence, reader.locale), MAX_RULE_LENGTH)}${since}`;
}

function renderSince(
  { recurrence, from }: Pick<SeriesContent, 'recurrence'> & { from: number },
  planned: readonly PlannedPost[],
  reader: RuleReader,
): string {
  const hasEarlier = planned.some(({ row: post }) => post && post.item < from);
  return hasEarlier ? renderFrom(from, recurrence, reader) : '';
}

function renderNextTimes({ content, nextTimes }: ShownSeries, { now, locale }: RuleReader): string[] {
  const { zone = 'UTC' } = content?.recurrence ?? {};
  return nextTimes.map((instant) => formatMoment({ instant, zone }, { now, locale }));
}

/** Maximum editors that a card names. */
const MAX_EDITORS = 3;

/** Names who wrote the series, if its author is somebody else by now, and who edited it last; mrkdwn. */
function renderWriters(row: SeriesRow): string[] {
  const { writer, editors } = listWriters(row);
  const mention = (person: string) => `<@${escapeText(person)}>`;
  const names = editors.slice(-MAX_EDITORS).map(mention);
  return [
    ...(writer === row.author ? [] : [`Written by ${mention(writer)}`]),
    ...(names.length === 0 ? [] : [`Edited by ${names.join(', ')}`]),
  ];
}

export function renderSeriesEntry(shown: ShownSeries, reader: RuleReader): KnownBlock[] {
  const { row, content, post, project } = shown;
  if (!content) return [];
  const [next] = renderNextTimes(shown, reader);
  const facts = [
    renderDestination(project, post?.platforms ?? []),
    ...(post?.content ? [`“${toExcerpt(post.content)}”`] : []),
  ];
  const state = next === undefined ? TITLES[row.state] : `Next: ${next}`;
  const rule = renderShownRule(shown, reader);
  const open = button('Open', buildSeriesAction('open'), buildSeriesValue(row));
  return [
    {
      ...section(`:repeat: *${escapeText(rule)}*\n${escapeText(state)}`),
      accessory: open,
    },
    context(...facts.map((fact) => plain(fact))),
  ];
}

/** Says how the texts of a series take turns: "3 texts in turn, none again within 30 days". */
export function renderTexts(count: number, gapDays: number): string {
  const gap = gapDays === 0 ? '' : `, none again within ${renderCount(gapDays, 'day')}`;
  return `${count} texts in turn${gap}`;
}

const UNDO = `You can undo this for ${UNDO_DAYS} days.`;

/** Counts the posts of a paused or cancelled series that go out, because somebody has restored them. */
async function countRestored({ db, clock }: HeldPostContext, row: SeriesRow): Promise<number> {
  if (row.state !== 'paused' && row.state !== 'cancelled') return 0;
  return (await listOccurrences(db, row, { now: clock.now() })).filter(isEditable).length;
}

/** Says what happens next, or what to do; mrkdwn. */
function renderState({ row, content }: ShownSeries, { now, locale }: RuleReader, restored: number): string {
  const only = restored === 1 ? 'Only the post' : `Only the ${restored} posts`;
  const goOut = `${only} that somebody restored ${restored === 1 ? 'goes' : 'go'} out`;
  switch (row.state) {
    case 'running':
      if (row.missing_at && content) {
        const { zone } = content.recurrence;
        const missing = formatMoment({ instant: row.missing_at, zone }, { now, locale });
        return `:warning: *No text is left for ${escapeText(missing)}*, because each was used less than ${renderCount(content.gapDays, 'day')} before. Add a text, or that date stays empty.`;
      }
      return `${row.ends_before === null ? '' : 'Somebody cancelled its later posts. '}I make its posts ${HORIZON_DAYS} days ahead. Change or cancel single ones in \`/upnext posts\`.`;
    case 'paused':
      return row.reason === null || row.reason === 'no-text' || row.reason === 'missed'
        ? `${restored === 0 ? 'None of its posts goes out' : goOut} until somebody resumes it.`
        : PAUSED[row.reason](row);
    case 'cancelled':
      return `${restored > 0 ? goOut : row.ends_before === null ? 'None of its posts goes out' : 'No more of its posts go out'}. ${UNDO}`;
    case 'ended':
      return 'Its last date has passed.';
    case 'dropped':
      return 'I no longer keep this series.';
  }
}

/** Maximum number of missed dates that a card names. */
const MAX_NAMED_DATES = 10;

/** Says which dates passed without a post, because no instance ran. */
function renderMissedDates({ row, content }: ShownSeries, { now, locale }: RuleReader): KnownBlock[] {
  const keys = readMissedDates(row);
  if (keys.length === 0 || !content) return [];
  const { zone } = content.recurrence;
  const instants = keys.map((key) => toInstant(key, zone));
  const title = `:warning: *I wasn’t running in time, so ${keys.length === 1 ? 'this date has' : 'these dates have'} no post*. I post nothing late.`;
  return [section([title, ...listInstants(instants, { zone, now, locale })].join('\n'))];
}

function listInstants(
  instants: readonly Date[],
  { zone, now, locale }: RuleReader & { zone: string },
): string[] {
  const hidden = instants.length - MAX_NAMED_DATES;
  return [
    ...instants
      .slice(0, MAX_NAMED_DATES)
      .map((instant) => `• ${escapeText(formatMoment({ instant, zone }, { now, locale }))}`),
    ...(hidden > 0 ? [`• ${hidden} more`] : []),
  ];
}

function renderCloseDates(
  { content }: ShownSeries,
  { same, near, isComplete }: CloseDates,
  reader: RuleReader,
): KnownBlock[] {
  if (!content) return [];
  const { zone } = content.recurrence;
  const list = (title: string, times: readonly Date[]) =>
    times.length === 0 ? [] : [section([title, ...listInstants(times, { ...reader, zone })].join('\n'))];
  return [
    ...list(':warning: *Another post on its platforms has the same time:*', same),
    ...list(
      `:warning: *Another post on its platforms goes out less than ${renderDuration(MIN_POST_GAP_MS)} before or after:*`,
      near,
    ),
    ...(isComplete ? [] : [context(CLOSE_UNCHECKED)]),
  ];
}

const PAUSED: Readonly<Record<Exclude<SeriesReason, 'no-text' | 'missed'>, (row: SeriesRow) => string>> = {
  'not-allowed': ({ author }) =>
    `:warning: <@${escapeText(author)}> may no longer schedule posts here, so none of its posts goes out. A Publisher can take it over, and it goes out with their permission.`,
  'not-held': () =>
    'The project no longer keeps posts editable, so I can’t make posts ahead. Change that with `/upnext policy`, then resume the series.',
  'other-service': () =>
    'Its project isn’t at the scheduling service that’s connected now. I’ll resume the series when it’s there again.',
  restored: () =>
    'My data was restored from a backup, so posts may have gone out that I don’t know of. Check, then resume the series.',
};

/** `before`: the rule that [Undo edit] brings back; undefined if there is none. */
function renderButtons(
  row: SeriesRow,
  { from, before }: { from: number | undefined; before: string | undefined },
): KnownBlock[] {
  // The posts after an earlier end are cancelled already.
  const isBeforeEnd = from !== undefined && from < (row.ends_before ?? Number.POSITIVE_INFINITY);
  const isFrom = isBeforeEnd && row.state === 'running';
  const later = isFrom ? ' this and later' : '';
  const value = buildSeriesValue(isFrom ? { ...row, from } : row);
  const create = (name: SeriesButton, label: string, style?: 'primary' | 'danger'): Button =>
    button(label, buildSeriesAction(name), value, style);
  const undoValue = buildSeriesValue(row.ends_before === null ? row : { ...row, from: row.ends_before });
  const cancel = withConfirmation(create('cancel', `Cancel${later}`, 'danger'), {
    title: isFrom ? 'Cancel this and all later posts?' : 'Cancel this series?',
    text: `Its posts won’t go out, also those that were edited. ${UNDO}`,
    confirm: 'Cancel posts',
    deny: 'Keep',
    style: 'danger',
  });
  const undoEdit = withConfirmation(create('undo-edit', 'Undo edit'), {
    title: 'Undo the last edit?',
    text: `Posts that have gone out, or that somebody has edited, stay as they are. The others get the texts from before the edit and this rule: ${before}`,
    confirm: 'Undo edit',
    deny: 'Keep',
  });
  switch (row.state) {
    case 'running':
      return [
        actions(
          create('edit', `Edit${later}`),
          ...(row.ends_before === null ? [] : [button('Undo', buildSeriesAction('undo'), undoValue)]),
          ...(before === undefined ? [] : [undoEdit]),
          create('pause', isFrom ? 'Pause series' : 'Pause'),
          cancel,
        ),
      ];
    case 'paused':
      // It goes on by itself when its project is back.
      if (row.reason === 'other-service') return [actions(cancel)];
      return [
        actions(create('resume', row.reason === 'not-allowed' ? 'Take over' : 'Resume', 'primary'), cancel),
      ];
    case 'cancelled':
      return [actions(create('undo', 'Undo'))];
    default:
      return [];
  }
}
