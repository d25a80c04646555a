import { z } from 'zod';
import { deleteWebhook } from '../../api/webhook.ts';
import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { namedRecord } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import {
  type ContextLoader,
  type FormContext,
  formContextSchema,
  projectLoader,
} from '../../forms/form-context.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { textField } from '../../forms/inputs/text.ts';
import { section } from '../../slack/blocks.ts';
import { clip } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

const content = z.object({ project: namedRecord });
type WebhookDeletionContent = z.infer<typeof content>;

/** How much of a project's name a sentence quotes. */
const MAX_NAME_LENGTH = 100;

/**
 * Deletes a project's webhook. Repeating the request is harmless: it deletes nothing else, and "not found" means that
 * the webhook is gone.
 */
const webhookDeletion: SubmissionKind<WebhookDeletionContent> = {
  name: 'webhook-deletion',
  feature: 'webhook',
  content,
  getProject: ({ project }) => project,
  getRole: () => 'owner',
  send: (api, { project }) => deleteWebhook(api, project.id),
  whenUnknown: { way: 'repeat', getTarget: () => 'webhook' },
  isDoneWhenGone: true,
  copy: {
    renderTitle: ({ project }) => `Deletion of the webhook of ${clip(project.name, MAX_NAME_LENGTH)}`,
    renderDone: ({ project }) => `The webhook of ${clip(project.name, MAX_NAME_LENGTH)} is deleted.`,
    renderDoneTitle: () => 'Deleted',
    renderDoneNote: () => 'It cannot be made again from here.',
    renderNotFound: ({ project }) =>
      `The service has no webhook for ${clip(project.name, MAX_NAME_LENGTH)}, or does not know this project.`,
    getText: () => '',
    renderDetails: () => [],
  },
};

const fields = {
  project: projectField(),
  name: textField({
    label: 'Type the project’s name',
    hint: 'As it is written, capitals included, so that none is deleted by mistake.',
  }),
};

/** The context of projectLoader. If the command named a project that doesn't exist, no project is chosen. */
const webhookLoader: ContextLoader<FormContext> = {
  schema: formContextSchema,
  async load(call, begin) {
    const base = await projectLoader.load(call, begin);
    const words = namedRecord.safeParse(begin.prefill?.project).data?.id;
    if ('failureText' in base || words === undefined) return base;
    const { chosen, ...formContext } = base.formContext;
    const isOnly = formContext.projects.length === 1 && !formContext.hasMore;
    const matches = formContext.projects.filter(({ id, name }) => id === words || isSimilarName(name, words));
    const [first] = isOnly && chosen ? [chosen] : matches.length === 1 ? matches : [];
    return { formContext: { ...formContext, ...(first && { chosen: first }) } };
  },
};

/** Asks for the project's name before its webhook is deleted. */
const webhookForm: Form<typeof fields, FormContext, WebhookDeletionContent> = {
  name: 'webhook',
  version: 1,
  title: 'Delete the webhook',
  submitLabel: 'Delete',
  command: '/upnext webhook',
  fields,
  contextLoader: webhookLoader,
  renderAboveFields: () => [
    section(
      ':warning: *This cannot be undone through the API.* The project’s webhook is deleted, and nothing here can make it again.',
    ),
  ],
  check({ values: { project: chosen, name }, formContext }) {
    if (!chosen) return { kind: 'invalid', errors: {} };
    const fullName = formContext.projects.find(({ id }) => id === chosen.id)?.name ?? chosen.name;
    const expected = isUntypeable(fullName) ? chosen.id : fullName;
    // The menu shortens a long name, so typing the shortened name is enough.
    const isTyped = [expected, clip(expected, LIMITS.optionText)].some((one) => isSameName(name, one));
    if (isTyped) return { kind: 'valid', contents: [{ project: { id: chosen.id, name: fullName } }] };
    return {
      kind: 'invalid',
      errors: { name: `This is not the project’s name. It is: ${clip(expected, LIMITS.optionText)}` },
    };
  },
  destination: { kind: webhookDeletion, toValues: ({ project: chosen }) => ({ project: chosen }) },
};

function isSimilarName(name: string, words: string): boolean {
  return isSameName(name.toLowerCase(), words.toLowerCase());
}

/**
 * Whether somebody typed a project's name. Case counts, because the names of two projects may differ only in case.
 * Differences that people can't see or type don't count: invisible characters, kinds of spaces and quotation marks, and
 * combining accents.
 */
export function isSameName(typed: string, name: string): boolean {
  return normalize(typed) !== '' && normalize(typed) === normalize(name);
}

/** A name of invisible characters only. */
function isUntypeable(name: string): boolean {
  return normalize(name) === '';
}

function normalize(words: string): string {
  return words
    .toWellFormed()
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

const form = createForm(webhookForm);

/** Deletes a project's webhook. The service has no other operation for webhooks. */
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
      run: openWebhookForm,
    },
  ],
  role: () => 'owner',
  submissions: form.submissions,
  open: form.open,
  views: form.views,
  actions: form.actions,
  options: form.options,
};

async function openWebhookForm(call: CommandCall): Promise<void> {
  const { text: words } = call;
  await form.openForm(call, words === '' ? {} : { prefill: { project: { id: words, name: words } } });
}
