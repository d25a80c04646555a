import { buffer } from 'node:stream/consumers';
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Call } from '../../handlers/call.ts';
import { LIMITS_TEXT, MAX_FILE_BYTES } from '../../imports/read-table.ts';
import { clipLine, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { decodeButtonState } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildSubmitModal, buildTextInput } from '../../slack/message-view.ts';
import {
  openSlackFile,
  READ_SCOPE,
  type SlackFileFailure,
  UnreadableSlackFile,
} from '../../slack/slack-file.ts';

/** The callback id of the form for a file, or for pasted rows. */
export const SOURCE_VIEW = 'import.source';
export const FILE_BLOCK = 'file';
export const ROWS_BLOCK = 'rows';

/** Where the form was opened. Both are absent outside channels. */
const importOrigin = z.object({ channel: z.string().optional(), channelName: z.string().optional() });
/** `attached`: the files of the table's message, as Slack describes them; JSON. */
export type ImportOrigin = z.infer<typeof importOrigin> & { attached?: string | undefined };

export const readOrigin = (metadata: string): ImportOrigin => decodeButtonState(importOrigin, metadata) ?? {};

/** Renders the form for a file, or for pasted rows. Without the scope for files, Slack refuses a view that takes them. */
export function renderSourceView(
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

/** A file in a message, as far as it matters here. */
const slackFile = z.object({ id: z.string(), name: z.string().nullish() });

const TABLE_NAME = /\.(?:csv|tsv|tab)$/i;
/** Names of texts, which may be tables, and of workbooks, for which people read how to save a table. */
const OTHER_NAMES = [/\.txt$/i, /\.(?:xlsx?|numbers|ods)$/i];

/** Lists the tables of a message. Without any, the first file that can be one, or that people may take for one. */
export function listTableFiles(files: unknown): z.infer<typeof slackFile>[] {
  const { data = [] } = z.array(slackFile).safeParse(files);
  const filterNamed = (pattern: RegExp) => data.filter(({ name }) => pattern.test(name ?? ''));
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

/** Renders the name of one of several tables of a message, for what concerns only that: “x.csv: ”. */
export function renderFileLabel(id: string, { attached = '[]' }: ImportOrigin): string {
  const tables = listTableFiles(JSON.parse(attached));
  const name = tables.find((table) => table.id === id)?.name ?? '';
  return tables.length < 2 || name === '' ? '' : `${escapeText(clipLine(name))}: `;
}

/** Reads a file, or resolves with why it couldn't be read (mrkdwn). */
export async function readSlackFile(
  { client, log, reference }: Call,
  id: string,
): Promise<{ fileName: string; bytes: Uint8Array } | { refusal: string }> {
  try {
    const { name = 'posts.csv', read } = await openSlackFile(client, id, { maxBytes: MAX_FILE_BYTES });
    return { fileName: name, bytes: await buffer(read()) };
  } catch (error) {
    const refusal = error instanceof UnreadableSlackFile ? REFUSALS[error.failure] : undefined;
    if (refusal === undefined) log.warn({ reference, err: error }, 'could not read a file from Slack');
    return { refusal: refusal ?? NOT_READ };
  }
}
