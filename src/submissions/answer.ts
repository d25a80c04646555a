import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Parts } from './parts.ts';
import type { Reason, SubmissionKind } from './submission.ts';
import { type End, type Received, submit } from './submit.ts';

/** Where a submission is answered: the form's view while it is open, the person's direct messages after. */
export interface Surface<View, Message> {
  /** The one acknowledgement: another view in the form's place, or errors under its fields. False when it is lost. */
  acknowledge(answer: { view: View } | { errors: Record<string, string> }): Promise<boolean>;
  /** Later. False when the person has closed the view, or Slack does not show it. */
  show(view: View): Promise<boolean>;
  tell(message: Message): Promise<void>;
}

/** What a form says in each state. Pure: words and views. */
export interface Words<Content, View, Message> {
  /** Errors by block id, where every one has its field in the form as it stands; undefined where one has none. */
  inline(reason: Reason): Record<string, string> | undefined;
  /** The form with every word that was typed, what happened on top and under its fields. */
  again(why: Reason | 'not-saved', form: 'as it stands' | 'rebuilt'): View;
  sending(content: Content): View;
  ended(end: Extract<End<Content>, { state: 'confirmed' | 'unknown' }>): View;
  /** The same for a person who has closed the form. */
  message(end: End<Content>): Message;
}

/**
 * Submits, and answers within the acknowledgement where the service is quick enough, else in the view and at last
 * by a direct message. Resolves when everything is said.
 */
export async function answerSubmission<Content, View, Message>(options: {
  parts: Parts;
  kind: SubmissionKind<Content>;
  received: Received<Content>;
  /** `performance.now()` when Slack's request came in. */
  receivedAt: number;
  now: () => Date;
  surface: Surface<View, Message>;
  words: Words<Content, View, Message>;
}): Promise<void> {
  const { parts, kind, received, surface, words } = options;
  const ending = submit(parts, kind, received, options.now);
  const left = parts.pace.answerMs - (performance.now() - options.receivedAt);
  const early = await Promise.race([ending, delay(Math.max(0, left), undefined, { ref: false })]);
  const said = early ? earlyAnswer(early, words) : { view: words.sending(received.content) };
  const isTaken = await surface.acknowledge(said);
  if (early && isTaken) return;
  // Also where Slack did not take the acknowledgement: who is not told that it was sent sends it again.
  const [end] = await Promise.all([ending, delay(parts.pace.afterAcknowledgementMs)]);
  const isShown = await surface.show(lateView(end, words));
  if (!isShown && end.own) await surface.tell(words.message(end));
}

function earlyAnswer<Content, View, Message>(end: End<Content>, words: Words<Content, View, Message>) {
  if (end.state === 'not-saved') return { view: words.again('not-saved', 'as it stands') };
  if (end.state !== 'refused') return { view: words.ended(end) };
  const errors = words.inline(end.reason);
  return errors ? { errors } : { view: words.again(end.reason, 'as it stands') };
}

function lateView<Content, View, Message>(end: End<Content>, words: Words<Content, View, Message>): View {
  if (end.state === 'not-saved') return words.again('not-saved', 'rebuilt');
  return end.state === 'refused' ? words.again(end.reason, 'rebuilt') : words.ended(end);
}
