import { setTimeout as delay } from 'node:timers/promises';
import type { ActionCall } from '../../app/call.ts';
import type { ComposedMessage, Picture } from '../../digests/composer.ts';
import type { Digest } from '../../digests/digest.ts';
import { buildPictureBlock, sendMessage } from '../../digests/send-message.ts';
import { PICTURE_WAITS_MS, uploadPicture } from '../../digests/upload-picture.ts';
import { context } from '../../slack/blocks.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { renderPreview } from './digest-messages.ts';
import { requirePreviewPermission } from './permit-digest.ts';

/** Maximum replies of a preview. A response_url accepts five responses, so one is left for an error message. */
const MAX_REPLIES = 4;

/** Shows the actor the digest as Upnext would send it now. A preview with a picture is sent as a direct message. */
export async function showPreview(call: ActionCall, digest: Digest): Promise<void> {
  await requirePreviewPermission(call, digest);
  call.countCostlyAction();
  const preview = await call.context.digests.preview(digest);
  switch (preview.kind) {
    case 'silent':
      return call.reply({ text: 'Nothing is scheduled, so nothing would be sent.' });
    case 'gone':
      return call.reply({ text: 'A project of this digest no longer exists. Change the digest.' });
    case 'not-checked':
      return call.reply(buildPermissionUnknownMessage(call.reference));
    case 'failed':
      return call.reply({ text: `${renderServiceFailure(preview.outcome)} There is no preview.` });
    case 'message':
      return showMessagePreview(call, preview);
  }
}

async function showMessagePreview(call: ActionCall, message: ComposedMessage): Promise<void> {
  const { picture, thread = [] } = message;
  const pictureResult = picture && (await sendPicturePreview(call, message, picture));
  if (pictureResult === 'sent')
    return call.reply({ text: 'The preview is in your direct messages with me.' });
  const pictureText =
    pictureResult === 'not-allowed'
      ? 'Without the picture of the week: I’m not allowed to add files in this workspace.'
      : picture && `With a picture: ${picture.alt}`;
  await call.reply({ text: `Preview: ${message.text}`, blocks: renderPreview(message, pictureText) });
  for (const reply of thread.slice(0, MAX_REPLIES - 1)) await call.reply(reply);
}

/**
 * Sends a preview with a picture as a direct message. `not-shown`: Slack can't show the picture. `not-allowed`: the
 * workspace declined the scope `files:write`.
 */
async function sendPicturePreview(
  { client, actor, log, reference }: ActionCall,
  { text, blocks = [], thread = [] }: ComposedMessage,
  picture: Picture,
): Promise<'sent' | 'not-shown' | 'not-allowed'> {
  try {
    const file = await uploadPicture(client, picture);
    const previewBlocks = [
      context('Only you see this preview.'),
      ...blocks,
      buildPictureBlock(file, picture),
    ];
    for (const waitMs of PICTURE_WAITS_MS) {
      await delay(waitMs);
      const result = await sendMessage(client, {
        channel: actor.user,
        message: { text, blocks: previewBlocks },
      });
      if (result.kind === 'refused') continue;
      if (result.kind !== 'sent') return 'not-shown';
      const { conversation = actor.user, ts } = result;
      if (ts === undefined) return 'sent';
      for (const message of thread) await sendMessage(client, { channel: conversation, message, thread: ts });
      return 'sent';
    }
  } catch (error) {
    if (getSlackErrorCode(error) === 'missing_scope') return 'not-allowed';
    log.warn({ reference, err: error }, 'could not send the picture of a digest preview');
  }
  return 'not-shown';
}
