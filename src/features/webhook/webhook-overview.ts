import { actions, button, context, section, withConfirmation } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';

export const DELETE_WEBHOOK = 'webhook.delete';

/** The consequence of deleting a project's webhook. Plain text. */
export const DELETION_CONSEQUENCE = 'Whatever listens to the webhook stops hearing about the project.';

/** Renders an explanation of webhooks, and the button that opens the form. `query`: the project in the command. */
export function renderWebhookOverview(query: string): Message {
  const text = 'A webhook lets the scheduling service tell another tool what happens in a project.';
  const deleteButton = withConfirmation(
    button('Delete a webhook', DELETE_WEBHOOK, query === '' ? undefined : query, 'danger'),
    {
      title: 'Delete a webhook?',
      text: `${DELETION_CONSEQUENCE} You can’t restore it from Slack.`,
      confirm: 'Choose the project',
      deny: 'Keep it',
      style: 'danger',
    },
  );
  return {
    text,
    blocks: [
      section(`*Webhooks*\n${text}`),
      context(
        'You set up webhooks in the scheduling service. I can’t list them, but I can delete a project’s webhook.',
      ),
      actions(deleteButton),
    ],
  };
}
