import { z } from 'zod';
import { deleteWebhook } from '../../api/webhook.ts';
import { named } from '../../forms/field.ts';
import { clip } from '../../slack/clip.ts';
import type { SubmissionKind } from '../../submissions/kind.ts';

const content = z.object({ project: named });
export type WebhookDeletionContent = z.infer<typeof content>;

/** So much of a project's name stands in a sentence. */
const NAME = 100;

/** The end of a project's webhook: repeated, it deletes nothing else, and none to delete means that it is gone. */
export const webhookDeletion: SubmissionKind<WebhookDeletionContent> = {
  name: 'webhook-deletion',
  feature: 'webhook',
  content,
  project: ({ project }) => project,
  role: () => 'owner',
  send: (api, { project }) => deleteWebhook(api, project.id),
  whenUnknown: { way: 'repeat', target: () => 'webhook' },
  goneIsDone: true,
  words: {
    title: ({ project }) => `Deletion of the webhook of ${clip(project.name, NAME)}`,
    done: ({ project }) => `The webhook of ${clip(project.name, NAME)} is deleted.`,
    doneTitle: () => 'Deleted',
    doneNote: () => 'It cannot be made again from here.',
    notFound: ({ project }) =>
      `The service has no webhook for ${clip(project.name, NAME)}, or does not know this project.`,
    text: () => '',
    details: () => [],
  },
};
