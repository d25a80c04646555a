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

/** So much of a project's name stands in a sentence. */
const NAME = 100;

/** The end of a project's webhook: repeated, it deletes nothing else, and none to delete means that it is gone. */
const webhookDeletion: SubmissionKind<WebhookDeletionContent> = {
  name: 'webhook-deletion',
  feature: 'webhook',
  content,
  project: ({ project }) => project,
  role: () => 'owner',
  send: (api, { project }) => deleteWebhook(api, project.id),
  whenUnknown: { way: 'repeat', target: () => 'webhook' },
  isDoneWhenGone: true,
  words: {
    title: ({ project }) => `Deletion of the webhook of ${clip(project.name, NAME)}`,
    renderDone: ({ project }) => `The webhook of ${clip(project.name, NAME)} is deleted.`,
    doneTitle: () => 'Deleted',
    doneNote: () => 'It cannot be made again from here.',
    notFound: ({ project }) =>
      `The service has no webhook for ${clip(project.name, NAME)}, or does not know this project.`,
    text: () => '',
    details: () => [],
  },
};

const fields = {
  project: projectField(),
  name: textField({
    label: 'Type the project’s name',
    hint: 'As it is written, capitals included, so that none is deleted by mistake.',
  }),
};

/** What projectLoader has; a project that was named and is not there leaves nothing chosen. */
const namedProject: ContextLoader<FormContext> = {
  schema: formContextSchema,
  async load(call, begin) {
    const base = await projectLoader.load(call, begin);
    const words = namedRecord.safeParse(begin.prefill?.project).data?.id;
    if ('trouble' in base || words === undefined) return base;
    const { chosen, ...formContext } = base.formContext;
    const isOnly = formContext.projects.length === 1 && !formContext.hasMore;
    const meant = formContext.projects.filter(({ id, name }) => id === words || isLike(name, words));
    const [first] = isOnly && chosen ? [chosen] : meant.length === 1 ? meant : [];
    return { formContext: { ...formContext, ...(first && { chosen: first }) } };
  },
};

/** The end of a project's webhook. */
const webhookForm: Form<typeof fields, FormContext, WebhookDeletionContent> = {
  name: 'webhook',
  version: 1,
  title: 'Delete the webhook',
  submitLabel: 'Delete',
  command: '/upnext webhook',
  fields,
  contextLoader: namedProject,
  renderAboveFields: () => [
    section(
      ':warning: *This cannot be undone through the API.* The project’s webhook is deleted, and nothing here can make it again.',
    ),
  ],
  check({ values: { project: chosen, name }, formContext }) {
    if (!chosen) return { kind: 'invalid', errors: {} };
    const whole = formContext.projects.find(({ id }) => id === chosen.id)?.name ?? chosen.name;
    const wanted = cannotBeTyped(whole) ? chosen.id : whole;
    // A long name is cut where it stands in the menu: then what can be read is enough.
    const isTyped = [wanted, clip(wanted, LIMITS.optionText)].some((one) => isSameName(name, one));
    if (isTyped) return { kind: 'valid', contents: [{ project: { id: chosen.id, name: whole } }] };
    return {
      kind: 'invalid',
      errors: { name: `This is not the project’s name. It is: ${clip(wanted, LIMITS.optionText)}` },
    };
  },
  destination: { kind: webhookDeletion, toValues: ({ project: chosen }) => ({ project: chosen }) },
};

function isLike(name: string, words: string): boolean {
  return isSameName(name.toLowerCase(), words.toLowerCase());
}

/**
 * Whether somebody typed a project's name: case counts, since two projects may differ by it alone; what cannot be seen
 * or typed does not (invisible characters, the width of blanks, the quotes that phones put in, how accents are built).
 */
export function isSameName(typed: string, name: string): boolean {
  return plain(typed) !== '' && plain(typed) === plain(name);
}

/** True for a name of which nothing can be typed. */
function cannotBeTyped(name: string): boolean {
  return plain(name) === '';
}

function plain(words: string): string {
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
  await form.openForm(call, words === '' ? {} : { prefill: { project: { id: words, name: words } } });
}
