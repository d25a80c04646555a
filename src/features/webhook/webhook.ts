import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { webhookForm } from './webhook-form.ts';

const form = createForm(webhookForm);

/** A project's webhook, which can only be deleted. */
export const webhook: Feature = {
  name: 'webhook',
  commands: [
    {
      name: 'webhook',
      aliases: ['webhooks', 'delete-webhook'],
      summary: 'Delete a project’s webhook, for good',
      usage: '[project]',
      examples: ['/upnext webhook'],
      opensForm: true,
      button: 'Delete a webhook',
      run: begin,
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};

async function begin(call: CommandCall): Promise<void> {
  const { words } = call;
  await form.begin(call, words === '' ? {} : { prefill: { project: { id: words, name: words } } });
}
