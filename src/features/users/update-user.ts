import type { Role } from '../../access/roles.ts';
import { createForm } from '../../forms/create-form.ts';
import type { CommandCall, Feature } from '../../slack/feature.ts';
import type { Parts } from '../../submissions/parts.ts';
import { updateForm } from './update-form.ts';

const form = createForm(updateForm);

/** The role and status of somebody in a project. */
export const updateUser: Feature<Parts, Role> = {
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

async function begin(call: CommandCall<Parts>): Promise<void> {
  const { words } = call;
  await form.begin(call, words === '' ? {} : { prefill: { user: { id: words, name: words } } });
}
