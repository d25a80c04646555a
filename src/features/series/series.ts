import { buildDoneEntry, NAMED_DEEDS } from '../../access/access.ts';
import { claimRequest } from '../../engine/once-claim.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall, Call, Handler } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import type { HeldPostContext } from '../../held-posts/held-post-context.ts';
import {
  cancelSeries,
  findSeries,
  listSeries,
  MAX_RUNNING_SERIES,
  pauseSeries,
  restoreSeries,
  resumeSeries,
  type SeriesPress,
  type SeriesResult,
  undoSeriesEdit,
} from '../../held-posts/series/change-series.ts';
import { SERIES_COLUMNS, type SeriesRow } from '../../held-posts/series/series.ts';
import {
  buildSeriesAction,
  parseSeriesValue,
  readShownSeries,
  renderSeriesCard,
  renderSeriesEntry,
  SERIES_BUTTONS,
  type SeriesButton,
} from '../../held-posts/series/series-card.ts';
import { createExportGuard, createPagedList } from '../../lists/list.ts';
import { renderSentCount } from '../../posts/post-text.ts';
import { mapLimited } from '../../promises.ts';
import { buildButtonRow, escapeText, renderDateForReaders, section } from '../../slack/blocks.ts';
import { formatCsv, formatExportTime, sendCsv } from '../../slack/csv.ts';
import { buildPageButtons, buildStateButton, paginate, renderUnreadable } from '../../slack/list-pages.ts';
import type { Message } from '../../slack/message.ts';
import { renderRecurrence } from '../../when/recurrence.ts';
import { renderCount } from '../../words.ts';

const PREFIX = 'series-list';
/** An entry takes two blocks of a message's 50. */
const PAGE_SIZE = 10;

export const NOT_VISIBLE: Message = { text: 'I can’t find this series. See all with `/upnext series`.' };
const OUTDATED = 'This series has changed since, so nothing was done. This is how it is now.';
const TOO_MANY = `Nothing was done: the project has ${MAX_RUNNING_SERIES} running series, the most that I take. Pause or cancel another one first.`;
const NONE = `I found no series. Start one with \`/schedule-post\`: type “every weekday at 9” as its time.`;

const list = createPagedList({
  prefix: PREFIX,
  deed: 'open the list of series',
  createMessage: createListMessage,
  file: { deed: 'export the series', send: exportSeries },
});

const PRESSES: Readonly<Record<SeriesButton, Handler<ActionCall>>> = {
  open: {
    deed: 'open a series',
    run: onSeries((call, { row }) => showSeries(call, row)),
  },
  edit: {
    deed: 'open the form of a series',
    role: 'publisher',
    run: onSeries(async (call, { row, press }) => {
      await call.permit('publisher', row.project, 'series change');
      await call.openFeature('schedule-post', { series: row.id, from: press.from?.toString() });
    }),
  },
  'undo-edit': createChange('undo-edit', undoSeriesEdit),
  pause: createChange('pause', pauseSeries),
  resume: createChange('resume', resumeSeries),
  cancel: createChange('cancel', cancelSeries),
  undo: createChange('undo', restoreSeries),
};

/** `/upnext series` lists the posts that repeat. Their buttons edit, pause and cancel them. */
export const series: Feature = {
  name: 'series',
  commands: [
    {
      name: 'series',
      aliases: ['repeating', 'recurring', 'repeats'],
      summary: 'Posts that repeat: see, edit, pause or cancel them',
      examples: { '/upnext series': 'See all series.' },
      ...list.command,
    },
  ],
  // The lowest roles for any series. Each press checks the role in the project of its series.
  role: 'viewer',
  optionalScopes: {
    'files:write': { purpose: 'to send the series as a CSV file', missingAbility: 'send CSV files' },
  },
  open: {
    deed: 'open a series',
    async run(call, { id = '', from }) {
      const row = await findVisibleSeries(call, id);
      if (!row) return call.reply(NOT_VISIBLE);
      await showSeries(call, row, { from: from === undefined ? undefined : Number(from) });
    },
  },
  actions: {
    ...list.actions,
    ...Object.fromEntries(SERIES_BUTTONS.map((name) => [buildSeriesAction(name), PRESSES[name]])),
  },
};

/** Creates the handler of a press on a series that the person may see. */
function onSeries(
  run: (call: ActionCall, pressed: { row: SeriesRow; press: SeriesPress }) => Promise<void>,
): Handler<ActionCall>['run'] {
  return async (call) => {
    const value = parseSeriesValue(call.action.value);
    const row = value && (await findVisibleSeries(call, value.id));
    if (!value || !row) return call.reply(NOT_VISIBLE);
    const { workspace, user: actor } = call.actor;
    await run(call, { row, press: { ...value, workspace, actor } });
  };
}

