import { WebClient } from '@slack/web-api';
import { vi } from 'vitest';
import { disableParsing } from '../../src/slack/message.ts';
import type { Running } from './bot.ts';

/** The id of the file that was read last. */
const lastRead = new WeakMap<Running['workspace'], string | undefined>();

/** Reads the newest file that the bot sent Ana as a direct message, once it isn't the one that was read before. */
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
  const file = await vi.waitFor(async () => {
    const { messages = [] } = await slack.conversations.history({ channel });
    const [newest] = messages.flatMap(({ files = [] }) => files);
    if (!newest || newest.id === lastRead.get(workspace)) throw new Error('the bot sent Ana no new file');
    return newest;
  }, 10_000);
  lastRead.set(workspace, file.id);
  const response = await fetch(`${workspace.url}/page/slack-file?id=${file.id}&download`);
  return { name: file.name ?? '', text: await response.text() };
}
