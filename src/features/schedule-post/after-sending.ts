import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { ActionCall } from '../../slack/feature.ts';
import { inert, type Message } from '../../slack/message.ts';
import { isViewGone, postingTrouble } from '../../slack/slack-trouble.ts';
import { markShared, ownSubmission } from '../../store/submissions.ts';
import { checkSubmission, newestRevision } from '../../submissions/check.ts';
import type { Parts } from '../../submissions/parts.ts';
import { openSubmission, type Submission } from '../../submissions/submission.ts';
import type { PostContent } from './form/form-facts.ts';
import { openForm } from './open-form.ts';
import { postSubmission } from './sent/post-submission.ts';
import {
  absentWords,
  confirmedMessage,
  confirmedView,
  notSeenWords,
  sharedCard,
  unknownMessage,
  unknownView,
} from './sent/sent-views.ts';

type Press = ActionCall<Parts>;

/** What a button of another person, workspace or time says. */
const NOT_YOURS: Message = {
  text: 'This button belongs to somebody else, or to something that is no longer kept.',
};

/** [Check]: looks once, and never sends. */
export async function checkPost(call: Press): Promise<void> {
  const wanted = { id: call.action.value ?? '', workspace: call.who.workspace, asker: call.who.user };
  const looking = checkSubmission(call.parts, postSubmission, wanted, call.now);
  const isQuick = await Promise.race([looking, delay(call.parts.pace.answerMs, undefined, { ref: false })]);
  if (!isQuick) await showLooking(call);
  const looked = await looking;
  if (looked.kind === 'not-yours') return call.reply(NOT_YOURS);
  const seen = { now: call.now(), practice: call.parts.practice };
  const { submission } = looked;
  if (looked.kind === 'found') {
    return show(call, confirmedView(submission, seen), confirmedMessage(submission, seen));
  }
  const { content } = submission;
  const said =
    looked.kind === 'absent' ? absentWords(content, seen) : notSeenWords(looked.outcome, content, seen);
  return show(call, unknownView(submission, seen, said), unknownMessage(submission, seen, said));
}

/** A look that takes long says that it goes on. */
async function showLooking(call: Press): Promise<void> {
  const post = await ownPost(call);
  if (!post) return;
  const seen = { now: call.now(), practice: call.parts.practice };
  const said = 'Looking… the service has not answered yet.';
  await show(call, unknownView(post, seen, said), unknownMessage(post, seen, said));
}

/** [Share with channel]: a card in the channel that the form was opened from, once. */
export async function sharePost(call: Press): Promise<void> {
  const post = await ownPost(call);
  if (!post?.channel) return call.reply(NOT_YOURS);
  const { parts, client } = call;
  const seen = { now: call.now(), practice: parts.practice };
  const isFirst = await markShared(parts.db, { id: post.id, at: seen.now });
  if (!isFirst) {
    const once = `I have sent it to <#${post.channel}> once already, so I do not send it again.`;
    const sent = { ...post, shared: true };
    return show(call, confirmedView(sent, seen, once), confirmedMessage(sent, seen));
  }
  try {
    await client.chat.postMessage({ channel: post.channel, ...inert(sharedCard(post, seen)) });
  } catch (error) {
    const trouble = postingTrouble(error);
    // Slack may have posted what it did not confirm: then it stays marked, better once than twice.
    if (trouble === undefined) throw error;
    await markShared(parts.db, { id: post.id, at: null });
    return show(call, confirmedView(post, seen, `:warning: Not shared. ${trouble}`), { text: trouble });
  }
  const shared = { ...post, shared: true };
  const said = `Shared with <#${post.channel}>.`;
  return show(call, confirmedView(shared, seen, said), confirmedMessage(shared, seen));
}

/** [Schedule another]: an empty form in the same place. */
export async function scheduleAnother(call: Press): Promise<void> {
  const post = await ownPost(call);
  if (!post) return call.reply(NOT_YOURS);
  const { project } = post.content;
  const begin = {
    ...(post.channel !== undefined && { channel: post.channel }),
    prefill: { project },
  };
  await openForm(call, begin, call.view ? { viewId: call.view.id } : {});
}

/** [Fix and send again]: the form with every word of what was not sent, unless it has been sent meanwhile. */
export async function fixPost(call: Press): Promise<void> {
  const { parts } = call;
  const wanted = { id: call.action.value ?? '', workspace: call.who.workspace, asker: call.who.user };
  const newest = await newestRevision(parts, postSubmission, wanted);
  if (!newest) return call.reply(NOT_YOURS);
  const seen = { now: call.now(), practice: parts.practice };
  const { submission: post, formId, state } = newest;
  if (state === 'confirmed') return show(call, confirmedView(post, seen), confirmedMessage(post, seen));
  if (state === 'unknown') return show(call, unknownView(post, seen), unknownMessage(post, seen));
  const prefill = { ...post.content.typed, project: post.content.project };
  const begin = { ...(post.channel !== undefined && { channel: post.channel }), prefill };
  await openForm(call, begin, { formId });
}

async function ownPost(call: Press): Promise<Submission<PostContent> | undefined> {
  const { workspace, user: asker } = call.who;
  const wanted = { id: call.action.value ?? '', workspace, asker, kind: postSubmission.name };
  const row = await ownSubmission(call.parts.db, wanted);
  return row && openSubmission(call.parts, postSubmission, row);
}

/** In the place of the view or the direct message that holds the button. */
async function show(call: Press, view: ModalView, message: Message): Promise<void> {
  if (call.view) {
    try {
      await call.client.views.update({ view_id: call.view.id, view });
    } catch (error) {
      if (!isViewGone(error)) throw error;
      await call.reply(message);
    }
  } else if (call.message) {
    await call.client.chat.update({
      channel: call.message.channel,
      ts: call.message.ts,
      ...messageUpdate(message),
    });
  }
}

function messageUpdate({ text, blocks }: Message): Message {
  return { text, ...(blocks && { blocks }) };
}
