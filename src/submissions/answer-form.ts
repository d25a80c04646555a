import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { KnownBlock, ModalView } from '@slack/types';
import type { ActionCall, SubmissionAnswer, SubmissionCall } from '../app/call.ts';
import { isViewGone } from '../slack/slack-trouble.ts';
import { fallbackText } from '../slack/spoken-text.ts';
import { bringOn } from './bring-on.ts';
import type { SubmissionKind } from './kind.ts';
import type { Machine } from './machine.ts';
import { refusalOf } from './refused-form.ts';
import { type Unsaved, unsavedMessage, unsavedView } from './said/not-saved.ts';
import { shownOf } from './said/shown.ts';
import { stateView } from './said/state-blocks.ts';
import type { Received } from './save.ts';
import type { SubmissionRow } from './sql/submissions.ts';
import type { Reason } from './submission.ts';
import { markShown, sayDirectly, seenBy } from './tell.ts';

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
  await answer(call, kind, received, {
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
  await answer(call, kind, receivedFrom(call, sent, call.view?.id), {
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

/** How a submission is answered where it was made. */
interface FormAnswers {
  /** False where it is too late for it. */
  early(answer: SubmissionAnswer): Promise<boolean>;
  late(view: ModalView): Promise<void>;
  inline(reason: Reason): Record<string, string> | undefined;
  /** Undefined where there is no form to come back to: then it is shown as what it is, with its buttons. */
  again(why: Reason | Unsaved, how: 'as it stands' | 'rebuilt'): ModalView | undefined;
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

async function answer<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  received: readonly Received<Content>[],
  answers: FormAnswers,
): Promise<void> {
  const { machine } = call.context.submissions;
  const { pace } = machine;
  const on = await bringOn(machine, kind, received);
  if (typeof on === 'string') return sayUnsaved(call, kind, { why: on, received, answers });
  const left = pace.answerMs - (performance.now() - call.receivedAt);
  const early = await Promise.race([on.ended, delay(Math.max(0, left), undefined, { ref: false })]);
  const rows = early ?? (await on.now());
  const said = early ? answerOf(machine, rows, answers, on.equal) : { view: viewOf(machine, rows, on.equal) };
  const isTaken = await answers.early(said).catch(lost(call, 'acknowledgement'));
  await pace.at?.('after-acknowledgement');
  if (early && isTaken) return told(machine, early);

  // Also where Slack did not take the acknowledgement: who is not told that it was sent sends it again.
  const [ended] = await Promise.all([on.ended, delay(pace.afterAcknowledgementMs)]);
  await pace.at?.('before-view');
  // The worker may have gone on with it: what is shown last is how it stands.
  const stands = await on.now();
  const reason = refusalOf(machine, stands);
  const view = (reason && answers.again(reason, 'rebuilt')) ?? viewOf(machine, stands, on.equal);
  const isShown = await answers.late(view).then(() => true, lost(call, 'view'));
  if (isShown) return told(machine, stands);
  // What another press brought on its way is told by that.
  const toTell = ended.filter((row) => row.tell_at !== null && on.own.has(row.id));
  for (const row of toTell) await sayDirectly(machine, call.client, row);
  await told(machine, toTell);
}

function answerOf(
  machine: Machine,
  rows: readonly SubmissionRow[],
  answers: FormAnswers,
  equal: ReadonlySet<string>,
): SubmissionAnswer {
  const reason = refusalOf(machine, rows);
  if (!reason) return { view: viewOf(machine, rows, equal) };
  const errors = answers.inline(reason);
  if (errors) return { errors };
  const again = answers.again(reason, 'as it stands');
  return { view: again ?? viewOf(machine, rows) };
}

const SENT_BEFORE = 'You sent this already. This is how it stands.';

function viewOf(
  machine: Machine,
  rows: readonly SubmissionRow[],
  equal: ReadonlySet<string> = new Set(),
): ModalView {
  const before = rows.find(({ id }) => equal.has(id));
  const shown = rows.map((row) => shownOf(machine, row, seenBy(machine)));
  return stateView(shown, before && { id: before.id, said: SENT_BEFORE });
}

async function told(machine: Machine, rows: readonly SubmissionRow[]): Promise<void> {
  for (const row of rows) await markShown(machine, row);
}

/** Nothing is known to be stored but what stands in the form, or in the message that says so. */
async function sayUnsaved<Content>(
  call: SubmissionCall | ActionCall,
  kind: SubmissionKind<Content>,
  { why, received, answers }: { why: Unsaved; received: readonly Received<Content>[]; answers: FormAnswers },
): Promise<void> {
  const texts = received.map(({ content }) => kind.words.text(content));
  const view = (how: 'as it stands' | 'rebuilt') => answers.again(why, how) ?? unsavedView(why, texts);
  if (await answers.early({ view: view('as it stands') }).catch(lost(call, 'acknowledgement'))) return;
  await delay(call.context.submissions.machine.pace.afterAcknowledgementMs);
  if (await answers.late(view('rebuilt')).then(() => true, lost(call, 'view'))) return;
  await call.client.chat.postMessage({ channel: call.who.user, ...unsavedMessage(why, texts) });
}

/** Where Slack does not take one way of saying it, the next one is tried. */
function lost(call: SubmissionCall | ActionCall, way: string) {
  return (error: unknown) => {
    if (!isViewGone(error)) {
      call.log.warn({ reference: call.reference, way, err: error }, 'not said this way');
    }
    return false;
  };
}

function isKnown(block: ModalView['blocks'][number]): block is KnownBlock {
  return ['section', 'context', 'actions'].includes(block.type);
}
