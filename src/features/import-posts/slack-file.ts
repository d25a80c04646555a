import { z } from 'zod';
import type { Call } from '../../handlers/call.ts';
import { LIMITS_TEXT, MAX_FILE_BYTES } from '../../imports/read-table.ts';
import { isAtSlack } from '../../media/slack-file.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';

/** The scope without which only pasted rows can be imported. */
export const READ_SCOPE = 'files:read';

/** A file in a message, as far as it matters here. */
const slackFile = z.object({
  id: z.string(),
  name: z.string().nullish(),
  size: z.number().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
  is_external: z.boolean().nullish(),
  mode: z.string().nullish(),
});
type SlackFile = z.infer<typeof slackFile>;

/** Names of files that can be tables. */
const TABLE_NAME = /\.(?:csv|tsv|tab|txt)$/i;
/** Names of workbooks, for which people read how to save a table. */
const WORKBOOK_NAME = /\.(?:xlsx?|numbers|ods)$/i;

/** Finds the first file of a message that can be a table, or that people may take for one. */
export function findTableFile(files: unknown): SlackFile | undefined {
  const { data = [] } = z.array(slackFile).safeParse(files);
  return (
    data.find(({ name }) => TABLE_NAME.test(name ?? '')) ??
    data.find(({ name }) => WORKBOOK_NAME.test(name ?? ''))
  );
}

/** A file that was read, or why it couldn't be (mrkdwn). */
type FileContent = { fileName: string; bytes: Uint8Array } | { refusal: string };

const MISSING_SCOPE = `I can’t read files in this workspace. Ask an admin to install Upnext again with \`${READ_SCOPE}\`, or paste the rows: \`/upnext import\`.`;
const NOT_READ = 'I couldn’t read this file. Drop it in a direct message with me, or try again in a minute.';
const NOT_IN_SLACK = 'This file isn’t stored in Slack. Upload it here, or paste the rows: `/upnext import`.';
const TOO_LARGE = `This file is larger than 10 MB. I can read ${LIMITS_TEXT}: split it into several files.`;

const DOWNLOAD_TIMEOUT_MS = 30_000;

/** Reads a file from Slack. Its size is known before, so nothing larger than the limit is read. */
export async function readSlackFile({ client, log, reference }: Call, id: string): Promise<FileContent> {
  try {
    const { file } = await client.files.info({ file: id });
    const { data } = slackFile.safeParse(file);
    const url = data?.url_private_download ?? data?.url_private;
    if (!data || typeof url !== 'string') return { refusal: NOT_READ };
    // The bot's token goes to Slack only: the file of another service has an address there.
    const isExternal = data.is_external === true || data.mode === 'external';
    if (isExternal || !isAtSlack(url, client.slackApiUrl)) return { refusal: NOT_IN_SLACK };
    if ((data.size ?? 0) > MAX_FILE_BYTES) return { refusal: TOO_LARGE };
    const bytes = await download(url, client.token ?? '');
    if (bytes === 'too-large') return { refusal: TOO_LARGE };
    return bytes ? { fileName: data.name ?? 'posts.csv', bytes } : { refusal: NOT_READ };
  } catch (error) {
    if (getSlackErrorCode(error) === 'missing_scope') return { refusal: MISSING_SCOPE };
    log.warn({ reference, err: error }, 'could not read a file from Slack');
    return { refusal: NOT_READ };
  }
}

/** Downloads a file at Slack with the bot's token. Undefined if Slack refuses it. */
async function download(url: string, token: string): Promise<Uint8Array | 'too-large' | undefined> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    // Slack redirects to its sign-in if the bot may not read the file.
    redirect: 'manual',
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  });
  if (response.status !== 200 || !response.body) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_FILE_BYTES) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether the workspace has granted the scope for reading files. */
export async function mayReadFiles({ client, log, reference }: Call): Promise<boolean> {
  try {
    const { response_metadata: metadata } = await client.auth.test();
    return metadata?.scopes?.includes(READ_SCOPE) ?? false;
  } catch (error) {
    log.info({ reference, err: error }, 'could not read the scopes of the bot');
    return false;
  }
}
