import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { promptForm } from './prompt-form.ts';

const form = createForm(promptForm);

/** Prompts: made here, and chosen in the form for a post. */
export const prompts: Feature = {
  name: 'prompts',
  commands: [
    {
      name: 'prompt',
      aliases: ['prompts'],
      summary: 'Make a prompt, to be chosen in a post',
      usage: '',
      examples: ['/upnext prompt'],
      opensForm: true,
      button: 'Make a prompt',
      run: (call) => form.begin(call),
    },
  ],
  role: () => 'author',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};
