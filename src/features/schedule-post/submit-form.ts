import type { ModalView } from '@slack/types';
import { plain, quoted, section } from '../../slack/blocks.ts';
import type { SubmissionCall } from '../../slack/feature.ts';
import { LIMITS } from '../../slack/limits.ts';
import { inert, type Message } from '../../slack/message.ts';
import { isViewGone } from '../../slack/slack-trouble.ts';
import { answerSubmission, type Surface } from '../../submissions/answer.ts';
import type { Parts } from '../../submissions/parts.ts';
import { checkForm, readWhen } from './form/check-form.ts';
import { blockId, FIELDS } from './form/fields.ts';
import { whenLine } from './form/when-words.ts';
import { formWords } from './sent/form-words.ts';
import { postSubmission } from './sent/post-submission.ts';
import { standingForm } from './standing-form.ts';

/** The form was submitted: checked here, then sent, each fault under its field. */
export async function submitForm(call: SubmissionCall<Parts>): Promise<void> {
  const read = await standingForm(call, call.view);
  if (read.kind === 'outdated') return void (await call.answer({ view: outdatedView(read.text) }));
  const { form } = read;
  const { parts, who } = call;
  const now = call.now();
  const checked = checkForm(form.typed, form.loaded, now);
  if (checked.kind === 'faulty') {
    const faults = FIELDS.map((field) => [blockId(field, form.generation), checked.errors[field]] as const);
    const errors = faults.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]]));
    return void (await call.answer({ errors: Object.fromEntries(errors) }));
  }
  const line = whenLine(readWhen(form.typed, form.loaded, now), now, form.loaded.readerZone);
  const { practice } = parts;
  await answerSubmission({
    parts,
    kind: postSubmission,
    received: {
      workspace: who.workspace,
      asker: who.user,
      origin: form.formId,
      item: 0,
      ...(form.channel !== undefined && { channel: form.channel }),
      content: checked.content,
    },
    receivedAt: call.receivedAt,
    now: call.now,
    surface: surfaceOf(call),
    words: formWords({ ...form, whenLine: line, practice, now }, { now, practice }),
  });
}

function surfaceOf(call: SubmissionCall<Parts>): Surface<ModalView, Message> {
  // Where Slack does not take one way of saying it, the next one is tried: who is told nothing sends it again.
  const lost = (way: string) => (error: unknown) => {
    if (!isViewGone(error))
      call.log.warn({ reference: call.reference, way, err: error }, 'not said this way');
    return false;
  };
  return {
    acknowledge: (answer) => call.answer(answer).catch(lost('acknowledgement')),
    show: (view) => call.client.views.update({ view_id: call.view.id, view }).then(() => true, lost('view')),
    tell: async (message) => {
      await call.client.chat.postMessage({ channel: call.who.user, ...inert(message) });
    },
  };
}

/** Nothing of a form that is not understood whole is sent; its text is shown, so that it can be copied. */
function outdatedView(text: string): ModalView {
  const kept = text.trim() === '' ? [] : [section('Your text, to copy:'), quoted(text)];
  return {
    type: 'modal',
    title: plain('Schedule a post', LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: [
      section('*This form is out of date, so nothing was sent.*\nType `/schedule-post` for a new one.'),
      ...kept,
    ],
  };
}
