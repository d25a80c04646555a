import { z } from 'zod';
import { listLogs } from '../../api/logs.ts';
import type { ActionCall, Call, CommandCall, Handler } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { addNote, buildProjectActions, resolveListProject } from '../../forms/resolve-list-project.ts';
import { answerWhenReady } from '../../slack/answer-when-ready.ts';
import { sendCsv } from '../../slack/csv.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import type { Message } from '../../slack/message.ts';
import { buildLoadFailureMessage } from '../../slack/service-failure.ts';
import type { Range } from '../../when/when.ts';
import { filterLog, formatLogCsv, parseLogSearch, sortNewestFirst } from './log-lines.ts';
import {
  EXPORT_ACTION,
  LIST_ACTION,
  type LogState,
  NEXT_ACTION,
  PREVIOUS_ACTION,
  PROJECT_ACTION_PREFIX,
  type ProjectLog,
  RANGE_ACTION_PREFIX,
  renderExportMessage,
  renderFilter,
  renderLogList,
  renderRangeQuestion,
} from './log-messages.ts';

const COMMAND = '/list-logs';

const pageHandler: Handler<ActionCall> = { deed: 'open the service’s log', run: showPage };

/** Lists, filters and exports the log of a project. */
export const logs: Feature = {
  name: 'logs',
  commands: [
    {
      name: 'logs',
      aliases: ['log', 'history', 'list-logs'],
      button: 'Log',
      summary: 'A project’s log, searchable and as a CSV file',
      usage: '[words] [days]',
      examples: {
        [COMMAND]: 'See the latest entries.',
        [`${COMMAND} source last week`]: 'Find last week’s entries about sources.',
      },
      slashCommand: COMMAND,
      isReadOnly: true,
      deed: 'open the service’s log',
      run: runLogsCommand,
    },
  ],
  role: 'manager',
  optionalScopes: {
    'files:write': { purpose: 'to send a project’s log as a CSV file', missingAbility: 'send CSV files' },
  },
  actions: {
    ...buildProjectActions(PROJECT_ACTION_PREFIX, pageHandler),
    ...buildProjectActions(RANGE_ACTION_PREFIX, pageHandler),
    [LIST_ACTION]: pageHandler,
    [PREVIOUS_ACTION]: pageHandler,
    [NEXT_ACTION]: pageHandler,
    [EXPORT_ACTION]: { deed: 'export the service’s log', run: exportCsv },
  },
};

/** A request for a list: the state of a list, or typed text that isn't parsed yet. */
const logRequest = z.object({
  project: z.string().optional(),
  words: z.string(),
  from: z.number().optional(),
  to: z.number().optional(),
  /** True if `words` is typed text that may contain days. */
  isUnparsed: z.boolean().optional(),
  page: z.number().int(),
});
type LogRequest = z.infer<typeof logRequest>;

function replyWhenReady(
  call: Call,
  pendingMessage: Promise<Message>,
  { replace }: { replace: boolean },
): Promise<void> {
  return answerWhenReady(call, pendingMessage, { replace });
}

async function runLogsCommand(call: CommandCall): Promise<void> {
  const message = createListMessage(call, { words: call.text, isUnparsed: true, page: 0 });
  await replyWhenReady(call, message, { replace: false });
}

async function showPage(call: ActionCall): Promise<void> {
  const request = decodeButtonState(logRequest, call.action.value) ?? { words: '', page: 0 };
  await replyWhenReady(call, createListMessage(call, request), { replace: true });
}

async function createListMessage(call: Call, request: LogRequest): Promise<Message> {
  const loadResult = await loadLog(call, request);
  return 'message' in loadResult
    ? loadResult.message
    : addNote(renderLogList(loadResult.log, loadResult.state), loadResult.note);
}

/**
 * Loads the log of the requested project, and parses the typed filter. Resolves with a message if there is a question
 * or an error to show instead of the log.
 */
async function loadLog(
  call: Call,
  request: LogRequest,
): Promise<{ log: ProjectLog; state: LogState; note: string | undefined } | { message: Message }> {
  const [resolvedProject, reader] = await Promise.all([
    resolveListProject(call, request, {
      command: COMMAND,
      noun: 'log',
      action: PROJECT_ACTION_PREFIX,
      retryAction: LIST_ACTION,
      buildState: (choice) => ({ ...request, ...choice }),
    }),
    fetchReader(call),
  ]);
  if ('message' in resolvedProject) return { message: resolvedProject.message };
  const { project, rest: words, note } = resolvedProject;
  const parsedRequest = parseRequest({ ...request, project: project.id, words }, reader);
  if ('message' in parsedRequest) return parsedRequest;
  const failureText = `I couldn’t load the log of ${project.name}.`;
  const failureOptions = {
    reference: call.reference,
    retry: { action: LIST_ACTION, state: parsedRequest.state },
  };
  const outcome = await listLogs(call.context.api, project.id);
  if (outcome.kind !== 'done')
    return { message: buildLoadFailureMessage(failureText, outcome, failureOptions) };
  const { items, isReadable, unreadableCount, isTruncated } = outcome.data;
  if (!isReadable) return { message: buildLoadFailureMessage(failureText, 'unreadable', failureOptions) };
  const { zone, now } = reader;
  const log = { project, entries: sortNewestFirst(items), unreadableCount, isTruncated, zone, now };
  return { log, state: parsedRequest.state, note };
}

/** Parses the days in the typed text for the first page, so that "last 24 hours" means the same range on every page. */
function parseRequest(
  { isUnparsed, ...state }: LogRequest,
  reader: Reader,
): { state: LogState } | { message: Message } {
  if (isUnparsed !== true) return { state };
  const search = parseLogSearch(state.words, reader);
  if (search.kind === 'too-long') return { message: { text: search.reason } };
  const createRangeState = (range: Range): LogState => ({
    ...state,
    words: search.searchWords,
    ...(range.from && { from: range.from.getTime() }),
    ...(range.to && { to: range.to.getTime() }),
  });
  if (search.kind === 'parsed')
    return { state: search.range ? createRangeState(search.range) : { ...state, words: search.searchWords } };
  const candidates = search.candidates.map(({ range, label }) => ({ label, state: createRangeState(range) }));
  return { message: renderRangeQuestion(search.phrase, candidates) };
}

/** [Export as CSV] reads the log again, and sends all lines that match the filter. */
async function exportCsv(call: ActionCall): Promise<void> {
  const request = decodeButtonState(logRequest, call.action.value);
  if (!request) return;
  call.countCostlyAction();
  await replyWhenReady(call, sendLogCsv(call, request), { replace: false });
}

async function sendLogCsv(call: Call, request: LogRequest): Promise<Message> {
  const loadResult = await loadLog(call, request);
  if ('message' in loadResult) return loadResult.message;
  const { log, state } = loadResult;
  const { items } = filterLog(log.entries, state);
  const { project, isTruncated, zone, now } = log;
  return sendCsv(call, {
    csv: formatLogCsv(items),
    filename: `log-${now.toISOString().slice(0, 10)}.csv`,
    text: renderExportMessage(project, renderFilter(state, zone, now), { count: items.length, isTruncated }),
  });
}
