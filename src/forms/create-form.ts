import type { ActionCall, Call, Prefill } from '../app/call.ts';
import type { Feature } from '../app/feature.ts';
import type { AnyKind } from '../submissions/kind.ts';
import { findOwnSubmissionOfKind } from '../submissions/sql/submissions.ts';
import { openSubmission } from '../submissions/submission.ts';
import { readUnconfirmedForm } from './current-form.ts';
import { actionId, type Fields, nextGenerations } from './field.ts';
import type { Form } from './form.ts';
import type { OpenOptions } from './form-context.ts';
import { BACK, CONFIRM, formView, outdatedView, RELOAD } from './form-view.ts';
import { showLive, showPressed } from './live-form.ts';
import { openForm, type ReplacedView } from './open-form.ts';
import { submissionKindsOf } from './refusals.ts';
import { searchField } from './search.ts';
import { readStoredForm } from './stored-form.ts';
import { submitConfirmed, submitForm } from './submit-form.ts';

type Handlers = Required<Pick<Feature, 'views' | 'actions' | 'options'>>;

/** The handlers of a form, for its feature's entry in the catalogue. */
export interface FormHandlers extends Handlers {
  /** The kinds of submission that the form makes. */
  submissions: readonly AnyKind[];
  /** Opens a new form. */
  openForm(call: Call, options?: OpenOptions, replaced?: ReplacedView): Promise<void>;
  /** As `Feature.open`: `{ submission: id }` reopens a submission; otherwise `prefill` has text by field. */
  open(call: Call, prefill: Prefill): Promise<void>;
}

export function createForm(form: Form): FormHandlers {
  checkProjectIsLive(form);
  const openNew: FormHandlers['openForm'] = (call, options = {}, replaced = {}) => {
    const here = call.channel === undefined ? {} : { channel: call.channel };
    return openForm(form, call, { ...here, ...options }, replaced);
  };
  return {
    submissions: submissionKindsOf(form),
    openForm: openNew,
    async open(call, prefill) {
      if (prefill.submission !== undefined) return reopen(form, call, prefill.submission);
      await openNew(call, { prefill: parsePrefill(form.fields, prefill) });
    },
    views: {
      [form.name]: (call) => submitForm(form, call),
      ...(form.confirm && { [actionId(form.name, CONFIRM)]: (call) => submitConfirmed(form, call) }),
    },
    actions: {
      ...Object.fromEntries(
        Object.entries(form.fields)
          .filter(([, { live }]) => live)
          .map(([name]) => [actionId(form.name, name), (call: ActionCall) => showLive(form, call)]),
      ),
      ...Object.fromEntries(
        Object.entries(form.presses ?? {}).map(([name, press]) => [
          actionId(form.name, name),
          (call: ActionCall) => showPressed(form, call, press),
        ]),
      ),
      [actionId(form.name, RELOAD)]: (call) => reload(form, call),
      ...(form.confirm && { [actionId(form.name, BACK)]: (call) => back(form, call) }),
    },
    options: Object.fromEntries(
      Object.entries(form.fields)
        .filter(([, { search }]) => search !== undefined)
        .map(([name]) => [actionId(form.name, name), (call) => searchField(form, name, call)]),
    ),
  };
}

/** Throws if a field's options depend on the project, and Slack isn't asked to report changes of the project. */
function checkProjectIsLive({ name, fields }: { name: string; fields: Fields }): void {
  const dependent = Object.keys(fields).find((field) => fields[field]?.usesProject);
  if (dependent !== undefined && fields.project && !fields.project.live)
    throw new Error(`${name}: "${dependent}" is searched by project, so "project" must be live`);
}

function parsePrefill(fields: Fields, prefill: Prefill): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(prefill).map(([name, words]) => [name, fields[name]?.from?.(words)]),
  );
}

/** [Try again] on a form that could not be loaded. */
async function reload(form: Form, call: ActionCall): Promise<void> {
  const formId = call.action.value ?? '';
  const stored = await readStoredForm(form, call, formId);
  const options = {
    ...(stored?.channel !== undefined && { channel: stored.channel }),
    ...(stored?.prefill && { prefill: stored.prefill }),
  };
  await openForm(form, call, options, {
    ...(call.view && { viewId: call.view.id }),
    ...(stored && { formId }),
  });
}

/** [Back] on the confirmation: shows the form with all values, or a notice that it is out of date. */
async function back(form: Form, call: ActionCall): Promise<void> {
  if (!call.view) return;
  const current = await readUnconfirmedForm(form, call, call.view.metadata);
  const view = current
    ? formView(form, {
        ...current,
        generations: nextGenerations(current.generations, Object.keys(form.fields)),
        practice: call.context.isEmulated,
      })
    : outdatedView(form, []);
  await call.client.views.update({ view_id: call.view.id, view });
}

/** Reopens a submission in its form. Only its author may do that. */
async function reopen(form: Form, call: Call, id: string): Promise<void> {
  const { destination } = form;
  if ('answer' in destination) throw new Error(`${form.name} stores no submissions`);
  const { workspace, user: author } = call.actor;
  const row = await findOwnSubmissionOfKind(call.context.db, {
    id,
    workspace,
    author,
    kind: destination.kind.name,
  });
  if (!row || row.content === null)
    return call.reply({ text: 'This belongs to somebody else, or is no longer kept.' });
  const { content, channel } = openSubmission(call.context, destination.kind, row);
  const options = { ...(channel !== undefined && { channel }), prefill: destination.toTyped(content) };
  await openForm(form, call, options, { formId: id });
}
