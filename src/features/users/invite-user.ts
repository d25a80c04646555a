import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { readInvitationWords } from './email.ts';
import { inviteForm } from './invite-form.ts';

const form = createForm(inviteForm);

/** Somebody without a platform account is invited into a project. */
export const inviteUser: Feature = {
  name: 'invite-user',
  commands: [
    {
      name: 'invite',
      aliases: ['invite-user', 'add-user'],
      summary: 'Invite somebody into a project',
      usage: '[e-mail name]',
      examples: ['/invite-user', '/invite-user ana@example.com Ana Ferreira'],
      ownCommand: '/invite-user',
      opensForm: true,
      button: 'Invite somebody',
      run: (call) => form.begin(call, { prefill: readInvitationWords(call.words) }),
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};
