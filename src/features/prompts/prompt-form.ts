import type { Form } from '../../forms/form.ts';
import { project } from '../../forms/inputs/project.ts';
import { text } from '../../forms/inputs/text.ts';
import { type Loaded, waitingFacts } from '../../forms/loaded.ts';
import { type PromptContent, promptSubmission } from './prompt-submission.ts';

const fields = {
  project: project(),
  title: text({ label: 'Title', api: 'Title', hint: 'By this name it is chosen in the form for a post.' }),
  text: text({ label: 'Prompt', api: 'PromptText', multiline: true }),
  description: text({ label: 'Description', api: 'Description', optional: true }),
};

/** A new prompt. */
export const promptForm: Form<typeof fields, Loaded, PromptContent> = {
  name: 'prompt',
  version: 1,
  title: 'Make a prompt',
  send: 'Create',
  command: '/upnext prompt',
  fields,
  facts: waitingFacts,
  foot: 'It cannot be changed or removed from here once it is made.',
  check({ typed: { project: chosen, ...typed } }) {
    if (!chosen) return { kind: 'faulty', errors: {} };
    return { kind: 'good', contents: [{ project: chosen, ...typed }] };
  },
  ending: {
    kind: promptSubmission,
    typedOf: (content) => content,
  },
};
