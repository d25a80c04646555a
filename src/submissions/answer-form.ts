import type { KnownBlock, ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall } from '../app/call.ts';
import { buildFallbackText } from '../slack/fallback-text.ts';
import type { SubmissionKind } from './kind.ts';
import { sendAndAnswer } from './send-and-answer.ts';
import type { ServiceRefusal } from './submission.ts';
import type { Received } from './submission-keys.ts';
import { type Unsaved, unsavedView } from './text/not-saved.ts';

/** The submissions of one form. */
interface SentForm<Content> {
  /** The form's id; for an edit, the id of the edited submission. */
  formId: string;
  channel?: string;
  /** One for each moment. Each becomes a submission of its own. */
  contents: readonly Content[];
  form: {
    /** Errors by block id; undefined if a problem belongs to no field of the form. */
    inline(refusal: ServiceRefusal): Record<string, string> | undefined;
    /** The form with everything that was typed, a banner that says what happened, and warnings under its fields. */
    again(reason: ServiceRefusal | Unsaved, how: 'as it stands' | 'rebuilt'): ModalView;
  };
}

/** Handles a submitted form: saves, sends, and answers within the acknowledgement or after it. */
export async function answerForm<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  sent: SentForm<Content>,
): Promise<void> {
  const { form, contents } = sent;
  await requireRoles(call, kind, contents);
  const received = toReceived(call, { origin: sent.formId, channel: sent.channel, contents }, call.view.id);
  await sendAndAnswer(call, kind, received, {
    early: (answer) => call.answer(answer),
    late: (view) => call.client.views.update({ view_id: call.view.id, view }).then(() => undefined),
    inline: form.inline,
    again: form.again,
  });
}

/** Handles a button that submits something. Answers in the view or message that has the button. */
export async function answerPress<Content>(
  call: ActionCall,
  kind: SubmissionKind<Content>,
  sent: { origin: string; channel?: string; contents: readonly Content[] },
): Promise<void> {
  const show = async (view: ModalView) => {
    if (call.view) await call.client.views.update({ view_id: call.view.id, view });
    else {
      const blocks = view.blocks.filter(isKnown);
      await call.reply({ text: buildFallbackText(blocks), blocks }, { replace: true });
    }
  };
  await requireRoles(call, kind, sent.contents);
  const texts = sent.contents.map((content) => kind.words.text(content));
  await sendAndAnswer(call, kind, toReceived(call, sent, call.view?.id), {
    early: async (said) => {
      if ('view' in said) await show(said.view);
      return true;
    },
    late: show,
    inline: () => undefined,
    again: (reason) => (typeof reason === 'string' ? unsavedView(reason, texts) : undefined),
  });
}

/** Checks the roles. They depend on the content: on its project, and on whether it is published automatically. */
async function requireRoles<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  contents: readonly Content[],
): Promise<void> {
  for (const content of contents) {
    await call.permit(kind.role(content), kind.project(content)?.id, `send ${kind.name}`);
  }
}

function toReceived<Content>(
  call: SubmissionCall | ActionCall,
  sent: { origin: string; channel?: string | undefined; contents: readonly Content[] },
  viewId: string | undefined,
): Received<Content>[] {
  return sent.contents.map((content, item) => ({
    workspace: call.actor.workspace,
    author: call.actor.user,
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
