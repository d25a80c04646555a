import { SMALL_PNG } from 'slack-workspace-emulator/test-support/small-png';
import { startTestWorkspace, TEST_MANIFEST } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, describe, expect, test } from 'vitest';
import type { Composer } from '../../src/digests/digest-context.ts';
import { DIGEST_PACE } from '../../src/digests/pace.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';
import { createRealTimeDigests, settings } from '../support/start-digests.ts';

const database = await setUpBotDatabase();

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

const composeWithPicture: Composer = async (digest, { date }) => ({
  kind: 'message',
  text: `digest ${digest.id} for ${date}`,
  blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'The week' } }],
  picture: { png: SMALL_PNG, alt: 'Two posts on Monday', name: 'week.png' },
});

/** Starts an emulated Slack, and digests on the real clock. */
async function startWithEmulatedSlack(options: {
  compose?: Composer;
  limits?: boolean;
  fileProcessingMs?: number;
  pictureWaitsMs?: number[];
  manifest?: object;
  declinedScopes?: readonly string[];
}) {
  for (const table of ['digest', 'digest_occurrence'] as const) await database.db.deleteFrom(table).execute();
  const { compose, pictureWaitsMs = [50, 100, 200, 400, 800, 1_600], ...workspaceOptions } = options;
  const { workspace, client } = await startTestWorkspace(workspaceOptions);
  const channelId = workspace.admin.addChannel('#plans', { members: ['tester', 'Ana'] });
  const { digests, errors } = createRealTimeDigests({
    db: database.db,
    now: () => new Date(),
    findSlackClient: () => client,
    ...(compose && { compose }),
    pace: { scanIntervalMs: 50, pictureWaitsMs, reconcileWaitsMs: [50, 100, 200] },
  });
  close = async () => {
    await digests.stop();
    await workspace.close();
  };
  const listMessages = async () => {
    const history = await client.conversations.history({ channel: channelId, include_all_metadata: true });
    return (history.messages ?? []).toReversed();
  };
  return {
    ...{ workspace, client, digests, errors, channelId, listMessages },
    listStates: async () =>
      (await database.db.selectFrom('digest_occurrence').select('state').execute()).map(({ state }) => state),
  };
}

type RunningDigests = Awaited<ReturnType<typeof startWithEmulatedSlack>>;

/** Loses the response to the first message. */
const loseFirstResponse = ({ workspace }: RunningDigests) =>
  workspace.faults.set({
    webApi: [{ method: 'chat.postMessage', fault: 'cut', commit: 'first', times: 1 }],
  });

/** Asks for a digest in the channel. */
async function requestDigest({ digests, channelId }: RunningDigests, owner = 'UANA', channel = channelId) {
  const digest = await digests.save(settings({ channel }), owner);
  await digests.sendNow({ workspace: 'T1', id: digest?.id ?? '' }, 'press');
}

/** Starts to send a digest to the channel. */
async function startSending(running: RunningDigests, owner?: string, channel?: string): Promise<void> {
  await requestDigest(running, owner, channel);
  running.digests.start();
}

async function sendDigest(running: RunningDigests): Promise<void> {
  await startSending(running);
  await expect.poll(running.listStates).toEqual(['sent']);
}

/** The options of a workspace that declined `scopes` when it installed the app. */
function buildDeclinedOptions(scopes: readonly string[]) {
  const { bot } = TEST_MANIFEST.oauth_config.scopes;
  const manifest = { ...TEST_MANIFEST, oauth_config: { scopes: { bot, bot_optional: scopes } } };
  return { manifest, declinedScopes: scopes };
}

