import { z } from 'zod';
import type { ApiClient } from '../../api/client.ts';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { createForm } from '../../forms/create-form.ts';
import { type Form, invalid, valid } from '../../forms/form.ts';
import { actorLoader, type FormContext } from '../../forms/form-context.ts';
import { textField } from '../../forms/inputs/text.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import { section } from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

/** The content is empty, because the request has no parameters. */
const content = z.object({});
type FileDeletionContent = z.infer<typeof content>;

/**
 * The deletion of a file. The service chooses which file. A second request may delete a second file, so after an
 * unknown outcome the author decides about a retry.
 */
export const fileDeletion: SubmissionKind<FileDeletionContent> = {
  name: 'file-deletion',
  feature: 'files',
  content,
  getProject: () => undefined,
  getRole: () => 'owner',
  send: (api) => deleteFile(api),
  unknownOutcome: { strategy: 'ask' },
  copy: {
    renderTitle: () => 'Deletion of a file',
    renderDone: () => 'The service deleted a file. It doesn’t say which one.',
    renderDoneTitle: () => 'Deleted',
    renderNotFound: () => 'The service found no file to delete.',
    getText: () => '',
    renderResendWarning: () => 'Sending it again may delete another file.',
    renderDetails: () => [],
  },
};

/** The phrase that confirms a deletion, so that nobody deletes a file by accident. Case-sensitive. */
const CONFIRMATION = 'DELETE FILE';

const fields = { phrase: textField({ label: `Type ${CONFIRMATION}` }) };

const fileForm: Form<typeof fields, FormContext, FileDeletionContent> = {
  name: 'file',
  version: 1,
  noun: 'form that deletes a file',
  title: 'Delete a file',
  submitLabel: 'Delete',
  command: '/upnext file',
  fields,
  contextLoader: actorLoader,
  renderAboveFields: () => [
    section(
      ':warning: *Nobody knows which file this deletes.* The service doesn’t let you choose one, and you can’t undo it.',
    ),
  ],
  check: ({ values: { phrase } }) =>
    normalizeUnicode(phrase, 'NFC').trim().split(/\s+/).join(' ') === CONFIRMATION
      ? valid({})
      : invalid({ phrase: `Type ${CONFIRMATION} in capitals.` }),
  onSubmit: { kind: fileDeletion, toValues: () => ({}) },
};

const form = createForm(fileForm);

/** Deletes a file, if the operator has allowed it (ALLOW_FILE_DELETION). */
export const files: Feature = {
  name: 'files',
  commands: [
    {
      name: 'file',
      aliases: ['files', 'delete-file'],
      summary: 'Delete a file',
      examples: { '/upnext file': 'Delete a file that the service picks.' },
      button: 'Delete a file',
      isListed: false,
      ...form.command,
      run: (call) => runIfAllowed(call, () => form.openForm(call)),
    },
  ],
  role: 'owner',
  ...form,
  open: {
    ...form.open,
    run: (call, prefill) => runIfAllowed(call, () => form.open.run(call, prefill)),
  },
  views: Object.fromEntries(
    Object.entries(form.views).map(([id, { deed, run }]) => [
      id,
      {
        deed,
        run: (call: SubmissionCall) => (call.context.allowFileDeletion ? run(call) : showDisabled(call)),
      },
    ]),
  ),
};

const DISABLED_TEXT = 'Deleting files is turned off, because I can’t check which file would be deleted.';
const ENABLE_TEXT = 'Ask the person who runs Upnext to turn it on.';

async function runIfAllowed(call: Call, run: () => Promise<void>): Promise<void> {
  await (call.context.allowFileDeletion ? run() : call.reply({ text: `${DISABLED_TEXT} ${ENABLE_TEXT}` }));
}

/** Responds to a form that was opened before the operator switched the feature off. */
async function showDisabled(call: SubmissionCall): Promise<void> {
  await call.answer({
    view: buildModal(fileForm.title, [section(`*Nothing was sent.* ${DISABLED_TEXT}\n${ENABLE_TEXT}`)]),
  });
}

/** Delete File. The contract describes no parameter that selects a file, so the request has none. */
export async function deleteFile(client: ApiClient): Promise<Outcome<undefined>> {
  const outcome = await client.call('deleteFile', (http, requestOptions) =>
    http.DELETE('/api/v1/common/file', requestOptions),
  );
  return mapDone(outcome, () => undefined);
}
