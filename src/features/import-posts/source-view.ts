import type { KnownBlock, ModalView } from '@slack/types';
import { LIMITS_TEXT } from '../../imports/read-table.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { READ_SCOPE } from './slack-file.ts';

/** The callback id of the form for a file, or for pasted rows. */
export const SOURCE_VIEW = 'import.source';
export const FILE_BLOCK = 'file';
export const ROWS_BLOCK = 'rows';

/** Renders the form for a file, or for pasted rows. Without the scope for files, Slack refuses a view that takes them. */
export function renderSourceView({
  channel,
  takesFiles,
}: {
  channel: string;
  takesFiles: boolean;
}): ModalView {
  const file: KnownBlock = {
    type: 'input',
    block_id: FILE_BLOCK,
    optional: true,
    label: plain('CSV file'),
    element: { type: 'file_input', action_id: 'value', filetypes: ['csv', 'tsv', 'txt'], max_files: 1 },
  };
  return {
    type: 'modal',
    callback_id: SOURCE_VIEW,
    private_metadata: channel,
    title: plain('Import posts', LIMITS.viewTitle),
    submit: plain('Check', LIMITS.viewTitle),
    close: plain('Cancel', LIMITS.viewTitle),
    blocks: [
      section(`I read up to ${LIMITS_TEXT}, and first show you what I’d import.`),
      ...(takesFiles
        ? [file]
        : [context(`I can’t read files here without the permission \`${READ_SCOPE}\`.`)]),
      {
        type: 'input',
        block_id: ROWS_BLOCK,
        optional: true,
        label: plain(takesFiles ? 'Or paste rows' : 'Paste rows'),
        hint: plain(
          'From a spreadsheet, with the names of the columns in the first row. At most 3,000 characters.',
        ),
        element: {
          type: 'plain_text_input',
          action_id: 'value',
          multiline: true,
          max_length: LIMITS.inputText,
        },
      },
    ],
  };
}
