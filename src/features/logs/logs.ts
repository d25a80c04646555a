import { z } from 'zod';
import { listLogs } from '../../api/logs.ts';
import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { projectActions, resolveListProject } from '../../forms/list-project.ts';
import { fetchReader, type Reader } from '../../forms/reader.ts';
import { decodeButtonState } from '../../slack/carried.ts';
import { sendCsv } from '../../slack/csv.ts';
import { loadFailureMessage, replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import type { Range } from '../../when/when.ts';
import { filtered, inOrder, logsAsCsv, readLogWords } from './log-lines.ts';
import {
  EXPORT,
  exportWords,
  filterWords,
  LIST,
  type Lines,
  type LogState,
  logList,
  NEXT,
  PREVIOUS,
  PROJECT,
  RANGE,
  whichRange,
} from './log-messages.ts';

const COMMAND = '/list-logs';

/** What happened in a project. */
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
      run: (call) => inTime(call, typedMessage(call), false),
    },
  ],
  role: () => 'manager',
  scopes: { 'files:write': 'to send the log of a project as a CSV file to the person who asks for it' },
  actions: {
    ...projectActions(PROJECT, turn),
    ...projectActions(RANGE, turn),
    [LIST]: turn,
    [PREVIOUS]: turn,
    [NEXT]: turn,
    [EXPORT]: exportCsv,
  },
};

const logState = z.object({
  project: z.string().optional(),
  words: z.string(),
  from: z.number().optional(),
  to: z.number().optional(),
  /** The words are as they were typed, and may name days. */
  typed: z.boolean().optional(),
  page: z.number().int(),
});
type Carried = z.infer<typeof logState>;

function inTime(call: Call, work: Promise<Message>, replace: boolean): Promise<void> {
  return replyInTime(call, work, { slowMs: call.context.pace.slowMs, replace });
}

function typedMessage(call: CommandCall): Promise<Message> {
  return listMessage(call, { words: call.words, typed: true, page: 0 });
}

async function turn(call: ActionCall): Promise<void> {
  const state = decodeButtonState(logState, call.action.value) ?? { words: '', page: 0 };
  await inTime(call, listMessage(call, state), true);
}

async function listMessage(call: Call, asked: Carried): Promise<Message> {
  const read = await readLines(call, asked);
  return 'instead' in read ? read.instead : logList(read.lines, read.state);
}

/** The lines of the project that is asked for, and which of them are wanted. */
async function readLines(
  call: Call,
  asked: Carried,
): Promise<{ lines: Lines; state: LogState } | { instead: Message }> {
  const [found, reader] = await Promise.all([
    resolveListProject(call, asked, {
      command: COMMAND,
      action: PROJECT,
      again: LIST,
      state: (chosen) => ({ ...asked, ...chosen }),
    }),
    fetchReader(call),
  ]);
  if ('instead' in found) return found;
  const { project, rest } = found;
  const wanted = wantedOf({ ...asked, project: project.id, words: rest }, reader);
  if ('instead' in wanted) return wanted;
  const line = `I could not get the log of ${project.name}.`;
  const failed = { reference: call.reference, again: { action: LIST, state: wanted.state } };
  const outcome = await listLogs(call.context.api, project.id);
  if (outcome.kind !== 'done') return { instead: loadFailureMessage(line, outcome, failed) };
  const { items, shape, unreadable, isTruncated } = outcome.data;
  if (shape === 'unreadable') return { instead: loadFailureMessage(line, 'unreadable', failed) };
  const { zone, now } = reader;
  const lines = { project, entries: inOrder(items), unreadable, isTruncated, zone, now };
  return { lines, state: wanted.state };
}

/** Days are read once, so that "last 24 hours" is the same on every page. */
function wantedOf({ typed, ...state }: Carried, reader: Reader): { state: LogState } | { instead: Message } {
  if (typed !== true) return { state };
  const read = readLogWords(state.words, reader);
  if (read.kind === 'too-long') return { instead: { text: read.reason } };
  const within = (range: Range): LogState => ({
    ...state,
    words: read.words,
    ...(range.from && { from: range.from.getTime() }),
    ...(range.to && { to: range.to.getTime() }),
  });
  if (read.kind === 'read')
    return { state: read.range ? within(read.range) : { ...state, words: read.words } };
  const candidates = read.candidates.map(({ range, said }) => ({ said, state: within(range) }));
  return { instead: whichRange(read.asked, candidates) };
}

/** [Export as CSV]: all the lines that are wanted, as the service lists them now. The list stays. */
async function exportCsv(call: ActionCall): Promise<void> {
  const state = decodeButtonState(logState, call.action.value);
  if (!state) return;
  call.countCostly();
  await inTime(call, csvMessage(call, state), false);
}

async function csvMessage(call: Call, asked: Carried): Promise<Message> {
  const read = await readLines(call, asked);
  if ('instead' in read) return read.instead;
  const { lines, state } = read;
  const { items } = filtered(lines.entries, state);
  const { project, isTruncated, zone, now } = lines;
  return sendCsv(call, {
    csv: logsAsCsv(items),
    filename: `log-${now.toISOString().slice(0, 10)}.csv`,
    words: exportWords(project, filterWords(state, zone, now), { count: items.length, isTruncated }),
  });
}
