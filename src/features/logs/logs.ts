import { z } from 'zod';
import { listLogs } from '../../api/logs.ts';
import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { buildProjectActions, resolveListProject } from '../../forms/resolve-list-project.ts';
import { sendCsv } from '../../slack/csv.ts';
import { loadFailureMessage, replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { decodeButtonState } from '../../slack/view-values.ts';
import type { Range } from '../../when/when.ts';
import { filterLog, formatLogCsv, parseLogSearch, sortNewestFirst } from './log-lines.ts';
import {
  EXPORT,
  exportText,
  filterText,
  LIST,
  type LogState,
  logList,
  NEXT,
  PREVIOUS,
  PROJECT,
  type ProjectLog,
  RANGE,
  rangeQuestion,
} from './log-messages.ts';

const COMMAND = '/list-logs';

/** Lists, filters and exports the log of a project. */
export const logs: Feature = {
  name: 'logs',
  commands: [
    {
      name: 'logs',
      aliases: ['log', 'history', 'list-logs'],
      button: 'Log',
      summary: 'What happened in a project; by words and days, and as a CSV file',
      usage: '[words] [days]',
      examples: [COMMAND, `${COMMAND} source last week`],
      ownCommand: COMMAND,
      run: (call) => replyWhenReady(call, commandMessage(call), false),
    },
  ],
  role: () => 'manager',
  scopes: { 'files:write': 'to send the log of a project as a CSV file to the person who asks for it' },
  actions: {
    ...buildProjectActions(PROJECT, showPage),
    ...buildProjectActions(RANGE, showPage),
    [LIST]: showPage,
    [PREVIOUS]: showPage,
    [NEXT]: showPage,
    [EXPORT]: exportCsv,
  },
};

const logState = z.object({
  project: z.string().optional(),
  words: z.string(),
  from: z.number().optional(),
  to: z.number().optional(),
  /** True for words as typed, in which days aren't parsed yet. */
  typed: z.boolean().optional(),
  page: z.number().int(),
});
type LogRequest = z.infer<typeof logState>;

function replyWhenReady(call: Call, work: Promise<Message>, replace: boolean): Promise<void> {
  return replyInTime(call, work, { slowMs: call.context.pace.slowMs, replace });
}

function commandMessage(call: CommandCall): Promise<Message> {
  return listMessage(call, { words: call.words, typed: true, page: 0 });
}

async function showPage(call: ActionCall): Promise<void> {
  const state = decodeButtonState(logState, call.action.value) ?? { words: '', page: 0 };
  await replyWhenReady(call, listMessage(call, state), true);
}

async function listMessage(call: Call, request: LogRequest): Promise<Message> {
  const read = await loadLog(call, request);
  return 'instead' in read ? read.instead : logList(read.log, read.state);
}

/** Loads the log of the requested project, and parses the filter. `instead`: a question or an error to show. */
async function loadLog(
  call: Call,
  request: LogRequest,
): Promise<{ log: ProjectLog; state: LogState } | { instead: Message }> {
  const [found, reader] = await Promise.all([
    resolveListProject(call, request, {
      command: COMMAND,
      action: PROJECT,
      retryAction: LIST,
      buildState: (chosen) => ({ ...request, ...chosen }),
    }),
    fetchReader(call),
  ]);
  if ('message' in found) return { instead: found.message };
  const { project, rest } = found;
  const resolved = resolveFilter({ ...request, project: project.id, words: rest }, reader);
  if ('instead' in resolved) return resolved;
  const line = `I could not get the log of ${project.name}.`;
  const failed = { reference: call.reference, again: { action: LIST, state: resolved.state } };
  const outcome = await listLogs(call.context.api, project.id);
  if (outcome.kind !== 'done') return { instead: loadFailureMessage(line, outcome, failed) };
  const { items, shape, unreadable, isTruncated } = outcome.data;
  if (shape === 'unreadable') return { instead: loadFailureMessage(line, 'unreadable', failed) };
  const { zone, now } = reader;
  const log = { project, entries: sortNewestFirst(items), unreadable, isTruncated, zone, now };
  return { log, state: resolved.state };
}

/** Parses the typed days. This happens once, so "last 24 hours" means the same range on every page. */
function resolveFilter(
  { typed, ...state }: LogRequest,
  reader: Reader,
): { state: LogState } | { instead: Message } {
  if (typed !== true) return { state };
  const read = parseLogSearch(state.words, reader);
  if (read.kind === 'too-long') return { instead: { text: read.reason } };
  const withRange = (range: Range): LogState => ({
    ...state,
    words: read.words,
    ...(range.from && { from: range.from.getTime() }),
    ...(range.to && { to: range.to.getTime() }),
  });
  if (read.kind === 'read')
    return { state: read.range ? withRange(read.range) : { ...state, words: read.words } };
  const candidates = read.candidates.map(({ range, said }) => ({ said, state: withRange(range) }));
  return { instead: rangeQuestion(read.phrase, candidates) };
}

/** [Export as CSV] sends all lines that match the filter, as the service lists them now. */
async function exportCsv(call: ActionCall): Promise<void> {
  const state = decodeButtonState(logState, call.action.value);
  if (!state) return;
  call.countCostly();
  await replyWhenReady(call, csvMessage(call, state), false);
}

async function csvMessage(call: Call, request: LogRequest): Promise<Message> {
  const read = await loadLog(call, request);
  if ('instead' in read) return read.instead;
  const { log, state } = read;
  const { items } = filterLog(log.entries, state);
  const { project, isTruncated, zone, now } = log;
  return sendCsv(call, {
    csv: formatLogCsv(items),
    filename: `log-${now.toISOString().slice(0, 10)}.csv`,
    words: exportText(project, filterText(state, zone, now), { count: items.length, isTruncated }),
  });
}
