import { setTimeout as delay } from 'node:timers/promises';
import type { Deed } from '../../access/access.ts';
import {
  createKeyWithPrecondition,
  type Digest,
  isPausedByUpnext,
  isPersonal,
} from '../../digests/digest.ts';
import type { ComposedMessage } from '../../digests/digest-context.ts';
import {
  CONFIRM_SENT,
  RESUME,
  renderDigestName,
  renderPauseReason,
  renderTimeForReaders,
  SEND_AGAIN,
} from '../../digests/messages/notices.ts';
import type { OccurrenceRow } from '../../digests/occurrence.ts';
import {
  buildPictureBlock,
  PICTURE_WAITS_MS,
  type Picture,
  sendMessage,
  uploadPicture,
} from '../../digests/send-message.ts';
import { listDigestProjects } from '../../digests/sql/digests.ts';
import { MINUTE_MS } from '../../durations.ts';
import { getAudience, readConversation } from '../../forms/conversation.ts';
import type { ActionCall, Handler } from '../../handlers/call.ts';
import { findGuestFault } from '../../handlers/guests.ts';
import { confirmSharingWithOutsiders, getSharedId } from '../../handlers/share-outside.ts';
import { isInternal } from '../../slack/audience.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { APP_NAME } from '../../slack/name.ts';
import { buildPermissionUnknownMessage } from '../../slack/not-allowed.ts';
import { renderServiceFailure } from '../../slack/service-failure.ts';
import { getSlackErrorCode } from '../../slack/slack-errors.ts';
import { findVisibleDigest, loadViewer } from './digest-form-context.ts';
import {
  buildButtonId,
  CANCEL_ACTION,
  createDigestListMessage,
  DIGEST_BUTTONS,
  DIGEST_GONE,
  type DigestButton,
  decodeMenuItem,
  renderQuestion,
} from './digest-messages.ts';
import {
  recordDigestChange,
  requireManagePermission,
  requireRole,
  requireSavePermission,
} from './permit-digest.ts';

/** Action id of [Resume anyway], with which an owner allows the named outsiders to read the digest. */
const RESUME_SHARED_ACTION = 'digests.resume-shared';

const QUESTION = {
  question: 'Its people would read this digest. Resume it anyway?',
  unchangedNote: 'It’s still paused.',
  confirmLabel: 'Resume anyway',
  closeLabel: 'Don’t resume',
};

/**
 * Resumes a digest. Resolves with why not (mrkdwn), or with undefined if an owner must first confirm that outsiders may
 * read it. Throws NotAllowed if outsiders read the channel and the actor isn't an owner.
 */
async function resume(
  call: ActionCall,
  digest: Digest,
): Promise<{ resumed: Digest } | { refusal: string } | undefined> {
  let sharedWith: Digest['sharedWith'] = null;
  if (!isPersonal(digest)) {
    const conversation = await readConversation(call, digest.channel);
    if (conversation.state === 'not-in') {
      const invitation = `type \`/invite @${APP_NAME}\` there, then resume it again`;
      return { refusal: `Not resumed. I’m not in its channel: ${invitation}.` };
    }
    if (conversation.state === 'archived') return { refusal: 'Not resumed. Its channel is archived.' };
    const projects = await listDigestProjects(call.context.db, digest);
    const guestFault = await findGuestFault(call, digest.channel, projects);
    if (guestFault !== undefined) return { refusal: `Not resumed. ${guestFault}.` };
    const audience = getAudience(conversation);
    if (!isInternal(audience)) {
      await requireSavePermission(call, digest, conversation);
      const question = { ...QUESTION, audience, id: digest.id, confirmAction: RESUME_SHARED_ACTION };
      if (!(await confirmSharingWithOutsiders(call, question))) return undefined;
      sharedWith = conversation.audience?.outsiders ?? null;
    }
  }
  const resumed = await call.context.digests.resume(createKeyWithPrecondition(digest), sharedWith);
  if (!resumed) return { refusal: 'Not resumed. Somebody just changed or deleted this digest.' };
  recordDigestChange(call, digest, AUDIT_ACTIONS.resume);
  return { resumed };
}

