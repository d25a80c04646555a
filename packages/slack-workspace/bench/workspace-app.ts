import { App, LogLevel } from '@slack/bolt';

/** A Bolt app that only acknowledges `/bench`. Uses Socket Mode if it has an app token, otherwise HTTP. */
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
app.command('/bench', async ({ ack }) => {
  await ack();
});
await app.start(Number(process.env.PORT));
console.log('connected');
