import { WebClient } from '@slack/web-api';
import { disableParsing } from '../../src/slack/message.ts';
import type { Running } from './bot.ts';

/** Reads the newest file that the bot sent Ana as a direct message. Wait for the bot's answer first. */
export async function readExportedCsv({
  workspace,
}: Pick<Running, 'workspace'>): Promise<{ name: string; text: string }> {
  const slack = new WebClient(workspace.botToken, { slackApiUrl: workspace.apiUrl });
  const { members = [] } = await slack.users.list({});
  const ana = members.find(({ profile }) => profile?.first_name === 'Ana' || profile?.display_name === 'Ana');
  // Slack's answer names the channel of the direct messages.
  const { channel = '' } = await slack.chat.postMessage({
    channel: ana?.id ?? '',
    ...disableParsing({ text: 'Here?' }),
  });
  const { messages = [] } = await slack.conversations.history({ channel });
  const [file] = messages.flatMap(({ files = [] }) => files);
  if (!file) throw new Error('the bot sent Ana no file');
  const response = await fetch(`${workspace.url}/page/slack-file?id=${file.id}&download`);
  return { name: file.name ?? '', text: await response.text() };
}
