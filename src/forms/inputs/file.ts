import { z } from 'zod';
import { getChosenFiles, type SlackFile, slackFile } from '../../slack/interaction-values.ts';
import { buildCommonProperties, type Field, type FieldOptions } from '../field.ts';

interface FileOptions extends Omit<FieldOptions, 'isLive'> {
  /** From 1 to 10. */
  maxFiles: number;
  /** The extensions that Slack offers to choose, without the dot. */
  extensions: readonly string[];
}

/**
 * A field for files that people upload. Slack reports them with the next change of another field, or with the submission.
 * A view can't prefill files, so the field is empty whenever its block_id is new.
 */
export function fileField({ maxFiles, extensions, ...options }: FileOptions): Field<SlackFile[]> {
  return {
    ...buildCommonProperties(options),
    emptyValue: [],
    valueSchema: z.array(slackFile),
    read: getChosenFiles,
    renderElement: ({ actionId }) => ({
      type: 'file_input',
      action_id: actionId,
      max_files: maxFiles,
      filetypes: [...extensions],
    }),
  };
}