describe('a picture', () => {
  test('a message whose picture Slack processes quickly is sent once, and Slack refuses nothing', async () => {
    const running = await startWithEmulatedSlack({
      ...{ compose: composeWithPicture, fileProcessingMs: 250 },
      pictureWaitsMs: DIGEST_PACE.pictureWaitsMs,
    });
    await sendDigest(running);
    const [message] = await running.listMessages();
    expect(message?.blocks?.map(({ type }) => type)).toEqual(['section', 'image']);
    const { calls } = running.workspace.faults.counts();
    expect(calls['files.completeUploadExternal']).toBe(1);
    expect(calls['chat.postMessage']).toBe(1);
  });

  test('a picture is uploaded once and shown when Slack has processed it, in a message that keeps its metadata', async () => {
    const running = await startWithEmulatedSlack({ compose: composeWithPicture, fileProcessingMs: 600 });
    await sendDigest(running);
    const [message] = await running.listMessages();
    expect(message?.blocks?.map(({ type }) => type)).toEqual(['section', 'image']);
    expect(message?.metadata).toMatchObject({ event_type: 'digest_sent' });
    const { calls } = running.workspace.faults.counts();
    expect(calls['files.completeUploadExternal']).toBe(1);
    expect(calls['chat.postMessage']).toBeGreaterThan(1);
  });

  test('a picture is uploaded without being shared', async () => {
    const uploads: Sent[] = [];
    const watcher = watchSent({
      onSent: (sent) => void (sent.to === 'files.completeUploadExternal' && uploads.push(sent)),
    });
    const running = await startWithEmulatedSlack({ compose: composeWithPicture });
    await sendDigest(running);
    watcher.stop();
    expect(uploads.map(({ payload }) => Object.keys(payload))).toEqual([['files']]);
  });

  test('a picture with a description that is too long for a file is shown with the whole description', async () => {
    const alt = 'Two posts. '.repeat(150).trim();
    const compose: Composer = async () => ({
      ...{ kind: 'message', text: 'The week', blocks: [] },
      picture: { png: SMALL_PNG, alt, name: 'week.png' },
    });
    const running = await startWithEmulatedSlack({ compose });
    await sendDigest(running);
    const [message] = await running.listMessages();
    expect(message?.blocks).toMatchObject([{ type: 'image', alt_text: alt }]);
  });

  test('a picture that Slack never finishes processing is omitted', async () => {
    const running = await startWithEmulatedSlack({ compose: composeWithPicture, fileProcessingMs: 600_000 });
    await sendDigest(running);
    const [message] = await running.listMessages();
    expect(message?.blocks?.map(({ type }) => type)).toEqual(['section']);
    expect(running.errors).toEqual([]);
  });
});

test('in a workspace that declined files:write, the message is sent at once without its picture', async () => {
  const running = await startWithEmulatedSlack({
    compose: composeWithPicture,
    ...buildDeclinedOptions(['files:write']),
  });
  await sendDigest(running);
  const [message] = await running.listMessages();
  expect(message?.blocks?.map(({ type }) => type)).toEqual(['section']);
  expect(running.workspace.faults.counts().calls['files.getUploadURLExternal']).toBe(1);
});

test('in a workspace that declined channels:history, the owner is asked about a message whose response is lost', async () => {
  const running = await startWithEmulatedSlack(buildDeclinedOptions(['channels:history']));
  loseFirstResponse(running);
  const ana = running.workspace.as('Ana');
  await startSending(running, 'U01ANAFERR');
  await (await ana.inDirectMessage()).sees('and I can’t look for it there. Is it there?');
  expect(await running.listStates()).toEqual(['uncertain']);
});

test('a message whose response is lost is found by its metadata, and its follow-ups are sent to its thread', async () => {
  const compose: Composer = async () => ({
    kind: 'message',
    text: 'the digest',
    thread: [{ text: 'a detail' }],
  });
  const running = await startWithEmulatedSlack({ compose });
  loseFirstResponse(running);
  await startSending(running);
  const listReplies = async () => {
    const [digestMessage] = await running.listMessages();
    if (digestMessage?.ts === undefined) return [];
    const thread = await running.client.conversations.replies({
      channel: running.channelId,
      ts: digestMessage.ts,
    });
    return (thread.messages ?? []).map(({ text }) => text);
  };
  await expect.poll(listReplies).toEqual(['the digest', 'a detail']);
  expect(await running.listMessages()).toHaveLength(1);
});

test('a channel gets one message a second, however many digests are due', async () => {
  const running = await startWithEmulatedSlack({ limits: true });
  for (let number = 0; number < 4; number += 1) await requestDigest(running);
  running.digests.start();
  await expect.poll(running.listStates).toEqual(['sent', 'sent', 'sent', 'sent']);
  const times = (await running.listMessages()).map(({ ts }) => Number(ts));
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.99);
  expect(running.workspace.faults.counts().calls['chat.postMessage']).toBe(4);
});

test('a personal digest whose response is lost is found in the direct message', async () => {
  const running = await startWithEmulatedSlack({});
  loseFirstResponse(running);
  const person = running.workspace.admin.addPerson({ name: 'Olga Berg' });
  await startSending(running, person, person);
  await expect.poll(running.listStates).toEqual(['sent']);
  const { channel } = await running.client.conversations.open({ users: person });
  const history = await running.client.conversations.history({ channel: channel?.id ?? '' });
  expect(history.messages).toHaveLength(1);
});
