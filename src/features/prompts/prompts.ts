import { z } from 'zod';
import type { ApiClient } from '../../api/client.ts';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { readCreatedId } from '../../api/records.ts';
import { createForm } from '../../forms/create-form.ts';
import { namedRecord } from '../../forms/field.ts';
import { type Form, invalid, valid } from '../../forms/form.ts';
import { cachedProjectLoader, type FormContext } from '../../forms/form-context.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import { textField } from '../../forms/inputs/text.ts';
import type { Feature } from '../../handlers/feature.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

const contentSchema = z.object({
  project: namedRecord,
  title: z.string(),
  text: z.string(),
  description: z.string(),
});
type PromptContent = z.infer<typeof contentSchema>;

/** Maximum length of a description in the submission's details. */
const MAX_DESCRIPTION_LENGTH = 300;

/** Creates prompts. The service can't list prompts, so only the response contains the id of the new prompt. */
export const promptSubmission: SubmissionKind<PromptContent> = {
  name: 'prompt',
  feature: 'prompts',
  content: contentSchema,
  getProject: (prompt) => prompt.project,
  getRole: () => 'contributor',
  send: (api, { project, title, text, description }) =>
    createPrompt(api, {
      projectId: project.id,
      title,
      promptText: text,
      ...(description.trim() !== '' && { description }),
    }),
  summarize: ({ project, title }) => ({ project, title, text: '', description: '' }),
  unknownOutcome: { strategy: 'ask' },
  copy: {
    renderTitle: ({ title, project }) => `Prompt “${title}” for ${project.name}`,
    renderDone: ({ title }, { serviceId }) =>
      `The prompt “${title}” is ready. ${serviceId ? 'You can choose it in the form for a post.' : 'To use it in a post, type its ID from the service.'}`,
    renderDoneTitle: () => 'Created',
    renderDoneNote: () => 'You can’t edit or delete it from Slack.',
    getText: ({ text }) => text,
    renderDetails: ({ project, text, description }) => [
      context(
        plain(`Project: ${project.name}`),
        ...(description.trim() === '' ? [] : [plain(description, MAX_DESCRIPTION_LENGTH)]),
      ),
      plainSection(text),
    ],
  },
};

const fields = {
  project: projectField(),
  title: textField({
    label: 'Title',
    apiFields: 'Title',
    hint: 'The name you’ll see in the form for a post.',
  }),
  text: textField({ label: 'Prompt', apiFields: 'PromptText', multiline: true }),
  description: textField({ label: 'Description', apiFields: 'Description', optional: true }),
};

const promptForm: Form<typeof fields, FormContext, PromptContent> = {
  name: 'prompt',
  version: 1,
  noun: 'prompt form',
  title: 'Create a prompt',
  submitLabel: 'Create',
  command: '/upnext prompt',
  fields,
  contextLoader: cachedProjectLoader,
  renderAboveFields: () => [
    context('A prompt is an instruction for writing posts, such as “two friendly sentences and a question”.'),
  ],
  footer: 'You can’t edit or delete a prompt from Slack.',
  check({ values: { project: chosenProject, ...values } }) {
    if (!chosenProject) return invalid({});
    return valid({ project: chosenProject, ...values });
  },
  onSubmit: {
    kind: promptSubmission,
    toValues: (content) => content,
  },
};

const form = createForm(promptForm);

/** `/upnext prompt` creates prompts, which the form for a post offers. */
export const prompts: Feature = {
  name: 'prompts',
  commands: [
    {
      name: 'prompt',
      aliases: ['prompts'],
      summary: 'Create a prompt for use in posts',
      examples: { '/upnext prompt': 'Open the form.' },
      button: 'Create a prompt',
      isListed: false,
      ...form.command,
    },
  ],
  role: 'contributor',
  ...form,
};

/** Create Prompt. Resolves with the id of the prompt. */
export async function createPrompt(
  client: ApiClient,
  prompt: { projectId: string; title: string; promptText: string; description?: string | undefined },
): Promise<Outcome<string | undefined>> {
  const { projectId, title, promptText, description } = prompt;
  const body = {
    Title: title,
    PromptText: promptText,
    ...(description !== undefined && { Description: description }),
  };
  const path = { project_id: projectId };
  const outcome = await client.call('createPrompt', (http, requestOptions) =>
    http.POST('/api/v1/projects/{project_id}/prompts', { ...requestOptions, params: { path }, body }),
  );
  return mapDone(outcome, (data) => readCreatedId(data, 'Prompt', ['Title', 'PromptText']));
}