/** Creates what a button that changes a series does. The card and the audit log say what came of it. */
function createChange(
  name: Exclude<SeriesButton, 'open' | 'edit'>,
  change: (context: HeldPostContext, press: SeriesPress) => Promise<SeriesResult>,
): Handler<ActionCall> {
  const action = `series ${name}` as const;
  return {
    deed: NAMED_DEEDS[action],
    role: 'publisher',
    run: onSeries(async (call, { row, press }) => {
      await call.permit('publisher', row.project, action);
      // A copy of a press that an [Undo] has reversed meanwhile would do the same again. The first press answers.
      if (!(await claimRequest(call, action))) return call.recordOutcome?.('unchanged', row.project);
      const result = await change(call.context.heldPosts, press);
      if (result.kind !== 'changed') call.recordOutcome?.('unchanged', row.project);
      else call.context.record.enqueue(buildDoneEntry(call, { action, project: row.project }));
      if (result.kind === 'not-found') return call.reply(NOT_VISIBLE);
      await showSeries(call, result.row, { note: describeResult(result), replace: true });
    }),
  };
}

async function findVisibleSeries(call: Call, id: string): Promise<SeriesRow | undefined> {
  const row = await findSeries(call.context.db, { id, workspace: call.actor.workspace });
  if (!row || call.lacks('viewer', row.project)) return undefined;
  // Throws if the role couldn't be looked up.
  await call.permit('viewer', row.project, 'series open');
  return row;
}

/** Says how many posts a press has cancelled, and which it couldn't stop any more (mrkdwn). */
function describeResult(result: Exclude<SeriesResult, { kind: 'not-found' }>): string | undefined {
  if (result.kind !== 'changed') return result.kind === 'too-many' ? TOO_MANY : describeLatePress(result.row);
  if (!result.counts) return undefined;
  const { cancelled, sent } = result.counts;
  const [done, deed] =
    cancelled === undefined
      ? ['The edit is undone.', 'undo']
      : [cancelled === 0 ? '' : `${renderCount(cancelled, 'post')} won’t go out.`, 'stop'];
  const late = sent === 0 ? '' : `${renderSentCount(sent)}, so I can’t ${deed} that.`;
  return `${done} ${late}`.trim() || undefined;
}

/** Says that a press came too late, and who was faster, if it was a person (mrkdwn). */
function describeLatePress({ state, reason, author, changed_by: actor, changed_at: at }: SeriesRow): string {
  // Upnext also cancels a series itself, in the name of its author.
  const isByPerson = state === 'paused' || (state === 'cancelled' && actor !== author);
  if (!isByPerson || reason !== null) return OUTDATED;
  const time = renderDateForReaders(at, '{date_short_pretty} at {time}');
  return `This series has changed since, so nothing was done. <@${escapeText(actor)}> ${state} it, ${time}.`;
}

async function showSeries(
  call: Call,
  row: SeriesRow,
  options: { from?: number | undefined; note?: string | undefined; replace?: boolean } = {},
): Promise<void> {
  const { now, locale } = await fetchReader(call);
  const card = await renderSeriesCard(call.context.heldPosts, row, { now, locale }, options);
  await call.reply(card, { replace: options.replace ?? false });
}

async function listVisibleSeries(call: Call): Promise<SeriesRow[]> {
  // A cancelled series can be restored here.
  const rows = await listSeries(call.context.db, call.actor.workspace, ['running', 'paused', 'cancelled']);
  return rows.filter(({ project }) => call.may('viewer', project));
}

async function createListMessage(call: Call, { page: requestedPage }: { page: number }): Promise<Message> {
  const rows = await listVisibleSeries(call);
  if (rows.length === 0) return { text: NONE };
  const { now, locale } = await fetchReader(call);
  const page = paginate(rows, requestedPage, PAGE_SIZE);
  const shown = await Promise.all(page.items.map((row) => readShownSeries(call.context.heldPosts, row)));
  const buttons = [
    ...buildPageButtons(PREFIX, page, (number) => ({ page: number })),
    ...buildStateButton('Export as CSV', `${PREFIX}.export`, { page: page.number }),
  ];
  return {
    text: `${rows.length} series`,
    blocks: [
      section(`*Series${page.titleSuffix}*`),
      ...shown.flatMap((each) => renderSeriesEntry(each, { now, locale })),
      ...buildButtonRow(buttons),
    ],
  };
}

async function exportSeries(call: Call): Promise<Message> {
  const heldContext = call.context.heldPosts;
  const rows = await listVisibleSeries(call);
  const shown = await mapLimited(rows, (row) => readShownSeries(heldContext, row));
  const unreadableCount = shown.filter(({ content }) => !content).length;
  const lines = shown.flatMap(({ row, content, project, nextTimes }) => {
    if (!content) return [];
    const { recurrence, contents } = content;
    const next = formatExportTime(nextTimes[0], recurrence.zone);
    return contents.map((each) => {
      const post = heldContext.kind.post.toPost(heldContext.kind.content.parse(each));
      return [
        ...[row.state, renderRecurrence(recurrence), next, recurrence.zone],
        ...[project, post.platforms.join(', '), post.content ?? '', row.author, row.id],
      ];
    });
  });
  const csv = formatCsv([SERIES_COLUMNS, ...lines]);
  const projects = new Map(shown.map(({ row, project }) => [row.project, project]));
  return sendCsv(call, {
    csv,
    guard: createExportGuard(call, {
      role: 'viewer',
      projects: [...projects].map(([id, name]) => ({ id, name })),
      action: 'series export',
    }),
    filename: 'series.csv',
    text: [
      `${rows.length - unreadableCount} series as a CSV file.`,
      ...renderUnreadable(unreadableCount),
    ].join(' '),
  });
}
