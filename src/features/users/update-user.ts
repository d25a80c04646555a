import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { updateForm } from './update-form.ts';

const form = createForm(updateForm);

/** The role and status of somebody in a project. */
export const updateUser: Feature = {
  name: 'update-user',
  commands: [
    {
      name: 'user',
      aliases: ['users', 'update-user', 'change-user'],
      summary: 'Change somebody’s role and status in a project',
      usage: '[e-mail or id]',
      examples: ['/upnext user', '/upnext user ana@example.com'],
      opensForm: true,
      button: 'Role and status',
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
  await form.begin(call, words === '' ? {} : { prefill: { user: { id: words, name: words } } });
}
