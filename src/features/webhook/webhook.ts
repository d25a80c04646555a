import { z } from 'zod';
import type { ApiClient } from '../../api/client.ts';
import { mapDone, type Outcome } from '../../api/outcome.ts';
import { getServiceId } from '../../api/project-ids.ts';
import { createForm } from '../../forms/create-form.ts';
import { namedRecord } from '../../forms/field.ts';
import { type Form, invalid, valid } from '../../forms/form.ts';
import {
  type ContextLoader,
  type FormContext,
  formContextSchema,
  projectLoader,
} from '../../forms/form-context.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import { textField } from '../../forms/inputs/text.ts';
import type { Feature } from '../../handlers/feature.ts';
import { normalizeUnicode } from '../../normalize-text.ts';
import { context, section } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';
import { clip } from '../../words.ts';

const contentSchema = z.object({ project: namedRecord });
type WebhookDeletionContent = z.infer<typeof contentSchema>;

/** Maximum length of a project's name in a sentence. */
const MAX_NAME_LENGTH = 100;

/**
 * Deletes webhooks. A request can be repeated, because it deletes nothing but the project's webhook. After a request
 * with an unknown outcome, the response "not found" means that there is no webhook any more, or that there was none.
 */
const webhookDeletion: SubmissionKind<WebhookDeletionContent> = {
  name: 'webhook-deletion',
  feature: 'webhook',
  content: contentSchema,
  getProject: ({ project }) => project,
  getRole: () => 'owner',
  send: (api, { project }) => deleteWebhook(api, project.id),
  unknownOutcome: { strategy: 'repeat', getTarget: () => 'webhook' },
  isDoneWhenNotFound: true,
  copy: {
    renderTitle: ({ project }) => `Deletion of the ${clip(project.name, MAX_NAME_LENGTH)} webhook`,
    renderDone: ({ project }) => `${clip(project.name, MAX_NAME_LENGTH)} has no webhook now.`,
    renderNotFound: ({ project }) =>
      `The service has no webhook for ${clip(project.name, MAX_NAME_LENGTH)}, or doesn’t know this project.`,
    getText: () => '',
    renderDetails: () => [],
  },
};

const fields = {
  project: projectField(),
  name: textField({
    label: 'Type the project’s name',
    hint: 'Exactly as written, including capitals.',
  }),
};

/** Loads the projects. If the command names a project, chooses that project, or none if the name isn't unique. */
const webhookLoader: ContextLoader<FormContext> = {
  schema: formContextSchema,
  async load(call, options) {
    const projectResult = await projectLoader.load(call, { ...options, channelName: call.channelName });
    const query = namedRecord.safeParse(options.prefill?.project).data?.id;
    if ('failureText' in projectResult || query === undefined) return projectResult;
    const { preselectedProject, ...formContext } = projectResult.formContext;
    const hasOneProject = formContext.projects.length === 1 && !formContext.hasMore;
    const matches = formContext.projects.filter(
      ({ id, name }) => id === query || isSameName(name.toLowerCase(), query.toLowerCase()),
    );
    const [match] =
      hasOneProject && preselectedProject ? [preselectedProject] : matches.length === 1 ? matches : [];
    return { formContext: { ...formContext, ...(match && { preselectedProject: match }) } };
  },
};

/** The form that deletes a project's webhook, after the actor has typed the project's name. */
const webhookForm: Form<typeof fields, FormContext, WebhookDeletionContent> = {
  name: 'webhook',
  version: 1,
  noun: 'form that deletes a webhook',
  title: 'Delete the webhook',
  submitLabel: 'Delete webhook',
  command: '/upnext webhook',
  fields,
  contextLoader: webhookLoader,
  renderAboveFields: () => [
    section(
      ':warning: *This can’t be undone.* Whatever listens to the webhook stops hearing about the project.',
    ),
    context(
      'A webhook lets the scheduling service tell another tool what happens in a project. You set up webhooks there, and I can’t list them.',
    ),
  ],
  check({ values: { project: chosenProject, name }, formContext }) {
    if (!chosenProject) return invalid({});
    const fullName =
      formContext.projects.find(({ id }) => id === chosenProject.id)?.name ?? chosenProject.name;
    // Nobody can type a name of invisible characters, so its id is asked for.
    const expectedName = normalizeTypedName(fullName) === '' ? getServiceId(chosenProject.id) : fullName;
    // The menu shortens a long name, so typing the shortened name is enough.
    const isConfirmed = [expectedName, clip(expectedName, LIMITS.optionText)].some((candidate) =>
      isSameName(name, candidate),
    );
    if (isConfirmed) return valid({ project: { id: chosenProject.id, name: fullName } });
    return invalid({
      name: `This isn’t the project’s name. It is: ${clip(expectedName, LIMITS.optionText)}`,
    });
  },
  onSubmit: { kind: webhookDeletion, toValues: ({ project }) => ({ project }) },
};

/**
 * Whether a typed name is the project's name. Case matters, because the names of two projects may differ only in case.
 * Differences that people can't see or type don't matter, such as invisible characters, combining accents, and other
 * kinds of spaces and quotation marks.
 */
export function isSameName(typedName: string, name: string): boolean {
  return normalizeTypedName(typedName) !== '' && normalizeTypedName(typedName) === normalizeTypedName(name);
}

function normalizeTypedName(text: string): string {
  return normalizeUnicode(text.toWellFormed(), 'NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

const form = createForm(webhookForm);

/** `/upnext webhook` deletes a project's webhook. The service has no other operation for webhooks. */
export const webhook: Feature = {
  name: 'webhook',
  commands: [
    {
      name: 'webhook',
      aliases: ['webhooks', 'delete-webhook'],
      summary: 'Delete a project’s webhook permanently',
      usage: '[project]',
      examples: { '/upnext webhook': 'Choose the project.' },
      button: 'Delete a webhook',
      isListed: false,
      ...form.command,
      run: (call) => form.open.run(call, { project: call.text || undefined }),
    },
  ],
  role: 'owner',
  ...form,
};

/** Delete Webhook. The API can't undo the deletion. */
export async function deleteWebhook(client: ApiClient, projectId: string): Promise<Outcome<undefined>> {
  const path = { project_id: projectId };
  const outcome = await client.call('deleteWebhook', (http, requestOptions) =>
    http.DELETE('/api/v1/projects/{project_id}/webhook', { ...requestOptions, params: { path } }),
  );
  return mapDone(outcome, () => undefined);
}
