import { describe, expect, it, test } from 'vitest';
import { expectError, openWorkspace } from '../support/fixtures.ts';
import { SMALL_PNG } from '../support/small-png.ts';
import { uploadFile } from '../support/upload-file.ts';
import { catchRefusal } from '../support/workspace.ts';

const HARBOUR = 'C02HARBOUR';
const createImageBlock = (slackFile: { id?: string; url?: string }) => ({
  type: 'image',
  alt_text: 'the roast',
  slack_file: slackFile,
});

/** Longer than a busy machine takes for a few calls. */
const PROCESSING_MS = 600_000;
const { workspace, client } = await openWorkspace({ fileProcessingMs: PROCESSING_MS });

describe('an image block with an uploaded file', () => {
  const upload = (filename: string) => uploadFile(client, { file: SMALL_PNG, filename });
  const sendBlocks = (blocks: unknown[]) =>
    client.apiCall('chat.postMessage', { channel: HARBOUR, text: 'x', blocks });

  it('an image block is refused while Slack processes its file, and accepted after that', async () => {
    const file = await upload('roast.png');
    const blocks = [createImageBlock({ id: file.id })];
    expect(await catchRefusal(sendBlocks(blocks))).toEqual({
      error: 'invalid_blocks',
      messages: ['[ERROR] invalid slack file [json-pointer:/blocks/0/slack_file]'],
    });
    workspace.clock.advance(PROCESSING_MS);
    await sendBlocks(blocks);
    await sendBlocks([createImageBlock({ url: file.url_private })]);
    const { file: fileInfo } = await client.files.info({ file: file.id });
    await sendBlocks([createImageBlock({ url: fileInfo?.permalink ?? '' })]);
  });

  it.each([
    ['that does not exist', { id: 'F0NOTHERE1' }, 'invalid slack file', ''],
    [
      'with an address outside Slack',
      { url: 'https://example.com/files-pri/T1-F1/a.png' },
      'invalid slack file',
      '',
    ],
    [
      'whose id is an address',
      { id: 'https://example.com' },
      'input must match regex pattern: ^[F][A-Z0-9]{8,}$',
      '/id',
    ],
  ])('an image block with a file %s is refused', async (_, slackFile, message, pointer) => {
    const section = {
      type: 'section',
      text: { type: 'mrkdwn', text: 'x' },
      accessory: createImageBlock(slackFile),
    };
    expect((await catchRefusal(sendBlocks([section]))).messages).toEqual([
      `[ERROR] ${message} [json-pointer:/blocks/0/accessory/slack_file${pointer}]`,
    ]);
  });

  it('an image block is refused if its file is not an image or was deleted', async () => {
    const note = await upload('note.txt');
    const picture = await upload('roast.gif');
    workspace.clock.advance(PROCESSING_MS);
    await expectError(sendBlocks([createImageBlock({ id: note.id })]), 'invalid_blocks');
    await client.files.delete({ file: picture.id });
    await expectError(sendBlocks([createImageBlock({ id: picture.id })]), 'invalid_blocks');
  });

  it('an image block in a message does not share its file, and the message keeps its metadata', async () => {
    const { id } = await upload('week.png');
    workspace.clock.advance(PROCESSING_MS);
    const metadata = { event_type: 'digest_posted', event_payload: { occurrence: '2026-11-20' } };
    const blocks = [createImageBlock({ id })];
    await client.apiCall('chat.postMessage', { channel: HARBOUR, text: 'The week', blocks, metadata });
    const history = { channel: HARBOUR, limit: 1, include_all_metadata: true };
    const { messages } = await client.conversations.history(history);
    expect(messages?.[0]).toMatchObject({ metadata, blocks: [{ type: 'image', slack_file: { id } }] });
    expect(messages?.[0]).not.toHaveProperty('files');
    expect((await client.files.info({ file: id })).file).toMatchObject({ channels: [], is_public: false });
  });

  it('Home and modals have the same rules for image blocks', async () => {
    const publish = (id: string) =>
      client.apiCall('views.publish', {
        user_id: 'U01ANAFERR',
        view: { type: 'home', blocks: [createImageBlock({ id })] },
      });
    expect(await catchRefusal(publish('F0NOTHERE1'))).toEqual({
      error: 'invalid_arguments',
      messages: ['[ERROR] invalid slack file [json-pointer:/view/blocks/0/slack_file]'],
    });
    const file = await upload('roast.jpg');
    workspace.clock.advance(PROCESSING_MS);
    await publish(file.id);
  });
});

test('an app reads no files of conversations without it, until it is invited', async () => {
  const { workspace, client } = await openWorkspace({ fileProcessingMs: 0 });
  const { admin } = workspace;
  const headers = { authorization: `Bearer ${workspace.botToken}` };
  const dropInto = async (channel: string) => {
    const ana = workspace.as('Ana').in(channel);
    await ana.drop([{ name: 'roast.png', bytes: SMALL_PNG }]);
    return ana.visible().at(-1)?.files?.[0] ?? '';
  };
  admin.addChannel('#owners', { private: true, members: ['Ana'] });
  const open = await dropInto('#harbour-coffee');
  await expectError(client.files.info({ file: await dropInto('#random') }), 'file_not_found');
  const hidden = await dropInto('#owners');
  const { file } = await client.files.info({ file: open });
  const address = (file?.url_private ?? '').replaceAll(open, hidden);
  const showHidden = () =>
    client.apiCall('chat.postMessage', {
      channel: HARBOUR,
      text: 'x',
      blocks: [createImageBlock({ id: hidden })],
    });
  await expectError(client.files.info({ file: hidden }), 'file_not_found');
  expect((await fetch(address, { headers, redirect: 'manual' })).status).toBe(302);
  await expectError(showHidden(), 'invalid_blocks');
  admin.invite('#owners', 'tester');
  expect((await client.files.info({ file: hidden })).file?.id).toBe(hidden);
  expect((await fetch(address, { headers, redirect: 'manual' })).status).toBe(200);
  await showHidden();
});
