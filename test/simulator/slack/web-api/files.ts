import { refuseArguments } from '../accept-content.ts';
import { getString, isRecord } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import type { SlackFile } from '../workspace.ts';
import { type Method, type Methods, readJson, readRequired, readText } from './call.ts';

const getUploadUrl: Method = (call) => {
  const size = Number(readRequired(call, 'length'));
  if (!Number.isInteger(size) || size <= 0) throw new Refusal('invalid_arguments');
  const [id, ticket] = [call.state.createId('F'), call.state.createId('')];
  const file: SlackFile = { id, ticket, name: readRequired(call, 'filename'), size, status: 'announced' };
  call.workspace.files.set(id, file);
  return { upload_url: `https://files.slack.com/upload/v1/${ticket}`, file_id: id };
};

const completeUpload: Method = (call) => {
  const { state, workspace } = call;
  const entries = readJson(call, 'files', 'invalid_arguments');
  if (!Array.isArray(entries) || entries.length === 0)
    throw refuseArguments(['[ERROR] missing required field: files']);
  const files = entries.map((entry: unknown) => {
    const file = workspace.files.get(isRecord(entry) ? getString(entry, 'id') : '');
    if (file?.status !== 'received') throw new Refusal('file_not_found');
    return file;
  });
  const channelId = readText(call, 'channel_id');
  const channel = channelId === undefined ? undefined : workspace.channels.get(channelId);
  if (channelId !== undefined) {
    if (!channel || (channel.kind === 'private' && !channel.botIsMember))
      throw new Refusal('channel_not_found');
    if (!channel.botIsMember) throw new Refusal('not_in_channel');
  }
  for (const file of files) file.status = 'complete';
  if (channel) {
    const text = [readText(call, 'initial_comment') ?? '', ...files.map(({ name }) => name)]
      .join('\n')
      .trim();
    const about = { channel: channel.id, user: workspace.botUser, threadTs: readText(call, 'thread_ts') };
    state.addMessage(workspace, about, { text, blocks: [] });
  }
  return { files: files.map(({ id, name }) => ({ id, title: name, name })) };
};

const deleteFile: Method = (call) => {
  const file = call.workspace.files.get(readRequired(call, 'file'));
  if (!file || file.status === 'announced' || file.status === 'received') throw new Refusal('file_not_found');
  if (file.status === 'deleted') throw new Refusal('file_deleted');
  file.status = 'deleted';
  return {};
};

const readInfo: Method = (call) => {
  const file = call.workspace.files.get(readRequired(call, 'file'));
  if (file?.status !== 'complete') throw new Refusal('file_not_found');
  const { id, name, size } = file;
  return { file: { id, name, size, mode: 'hosted', url_private_download: `${DOWNLOADS}${id}/${name}` } };
};

/** The address of a file is this, and its id. */
export const DOWNLOADS = 'https://files.slack.com/files-pri/';

export const fileMethods: Methods = {
  'files.completeUploadExternal': [completeUpload, 'files:write'],
  'files.delete': [deleteFile, 'files:write'],
  'files.info': [readInfo, 'files:read'],
  'files.getUploadURLExternal': [getUploadUrl, 'files:write'],
};
