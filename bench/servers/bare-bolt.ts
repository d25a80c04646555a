import { App, HTTPReceiver } from '@slack/bolt';
import { Pool } from 'pg';
import { createBarePosts } from '../ratios/bare-posts.ts';

/**
 * A minimal Bolt app: answers with Upnext's help, opens a form, and stores, sends and updates a submitted post. Takes
 * requests over HTTP, or over a socket with APP_TOKEN. Prints its port.
 */

const {
  SIGNING_SECRET = '',
  BOT_TOKEN = '',
  API_URL = '',
  APP_TOKEN,
  DATABASE_URL = '',
  SERVICE_URL = '',
} = process.env;
const options = { token: BOT_TOKEN, clientOptions: { slackApiUrl: API_URL } };
const app = new App(
  APP_TOKEN === undefined
    ? { ...options, receiver: new HTTPReceiver({ signingSecret: SIGNING_SECRET }) }
    : { ...options, appToken: APP_TOKEN, socketMode: true },
);
const sendPost = await createBarePosts(new Pool({ connectionString: DATABASE_URL }), SERVICE_URL);

const createInput = (name: string) => ({
  type: 'input' as const,
  block_id: name,
  label: { type: 'plain_text' as const, text: name },
  element: { type: 'plain_text_input' as const, action_id: name },
});

const createSection = (lines: readonly string[]) => ({
  type: 'section' as const,
  text: { type: 'mrkdwn' as const, text: lines.join('\n'), verbatim: true },
});
const createButton = (text: string, action_id: string, value?: string) => ({
  type: 'button' as const,
  text: { type: 'plain_text' as const, text, emoji: false },
  action_id,
  ...(value !== undefined && { value }),
});
/** Creates a copy of what Upnext answers, so that both apps send about as much. */
const createHelp = () => ({
  text: 'Common commands: /schedule-post, /upnext week, /upnext, /upnext posts, /upnext outbox',
  blocks: [
    createSection([
      '*Common commands*',
      '`/schedule-post`  Schedule a post, or save a draft',
      '`/upnext week`  The week by day, with its free days: move, edit or cancel posts',
      '`/upnext`  The next post',
      '`/upnext posts`  A project’s posts, with filters for status, platform and days',
      '`/upnext outbox`  Posts that are pending, uncertain or failed',
    ]),
    {
      type: 'actions' as const,
      elements: [
        createButton('New post', 'help.example.0', 'schedule 0'),
        createButton('Week', 'help.example.1', 'week 0'),
        createButton('What’s next', 'help.example.2', 'next 0'),
        createButton('All commands', 'help.list'),
      ],
    },
    createSection([
      '*Decide what goes out*',
      '`/upnext policy`  Until when a project’s posts can be edited, who reviews them, its slots and blackout days',
      '`/upnext stop`  Hold back a project’s posts at once, for example after a mistake',
      '`/upnext resume`  Let a stopped project’s posts go out again',
    ]),
    {
      type: 'context' as const,
      elements: [
        {
          type: 'mrkdwn' as const,
          text: 'In a thread, write `@Upnext next`. In a direct message, just `next`.',
          verbatim: true,
        },
      ],
    },
  ],
  parse: 'none' as const,
  link_names: false,
  unfurl_links: false,
  unfurl_media: false,
  response_type: 'ephemeral' as const,
});

app.command('/upnext', async ({ ack }) => {
  await ack(createHelp());
});
app.command('/schedule-post', async ({ ack, body, client }) => {
  await ack();
  await client.views.open({
    trigger_id: body.trigger_id,
    view: {
      type: 'modal',
      callback_id: 'post',
      private_metadata: body.channel_id,
      title: { type: 'plain_text', text: 'Schedule a post' },
      submit: { type: 'plain_text', text: 'Submit' },
      blocks: ['Text', 'Platforms', 'When'].map(createInput),
    },
  });
});
app.view('post', async ({ ack, view, body, client }) => {
  await sendPost(view.state.values.Text?.Text?.value ?? '');
  await ack();
  await client.chat.postEphemeral({ channel: view.private_metadata, user: body.user.id, text: 'Scheduled.' });
});
const server = await app.start(0);
const address = server && 'address' in server ? server.address() : null;
console.log(`port ${typeof address === 'object' ? address?.port : address}`);
