import type { KnownBlock, ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall } from '../app/call.ts';
import { fallbackText } from '../slack/spoken-text.ts';
import type { SubmissionKind } from './kind.ts';
import { type Unsaved, unsavedView } from './said/not-saved.ts';
import type { Received } from './save.ts';
import { sendAndAnswer } from './send-and-answer.ts';
import type { Reason } from './submission.ts';

/** What was submitted with one form. */
interface SentForm<Content> {
  /** The form's id; a form that edits a submission has that submission's id. */
  formId: string;
  channel?: string;
  /** One for each moment, each with its own fate. */
  contents: readonly Content[];
  form: {
    /** Errors by block id, where every one has its field in the form as it stands; undefined where one has none. */
    inline(reason: Reason): Record<string, string> | undefined;
    /** The form with every word that was typed, what happened on top, and warnings under its fields. */
    again(why: Reason | Unsaved, how: 'as it stands' | 'rebuilt'): ModalView;
  };
}

/** A form was submitted: saved, sent, and answered within the acknowledgement or after it. */
export async function answerForm<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  sent: SentForm<Content>,
): Promise<void> {
  const { form, contents } = sent;
  await demandRoles(call, kind, contents);
  const received = receivedFrom(call, { origin: sent.formId, channel: sent.channel, contents }, call.view.id);
  await sendAndAnswer(call, kind, received, {
    early: (answer) => call.answer(answer),
    late: (view) => call.client.views.update({ view_id: call.view.id, view }).then(() => undefined),
    inline: form.inline,
    again: form.again,
  });
}

/** A button sends something: answered in the view or message that holds it. */
export async function answerPress<Content>(
  call: ActionCall,
  kind: SubmissionKind<Content>,
  sent: { origin: string; channel?: string; contents: readonly Content[] },
): Promise<void> {
  const show = async (view: ModalView) => {
    if (call.view) await call.client.views.update({ view_id: call.view.id, view });
    else {
      const blocks = view.blocks.filter(isKnown);
      await call.reply({ text: fallbackText(blocks), blocks }, { replace: true });
    }
  };
  await demandRoles(call, kind, sent.contents);
  const texts = sent.contents.map((content) => kind.words.text(content));
  await sendAndAnswer(call, kind, receivedFrom(call, sent, call.view?.id), {
    early: async (said) => {
      if ('view' in said) await show(said.view);
      return true;
    },
    late: show,
    inline: () => undefined,
    again: (why) => (typeof why === 'string' ? unsavedView(why, texts) : undefined),
  });
}

/** What it needs lies in what it says: for which project, and whether it goes out by itself. */
async function demandRoles<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  contents: readonly Content[],
): Promise<void> {
  for (const content of contents) {
    await call.permit(kind.role(content), kind.project(content)?.id, `send ${kind.name}`);
  }
}

function receivedFrom<Content>(
  call: SubmissionCall | ActionCall,
  sent: { origin: string; channel?: string | undefined; contents: readonly Content[] },
  viewId: string | undefined,
): Received<Content>[] {
  return sent.contents.map((content, item) => ({
    workspace: call.who.workspace,
    asker: call.who.user,
    origin: sent.origin,
    item,
    ...(sent.channel !== undefined && { channel: sent.channel }),
    ...(viewId !== undefined && { viewId }),
    content,
  }));
}

function isKnown(block: ModalView['blocks'][number]): block is KnownBlock {
  return ['section', 'context', 'actions'].includes(block.type);
}
