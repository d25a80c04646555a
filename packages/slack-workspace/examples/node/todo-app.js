import { App } from '@slack/bolt';

/** An app with one command and one button. `options` are those of Bolt's App. */
export function createTodoApp(options) {
  const app = new App(options);

  app.command('/todo', async ({ ack, command, say }) => {
    await ack();
    await say({
      text: command.text,
      blocks: [
        {
          type: 'section',
          text: { type: 'plain_text', text: command.text },
          accessory: {
            type: 'button',
            action_id: 'done',
            text: { type: 'plain_text', text: 'Done' },
            value: command.text,
          },
        },
      ],
    });
  });

  app.action('done', async ({ ack, action, respond }) => {
    await ack();
    await respond({ replace_original: true, text: `Done: ${action.value}` });
  });

  return app;
}