/** Creates the handlers of the buttons in the list. `openForm` opens the form for the digest with this id. */
export function createListHandlers(openForm: OpenForm): Record<string, Handler<ActionCall>> {
  const createHandler = (button: DigestButton, isPersonalDigest: boolean): Handler<ActionCall> => ({
    deed: BUTTON_DEEDS[button],
    // Managers change the digests of a channel, and everybody their own.
    role: isPersonalDigest || button === 'preview' ? 'viewer' : 'manager',
    run: (call) => onListButton(call, button, isPersonalDigest, openForm),
  });
  const handlers = DIGEST_BUTTONS.flatMap((button) =>
    [true, false].map((isPersonalDigest) => [
      buildButtonId(button, isPersonalDigest),
      createHandler(button, isPersonalDigest),
    ]),
  );
  return {
    ...Object.fromEntries(handlers),
    [CANCEL_ACTION]: { deed: 'open the list of digests', run: (call) => replaceWithList(call) },
  };
}

const BUTTON_DEEDS: Readonly<Record<DigestButton, Deed>> = {
  edit: 'open the digest form',
  more: 'use the menu of a digest',
  preview: 'preview a digest',
  send: 'send a digest at once',
  delete: 'delete a digest',
};

type OpenForm = (call: ActionCall, id: string) => Promise<void>;

async function onListButton(
  call: ActionCall,
  button: DigestButton,
  isPersonalDigest: boolean,
  openForm: OpenForm,
): Promise<void> {
  const value = call.action.selectedValue ?? call.action.value ?? '';
  const { item, id } = button === 'more' ? decodeMenuItem(value) : { item: button, id: value };
  const digest = await findVisibleDigest(call, id);
  // The role was checked for this action id, so the action id must belong to this kind of digest.
  if (!digest || !item || isPersonal(digest) !== isPersonalDigest)
    return call.reply(DIGEST_GONE, { replace: true });
  if (item !== 'preview') await requireManagePermission(call, digest, AUDIT_ACTIONS[item]);
  if (item === 'edit') return openForm(call, digest.id);
  await call.acknowledge();
  switch (item) {
    case 'preview':
      return showPreview(call, digest);
    case 'ask-send':
    case 'ask-delete': {
      const question = renderQuestion(QUESTIONS[item], digest, await loadViewer(call));
      return call.reply(question, { replace: true });
    }
    default: {
      const result = await applyChange(call, item, digest);
      if (result !== undefined) await replaceWithList(call, result);
    }
  }
}

const AUDIT_ACTIONS = {
  edit: 'digests change',
  send: 'digests send',
  'ask-send': 'digests send',
  pause: 'digests pause',
  resume: 'digests unpause',
  delete: 'digests delete',
  'ask-delete': 'digests delete',
} as const;

const QUESTIONS = { 'ask-send': 'send', 'ask-delete': 'delete' } as const;

async function replaceWithList(call: ActionCall, result?: string): Promise<void> {
  await call.reply(await createDigestListMessage(call, result), { replace: true });
}

const CONFLICT_TEXT = 'Nothing changed. Somebody just changed or deleted this digest.';

/** Changes or sends the digest. Resolves with the result (mrkdwn), or undefined if the actor got a question instead. */
async function applyChange(
  call: ActionCall,
  change: 'pause' | 'resume' | 'send' | 'delete',
  digest: Digest,
): Promise<string | undefined> {
  const digests = call.context.digests;
  const key = createKeyWithPrecondition(digest);
  const recordDone = (result: string) => {
    recordDigestChange(call, digest, AUDIT_ACTIONS[change]);
    return result;
  };
  const refuse = (reason: string) => {
    call.recordOutcome?.('unchanged');
    return reason;
  };
  switch (change) {
    case 'pause':
      return (await digests.pause(key)) ? recordDone('Paused.') : refuse(CONFLICT_TEXT);
    case 'resume': {
      const result = await resume(call, digest);
      return result && ('resumed' in result ? 'Resumed.' : result.refusal);
    }
    case 'delete':
      return (await digests.remove(key)) ? recordDone('Deleted.') : refuse(CONFLICT_TEXT);
    case 'send': {
      // Its message would not arrive either, and nobody would be told.
      if (isPausedByUpnext(digest))
        return refuse(`Not sent: ${renderPauseReason(digest)}. Edit or resume it before you send it.`);
      call.countCostlyAction();
      // A second click is another request, so only one in a minute counts.
      const outcome = await digests.sendNow(key, String(Math.floor(call.now().getTime() / MINUTE_MS)));
      return outcome === 'gone' ? refuse(CONFLICT_TEXT) : recordDone('On its way.');
    }
  }
}

