import type { Form } from '../../forms/form.ts';
import { text } from '../../forms/inputs/text.ts';
import { type Loaded, readerFacts } from '../../forms/loaded.ts';
import { section } from '../../slack/blocks.ts';
import { type FileDeletionContent, fileDeletion } from './file-deletion.ts';

/** What is typed so that nobody does this in passing; case counts. */
const WORDS = 'DELETE FILE';

const fields = { words: text({ label: `Type ${WORDS}` }) };

/** The end of a file that nobody can name. */
export const fileForm: Form<typeof fields, Loaded, FileDeletionContent> = {
  name: 'file',
  version: 1,
  title: 'Delete a file',
  send: 'Delete',
  command: '/upnext file',
  fields,
  facts: readerFacts,
  head: () => [
    section(
      ':warning: *Nobody can say which file this deletes.* The request has no place to name one, and the service does not describe how it chooses. It belongs to no project, and it cannot be undone from here.',
    ),
  ],
  check: ({ typed: { words } }) =>
    words.normalize('NFC').trim().split(/\s+/).join(' ') === WORDS
      ? { kind: 'good', contents: [{}] }
      : { kind: 'faulty', errors: { words: `Type ${WORDS}, in capitals.` } },
  ending: { kind: fileDeletion, typedOf: () => ({}) },
};
