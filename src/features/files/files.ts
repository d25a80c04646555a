import type { Call, SubmissionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { plain, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { fileForm } from './file-form.ts';

const form = createForm(fileForm);

/** A file is deleted, where whoever runs Upnext has allowed it. */
export const files: Feature = {
  name: 'files',
  commands: [
    {
      name: 'file',
      aliases: ['files', 'delete-file'],
      summary: 'Delete a file, where that is allowed',
      usage: '',
      examples: ['/upnext file'],
      opensForm: true,
      button: 'Delete a file',
      run: (call) => whereAllowed(call, () => form.begin(call)),
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: (call, prefill) => whereAllowed(call, () => form.open(call, prefill)),
  views: Object.fromEntries(
    Object.entries(form.views).map(([id, submit]) => [
      id,
      (call: SubmissionCall) => (call.context.allowFileDeletion ? submit(call) : refuse(call)),
    ]),
  ),
  actions: form.actions,
  options: form.options,
};

const OFF =
  'Deleting files is switched off. The scheduling service’s API does not say which file it deletes, so nobody could know what will be gone.';
const HOW =
  'Whoever runs Upnext can switch it on: start it with `ALLOW_FILE_DELETION=true` in its environment.';

async function whereAllowed(call: Call, begin: () => Promise<void>): Promise<void> {
  await (call.context.allowFileDeletion ? begin() : call.reply({ text: `${OFF} ${HOW}` }));
}

/** It was switched off while the form stood open. */
async function refuse(call: SubmissionCall): Promise<void> {
  await call.answer({
    view: {
      type: 'modal',
      title: plain(fileForm.title, LIMITS.viewTitle),
      close: plain('Close', LIMITS.viewTitle),
      blocks: [section(`*Nothing was sent.* ${OFF}\n${HOW}`)],
    },
  });
}
