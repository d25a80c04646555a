import type { ModalView } from '@slack/types';
import type { SubmissionResponse } from '../app/call.ts';
import type { ServiceRefusal } from './content.ts';
import type { SubmissionRow } from './submission.ts';
import type { UnsavedReason } from './text/not-saved.ts';

/** Functions for responses in a form, view or message. */
export interface Responder {
  /** Responds in the acknowledgement. Resolves with false if the acknowledgement is too late. */
  acknowledge(response: SubmissionResponse): Promise<boolean>;
  /** Whether the actor may choose that posts of the project stay editable. Defaults to false. */
  mayKeepEditable?: boolean;
  /** The message that the form was opened from, if the message can be updated. */
  messageTs?: string;
  /**
   * Shows confirmed submissions in the form's channel. Resolves with false if Slack didn't accept the message in time.
   */
  sendReceipt?(rows: readonly SubmissionRow[], timeoutMs: number): Promise<boolean>;
  /** Replaces the view or message after the acknowledgement. */
  showLater(view: ModalView): Promise<void>;
  /** Returns errors by block id. Undefined if a problem belongs to no field. */
  getFieldErrors(refusal: ServiceRefusal): Record<string, string> | undefined;
  /**
   * Renders the form. Returns undefined if the caller must show the submission instead. `rebuilt`: another view has replaced the
   * form, so the fields get new block ids.
   */
  renderForm(reason: ServiceRefusal | UnsavedReason, mode: 'current' | 'rebuilt'): ModalView | undefined;
}

/** A responder that never rejects. */
export interface SafeResponder extends Omit<Responder, 'showLater'> {
  /** Replaces the view or message after the acknowledgement. Resolves with false if that failed. */
  showLater(view: ModalView): Promise<boolean>;
}
