import { App, HTTPReceiver } from '@slack/bolt';

/** A minimal Bolt app that only acknowledges requests. Prints its port. */

const { SIGNING_SECRET = '', BOT_TOKEN = '', API_URL = '' } = process.env;
const receiver = new HTTPReceiver({ signingSecret: SIGNING_SECRET });
const app = new App({ token: BOT_TOKEN, receiver, clientOptions: { slackApiUrl: API_URL } });
app.command('/upnext', async ({ ack }) => {
  await ack();
});
app.action('projects.choose', async ({ ack }) => {
  await ack();
});
app.options('projects.choose', async ({ ack }) => {
  await ack({ options: [] });
});
// Bolt acknowledges events itself.
app.event('member_joined_channel', async () => {});
const server = await app.start(0);
const address = server && 'address' in server ? server.address() : null;
console.log(`port ${typeof address === 'object' ? address?.port : address}`);
