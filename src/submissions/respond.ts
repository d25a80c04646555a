import type { ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall } from '../app/call.ts';
import { section } from '../slack/blocks.ts';
import { buildFallbackText, disableParsing, type Message } from '../slack/message.ts';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import type { MessageAddress } from '../slack/tell-once.ts';
import { within } from '../within.ts';
import type { ServiceRefusal } from './content.ts';
import type { ReceivedSubmission } from './fingerprint.ts';
import type { SubmissionKind } from './kind.ts';
import { sendAndRespond } from './send-and-respond.ts';
import type { SubmissionRow } from './submission.ts';
import { renderUnsavedView, type UnsavedReason } from './text/not-saved.ts';
import { createTextContext, type RenderedSubmission, renderSubmission } from './text/render-submission.ts';
import { renderFormMessage, toMessage } from './text/state-blocks.ts';

/** A submitted form. */
interface SubmittedForm<Content> {
  /** The form's id. For an edit, the id of the edited submission. */
  formId: string;
  channel?: string;
  /** The message that shows the post, if it can be updated. */
  message?: MessageAddress;
  /** The content for each publishing time. Each entry becomes a submission. */
  contents: readonly Content[];
  /** See `Responder`. */
  mayKeepEditable?: boolean;
  form: {
    /** Returns errors by block id. Undefined if a problem belongs to no field. */
    getFieldErrors(refusal: ServiceRefusal): Record<string, string> | undefined;
    /**
     * Renders the form with the submitted values and the problem. `rebuilt`: another view has replaced the form, so the
     * fields get new block ids.
     */
    renderForm(reason: ServiceRefusal | UnsavedReason, mode: 'current' | 'rebuilt'): ModalView;
  };
}

/** Handles a submitted form: saves and sends the submissions, and responds to the actor. */
export async function respondToForm<Content>(
  call: SubmissionCall,
  kind: SubmissionKind<Content>,
  submittedForm: SubmittedForm<Content>,
): Promise<void> {
  const { formId, form, contents, channel, message, mayKeepEditable = false } = submittedForm;
  await requireRoles(call, kind, contents);
  const received = { origin: formId, channel, message, contents };
  const submissions = createReceivedSubmissions(call, received, call.view.id);
  await sendAndRespond(call, kind, submissions, {
    acknowledge: (response) => call.answer(response),
    mayKeepEditable,
    ...(message && { messageTs: message.ts }),
    sendReceipt: (rows, timeoutMs) => sendReceipt(call, { channel, rows, timeoutMs, mayKeepEditable }),
    showLater: (view) => call.client.views.update({ view_id: call.view.id, view }).then(() => undefined),
    getFieldErrors: form.getFieldErrors,
    renderForm: form.renderForm,
  });
}

/**
 * Shows confirmed submissions in an ephemeral message where the form was opened. Resolves with false if it was opened at
 * Home, or if Slack didn't accept the message in time: for example, commands also work in channels without the bot.
 */
async function sendReceipt(
  call: SubmissionCall,
  {
    channel,
    rows,
    timeoutMs,
    mayKeepEditable,
  }: {
    channel: string | undefined;
    rows: readonly SubmissionRow[];
    timeoutMs: number;
    mayKeepEditable: boolean;
  },
): Promise<boolean> {
  const { context } = call.context.submissions;
  if (channel === undefined) return false;
  const areButtonsForAll = rows.length > 1;
  const submissions = rows.map((row) =>
    renderSubmission(context, row, createTextContext(context), { areButtonsForAll, mayKeepEditable }),
  );
  const message = call.sealButtons(renderReceipt(submissions));
  return sendEphemeral(call, channel, message, timeoutMs);
}

/** Sends a receipt to the actor only. Resolves with false if Slack didn't accept it in time. */
export async function sendEphemeral(
  call: SubmissionCall,
  channel: string,
  message: Message,
  timeoutMs: number,
): Promise<boolean> {
  const sending = call.client.chat
    .postEphemeral({ channel, user: call.actor.user, ...disableParsing(message) })
    .then(
      () => true,
      (error: unknown) => {
        const reason = getSlackErrorCode(error);
        call.log.info({ reference: call.reference, reason }, 'could not send a receipt');
        return false;
      },
    );
  return within(timeoutMs, sending, false);
}

/** Handles a button press: saves and sends the submissions, and responds in the button's view or message. */
export async function respondToAction<Content>(
  call: ActionCall,
  kind: SubmissionKind<Content>,
  submission: {
    origin: string;
    channel?: string;
    contents: readonly Content[];
    mayKeepEditable?: boolean;
  },
): Promise<void> {
  const showView = async (view: ModalView) => {
    if (call.view) await call.client.views.update({ view_id: call.view.id, view });
    else await call.reply(toMessage(view), { replace: true });
  };
  await requireRoles(call, kind, submission.contents);
  const texts = submission.contents.map((content) => kind.copy.getText(content));
  await sendAndRespond(
    call,
    kind,
    createReceivedSubmissions(call, { ...submission, message: call.message }, call.view?.id),
    {
      mayKeepEditable: submission.mayKeepEditable ?? false,
      acknowledge: async (response) => {
        if ('view' in response) await showView(response.view);
        return true;
      },
      showLater: showView,
      getFieldErrors: () => undefined,
      renderForm: (reason) => (typeof reason === 'string' ? renderUnsavedView(reason, texts) : undefined),
    },
  );
}

/** Checks the actor's role for each submission. The required role depends on the content. */
async function requireRoles<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  contents: readonly Content[],
): Promise<void> {
  for (const content of contents) {
    await call.permit(kind.getRole(content), kind.getProject(content)?.id, `send ${kind.name}`);
  }
}

function createReceivedSubmissions<Content>(
  call: SubmissionCall | ActionCall,
  submission: {
    origin: string;
    channel?: string | undefined;
    message?: MessageAddress | undefined;
    contents: readonly Content[];
  },
  viewId: string | undefined,
): ReceivedSubmission<Content>[] {
  return submission.contents.map((content, index) => ({
    workspace: call.actor.workspace,
    author: call.actor.user,
    origin: submission.origin,
    item: index,
    ...(submission.channel !== undefined && { channel: submission.channel }),
    ...(call.trigger !== undefined && { trigger: call.trigger }),
    ...(viewId !== undefined && { viewId }),
    ...(submission.message && { message: submission.message }),
    content,
  }));
}

/** Prefix of the button values under several posts. The buttons apply to all posts of the form. */
export const ALL_PREFIX = 'all:';

/**
 * Renders the ephemeral message about a form whose submissions are all confirmed. Only a press on one of its buttons
 * can change the message, and only for 30 minutes, so its text stays true. `note` describes the result of a press
 * (mrkdwn).
 */
export function renderReceipt(submissions: readonly RenderedSubmission[], note?: string): Message {
  const blocks = [
    ...(renderFormMessage(submissions).blocks ?? []),
    ...(note === undefined ? [] : [section(note)]),
  ];
  return { text: buildFallbackText(blocks), blocks };
}
