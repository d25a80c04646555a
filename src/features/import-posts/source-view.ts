import { buffer } from 'node:stream/consumers';
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { BUDGETS, createBudget } from '../../budget.ts';
import type { ActionCall, Call, SubmissionCall } from '../../handlers/call.ts';
import { LIMITS_TEXT, MAX_FILE_BYTES, NO_TEXT, readTable } from '../../imports/read-table.ts';
import { within } from '../../promises.ts';
import { actions, button, clipLine, context, escapeText, plain, section } from '../../slack/blocks.ts';
import {
  decodeButtonState,
  getChosenFiles,
  getTextInput,
  type SlackFile,
  slackFile,
} from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { addBlocks, disableParsing } from '../../slack/message.ts';
import { buildMessageView, buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import { sendOrLog, updateOrLog } from '../../slack/send-or-log.ts';
import {
  mayReadFiles,
  openSlackFile,
  READ_SCOPE,
  type SlackFileFailure,
  UnreadableSlackFile,
} from '../../slack/slack-file.ts';
import { clip } from '../../words.ts';
import { checkTable, PASTED_ROWS } from './check-table.ts';

/** The button for the template, also below what people read whose file can't be checked. */
export const TEMPLATE_ACTION = 'import.template';
/** The callback id of the form for a file, or for pasted rows. */
export const SOURCE_VIEW = 'import.source';
const FILE_BLOCK = 'file';
const ROWS_BLOCK = 'rows';

/** Where the form was opened. Both are absent outside channels. */
const importOrigin = z.object({ channel: z.string().optional(), channelName: z.string().optional() });
/** `attached`: the files of the table's message, as Slack describes them; JSON. */
type ImportOrigin = z.infer<typeof importOrigin> & { attached?: string | undefined };

/** Renders the form for a file, or for pasted rows. Without the scope for files, Slack refuses a view that takes them. */
function renderSourceView(
  { channel, channelName }: ImportOrigin,
  takesFiles: boolean | undefined,
): ModalView {
  const file: KnownBlock = {
    type: 'input',
    block_id: FILE_BLOCK,
    optional: true,
    label: plain('CSV file'),
    element: { type: 'file_input', action_id: 'value', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
  };
  return buildSubmitModal(
    {
      id: SOURCE_VIEW,
      metadata: JSON.stringify({ channel, channelName }),
      title: 'Import posts',
      submit: 'Check',
      close: 'Cancel',
    },
    [
      section(`I read up to ${LIMITS_TEXT}, and first show you what I’d import.`),
      ...(takesFiles ? [file] : [context(takesFiles === false ? CANNOT_READ_FILES : NO_PERMISSIONS_READ)]),
      buildTextInput(ROWS_BLOCK, takesFiles ? 'Or paste rows' : 'Paste rows', {
        hint: 'From a spreadsheet, with the names of the columns in the first row. At most 3,000 characters.',
        optional: true,
        multiline: true,
        max_length: LIMITS.inputText,
      }),
    ],
  );
}

const NO_PERMISSIONS_READ = 'I couldn’t find out whether I may read files here, so I can only take rows now.';
export const CANNOT_READ_FILES = `I can’t read files here without the permission \`${READ_SCOPE}\`.`;

export async function openSource(call: ActionCall): Promise<void> {
  await call.openView(renderSourceView(call, await mayReadFiles(call)), { isForm: true });
}

/** Checks the file or the pasted rows of the form. The result is a direct message. */
export async function submitSource(call: SubmissionCall): Promise<void> {
  const [file] = getChosenFiles(call.view.values, FILE_BLOCK);
  const rows = getTextInput(call.view.values, ROWS_BLOCK);
  const error = FILE_BLOCK in call.view.values ? 'Choose a file, or paste the rows.' : 'Paste the rows.';
  if (file === undefined && rows.trim() === '')
    return void (await call.answer({ errors: { [ROWS_BLOCK]: error } }));
  const text = 'I’m checking the rows. I’ll send you the result as a direct message.';
  await call.answer({ view: buildMessageView({ text }, 'Close') });
  const origin = decodeButtonState(importOrigin, call.view.metadata) ?? {};
  if (file !== undefined) return checkAttachedFile(call, file.id, origin);
  const checking = checkBytes(call, PASTED_ROWS, Buffer.from(rows), origin);
  const refusal = await sayIfSlow(call, checking, () => PASTED_ROWS);
  if (refusal !== undefined) await showRefusal(call, refusal);
}

/** Checks a file in Slack. Resolves with why that isn't possible (mrkdwn). */
export function checkFile(call: Call, id: string, origin: ImportOrigin): Promise<string | undefined> {
  let name = findTable(id, origin)?.name || 'your file';
  const { checkInTurn } = call.context.imports;
  // The file is downloaded only when it's its turn, so that the others of a message wait in Slack and not in memory.
  const checking = checkInTurn(call.actor.workspace, async () => {
    const file = await readSlackFile(call, id);
    if ('refusal' in file) return file.refusal;
    name = file.fileName;
    return checkBytes(call, file.fileName, file.bytes, origin);
  });
  return sayIfSlow(call, checking, () => name);
}

/**
 * Says that a check takes long, and how it ended. Pictures in Slack take a while, and the scheduling service, with whose
 * posts the rows are compared, may not answer. If the process ends before, the message stays, and is true then too.
 */
async function sayIfSlow(
  call: Call,
  checking: Promise<string | undefined>,
  getName: () => string,
): Promise<string | undefined> {
  const done = checking.then(() => true);
  if (await within(call.context.pace.slowNoticeDelayMs, done)) return checking;
  const name = escapeText(clipLine(getName()));
  const text = `The check of *${name}* can take a few minutes. If no result follows, send it again: I import nothing that you haven’t seen.`;
  const failure = 'could not say that the check of a file takes long';
  const address = await sendOrLog(call, call.actor.user, { text }, failure);
  const close = async (word: string) => {
    if (address) await updateOrLog(call, address, { text: `*${name}*: ${word}.` }, failure);
  };
  const refusal = await checking.catch(async (error: unknown) => {
    await close('not checked');
    throw error;
  });
  await close(refusal === undefined ? 'checked' : 'not checked');
  return refusal;
}

async function checkBytes(
  call: Call,
  fileName: string,
  bytes: Uint8Array,
  origin: ImportOrigin,
): Promise<string | undefined> {
  call.countCostlyAction();
  if (DATA_NAME.test(fileName)) return escapeText(NO_TEXT);
  const budget = createBudget(BUDGETS.table);
  const table = await readTable(bytes, budget);
  if (table.kind === 'refused') return escapeText(table.reason);
  return checkTable(call, { fileName, rows: table.rows, ...origin }, budget);
}

/** Checks a file of a message. The result, or why there is none, is a direct message. */
export async function checkAttachedFile(call: Call, id: string, origin: ImportOrigin): Promise<void> {
  const refusal = await checkFile(call, id, origin);
  if (refusal !== undefined) await showRefusal(call, `${renderFileLabel(id, origin)}${refusal}`);
}

/** Tells the person why nothing was checked, with the template. */
export async function showRefusal(call: Call, refusal: string): Promise<void> {
  const message = addBlocks({ text: refusal }, actions(button('Get the template', TEMPLATE_ACTION)));
  await call.client.chat.postMessage({ channel: call.actor.user, ...disableParsing(message) });
}

const TABLE_NAME = /\.(?:csv|tsv|tab)$/i;
/** Texts with the data of programs, which are no tables. */
const DATA_NAME = /\.(?:ics|json)$/i;
/** Names of texts, which may be tables, and of workbooks and exports, for which people read how to save a table. */
const OTHER_NAMES = [/\.txt$/i, /\.(?:xlsx?|numbers|ods|zip|ics|json)$/i];

/** Lists the tables of a message. Without any, the first file that can be one, or that people may take for one. */
export function listTableFiles(files: unknown): SlackFile[] {
  const { data = [] } = z.array(slackFile).safeParse(files);
  const filterNamed = (pattern: RegExp) => data.filter(({ name }) => pattern.test(name));
  const tables = filterNamed(TABLE_NAME);
  return tables.length > 0 ? tables : OTHER_NAMES.flatMap(filterNamed).slice(0, 1);
}

const MISSING_SCOPE = `I can’t read files in this workspace. Ask an admin to install Upnext again with \`${READ_SCOPE}\`, or paste the rows: \`/upnext import\`.`;
const NOT_READ = 'I couldn’t read this file. Drop it in a direct message with me, or try again in a minute.';

/** What people read, by the reason for which a file can't be read. Otherwise they read NOT_READ. */
const REFUSALS: Readonly<Partial<Record<SlackFileFailure, string>>> = {
  'not-permitted': MISSING_SCOPE,
  'not-in-slack': 'This file isn’t stored in Slack. Upload it here, or paste the rows: `/upnext import`.',
  'too-large': `This file is larger than 10 MB. I can read ${LIMITS_TEXT}: split it into several files.`,
};

const findTable = (id: string, { attached = '[]' }: ImportOrigin) =>
  listTableFiles(JSON.parse(attached)).find((table) => table.id === id);

/** Renders the name of one of several tables of a message, for what concerns only that: “x.csv: ”. */
function renderFileLabel(id: string, { attached = '[]' }: ImportOrigin): string {
  const tables = listTableFiles(JSON.parse(attached));
  const name = findTable(id, { attached })?.name ?? '';
  return tables.length < 2 || name === '' ? '' : `${escapeText(clipLine(name))}: `;
}

/** The longest name of a file that is stored with its import. File systems have names of 255 bytes. */
const MAX_FILE_NAME_LENGTH = 255;

/** Reads a file, or resolves with why it couldn't be read (mrkdwn). */
export async function readSlackFile(
  { client, log, reference }: Call,
  id: string,
): Promise<{ fileName: string; bytes: Uint8Array } | { refusal: string }> {
  try {
    const { name = 'posts.csv', read } = await openSlackFile(client, id, { maxBytes: MAX_FILE_BYTES });
    return { fileName: clip(name, MAX_FILE_NAME_LENGTH), bytes: await buffer(read()) };
  } catch (error) {
    const refusal = error instanceof UnreadableSlackFile ? REFUSALS[error.failure] : undefined;
    if (refusal === undefined) log.warn({ reference, err: error }, 'could not read a file from Slack');
    return { refusal: refusal ?? NOT_READ };
  }
}