/** Handlers of the notifications' buttons. For a channel's digest, the actor must manage its current projects. */
export const noticeHandlers = {
  [CONFIRM_SENT]: checkPermissionFirst('confirm that a digest arrived', decideOccurrence),
  [SEND_AGAIN]: checkPermissionFirst('send a digest again', decideOccurrence),
  [RESUME]: checkPermissionFirst('resume a digest', onResume),
  [RESUME_SHARED_ACTION]: {
    ...checkPermissionFirst('resume a digest that outsiders can read', onResume),
    role: 'owner' as const,
  },
};

/**
 * Creates a handler that finds the digest of a notification, and the occurrence if it is about one, and checks the
 * actor's permission before `handle` runs.
 */
function checkPermissionFirst(
  deed: Deed,
  handle: (call: ActionCall, digest: Digest, occurrence: OccurrenceRow | undefined) => Promise<void>,
): Handler<ActionCall> {
  const run = async (call: ActionCall): Promise<void> => {
    // The button's value is the id of an occurrence or a digest.
    const key = { workspace: call.actor.workspace, id: getSharedId(call) ?? '' };
    const occurrence = await call.context.digests.findOccurrence(key);
    const digest = await findVisibleDigest(call, occurrence?.digest ?? key.id);
    if (!digest) return call.reply(DIGEST_GONE);
    await requireManagePermission(call, digest, 'digests notice');
    await handle(call, digest, occurrence);
  };
  return { deed, run };
}

/** Handles [Resume] and [Resume anyway] in a notification. */
async function onResume(call: ActionCall, digest: Digest): Promise<void> {
  const result = await resume(call, digest);
  if (!result) return;
  if ('refusal' in result) {
    call.recordOutcome?.('unchanged');
    // The question stays, so that its button can be pressed again.
    return call.reply({ text: result.refusal });
  }
  const { resumed } = result;
  const now = call.now();
  const nextMoment = resumed.nextSlot && renderTimeForReaders(resumed.nextSlot.instant, resumed.zone, now);
  const next = nextMoment === undefined ? '' : ` Next: ${nextMoment}.`;
  return replyToNotice(call, { text: `Resumed: ${renderDigestName(resumed)}.${next}` });
}

/** Maximum replies of a preview. A response_url accepts five responses, so one is left for an error message. */
const MAX_REPLIES = 4;

/** Shows the actor the digest as Upnext would send it now. A preview with a picture is sent as a direct message. */
async function showPreview(call: ActionCall, digest: Digest): Promise<void> {
  await requireRole(call, 'viewer', digest, 'digests preview');
  call.countCostlyAction();
  const preview = await call.context.digests.preview(digest);
  switch (preview.kind) {
    case 'silent':
      return call.reply({ text: 'Nothing is scheduled, so nothing would be sent.' });
    case 'gone':
      return call.reply({
        text: 'A project of this digest isn’t at the scheduling service any more. Change the digest.',
      });
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
  const blocks = [
    context('Only you see this preview.'),
    ...(message.blocks ?? [section(message.text)]),
    ...(pictureText === undefined ? [] : [context(plain(pictureText))]),
  ];
  await call.reply({ text: `Preview: ${message.text}`, blocks });
  for (const reply of thread.slice(0, MAX_REPLIES - 1)) await call.reply(reply);
}

/** Sends a preview with a picture as a direct message. `not-allowed`: the workspace has declined `files:write`. */
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

const OUTCOME_TEXTS = {
  confirmed: 'got it, it’s there.',
  found: 'I found it after all, so I won’t send it again.',
  queued: 'sending it again now.',
} as const;

/** Handles [It’s there] and [Send again] in a notice. */
async function decideOccurrence(
  call: ActionCall,
  digest: Digest,
  row: OccurrenceRow | undefined,
): Promise<void> {
  if (!row) return call.reply(DIGEST_GONE);
  const answer = call.action.id === SEND_AGAIN ? 'send again' : 'sent';
  const outcome = await call.context.digests.settleUncertain(row, answer);
  if (outcome === 'queued') recordDigestChange(call, digest, AUDIT_ACTIONS.send);
  else if (outcome === 'confirmed') recordDigestChange(call, digest, 'digests confirm');
  else call.recordOutcome?.('unchanged');
  const now = call.now();
  const moment = renderTimeForReaders(row.due_at, digest.zone, now);
  const text = `The digest of ${moment} (${renderDigestName(digest)}): ${outcome ? OUTCOME_TEXTS[outcome] : 'that’s already settled.'}`;
  return replyToNotice(call, { text });
}

/** Replaces a notice about one occurrence. A notice about pauses may list several digests, so it isn't replaced. */
async function replyToNotice(call: ActionCall, message: Message): Promise<void> {
  await call.reply(message, { replace: call.action.id !== RESUME });
}
