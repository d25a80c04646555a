import { App, HTTPReceiver } from '@slack/bolt';
import { Pool } from 'pg';
import { request } from 'undici';

/**
 * A minimal Bolt app: acknowledges the help, opens a form, and stores, sends and updates a submitted post. Takes requests
 * over HTTP, or over a socket with APP_TOKEN. Prints its port.
 */

const {
  SIGNING_SECRET = '',
  BOT_TOKEN = '',
  API_URL = '',
  APP_TOKEN,
  DATABASE_URL,
  SERVICE_URL,
} = process.env;
const options = { token: BOT_TOKEN, clientOptions: { slackApiUrl: API_URL } };
const app = new App(
  APP_TOKEN === undefined
    ? { ...options, receiver: new HTTPReceiver({ signingSecret: SIGNING_SECRET }) }
    : { ...options, appToken: APP_TOKEN, socketMode: true },
);
const pool = new Pool({ connectionString: DATABASE_URL });
if (DATABASE_URL !== undefined)
  await pool.query('create table if not exists post (id bigserial primary key, content text, state text)');

const createInput = (name: string) => ({
  type: 'input' as const,
  block_id: name,
  label: { type: 'plain_text' as const, text: name },
  element: { type: 'plain_text_input' as const, action_id: name },
});

app.command('/upnext', async ({ ack }) => {
  await ack();
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
  const content = view.state.values.Text?.Text?.value;
  const insert = "insert into post (content, state) values ($1, 'sending') returning id";
  const { rows } = await pool.query(insert, [content]);
  const response = await request(`${SERVICE_URL}/api/v1/projects/p1/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ Content: content }),
  });
  await response.body.json();
  await pool.query("update post set state = 'sent' where id = $1", [rows[0].id]);
  await ack();
  await client.chat.postEphemeral({ channel: view.private_metadata, user: body.user.id, text: 'Scheduled.' });
});
const server = await app.start(0);
const address = server && 'address' in server ? server.address() : null;
console.log(`port ${typeof address === 'object' ? address?.port : address}`);
