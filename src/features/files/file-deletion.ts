import { z } from 'zod';
import { deleteFile } from '../../api/files.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

/** There is nothing to say: the request has no place for it. */
const content = z.object({});
export type FileDeletionContent = z.infer<typeof content>;

/** The end of some file. Sent twice it may delete two, so that only a person has it sent again. */
export const fileDeletion: SubmissionKind<FileDeletionContent> = {
  name: 'file-deletion',
  feature: 'files',
  content,
  project: () => undefined,
  role: () => 'owner',
  send: (api) => deleteFile(api),
  whenUnknown: { way: 'ask' },
  words: {
    title: () => 'Deletion of a file',
    done: () => 'The service answered that it deleted a file. It does not say which.',
    doneTitle: () => 'Deleted',
    text: () => '',
    sentTwice: () => 'Sent again, it may delete another file.',
    details: () => [],
  },
};
