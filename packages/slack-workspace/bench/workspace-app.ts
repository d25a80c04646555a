import { App, LogLevel } from '@slack/bolt';

/**
 * A minimal Bolt app that only acknowledges requests. Uses Socket Mode if it has an app token, otherwise HTTP,
 * and prints the port it listens on.
 */
const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN, SLACK_SIGNING_SECRET = '', SLACK_API_URL = '' } = process.env;
const sharedOptions = {
  token: SLACK_BOT_TOKEN,
  logLevel: LogLevel.ERROR,
  clientOptions: { slackApiUrl: SLACK_API_URL },
};
const app = new App(
  SLACK_APP_TOKEN
    ? { ...sharedOptions, appToken: SLACK_APP_TOKEN, socketMode: true }
    : { ...sharedOptions, signingSecret: SLACK_SIGNING_SECRET },
);
app.command(/./, async ({ ack }) => {
  await ack();
});
app.action(/./, async ({ ack }) => {
  await ack();
});
app.options(/./, async ({ ack }) => {
  await ack({ options: [] });
});
// Bolt acknowledges events itself.
app.event('member_joined_channel', async () => {});
const server = await app.start(Number(process.env.PORT));
const address = server && 'address' in server ? server.address() : null;
console.log(typeof address === 'object' && address ? `connected, port ${address.port}` : 'connected');
