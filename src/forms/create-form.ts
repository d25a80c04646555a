import type { ActionCall, Call, Prefill } from '../app/call.ts';
import type { Feature } from '../app/feature.ts';
import type { AnyKind } from '../submissions/kind.ts';
import { ownSubmission } from '../submissions/sql/submissions.ts';
import { openSubmission } from '../submissions/submission.ts';
import { actionId, type Fields, nextGenerations } from './field.ts';
import type { Form } from './form.ts';
import { BACK, CONFIRM, formView, outdatedView, RELOAD } from './form-view.ts';
import { keptForm } from './kept-form.ts';
import { showLive, showPressed } from './live-form.ts';
import type { Begin } from './loaded.ts';
import { openForm, type ReplacedView } from './open-form.ts';
import { submittedBy } from './refusals.ts';
import { searchField } from './search.ts';
import { waitingForm } from './standing-form.ts';
import { submitConfirmed, submitForm } from './submit-form.ts';

type Handlers = Required<Pick<Feature, 'views' | 'actions' | 'options'>>;

/** What a feature puts into its entry of the catalogue. */
export interface FormHandlers extends Handlers {
  /** What is submitted with it, and how it is rebuilt from that. */
  submissions: readonly AnyKind[];
  /** Opens the form; `begin.prefill` holds values by field. */
  begin(call: Call, begin?: Begin, replaced?: ReplacedView): Promise<void>;
  /** As `Feature.open`: `{ submission: id }` brings back what was submitted, else words by field. */
  open(call: Call, prefill: Prefill): Promise<void>;
}

/** All handlers of a form. */
export function createForm(form: Form): FormHandlers {
  checkProjectIsLive(form);
  const begin: FormHandlers['begin'] = (call, given = {}, replaced = {}) => {
    const here = call.channel === undefined ? {} : { channel: call.channel };
    return openForm(form, call, { ...here, ...given }, replaced);
  };
  return {
    submissions: submittedBy(form),
    begin,
    async open(call, prefill) {
      if (prefill.submission !== undefined) return reopen(form, call, prefill.submission);
      await begin(call, { prefill: fromWords(form.fields, prefill) });
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

/** Throws where a menu goes by the project and Slack isn't asked to report the choice of one. */
function checkProjectIsLive({ name, fields }: { name: string; fields: Fields }): void {
  const dependent = Object.keys(fields).find((field) => fields[field]?.usesProject);
  if (dependent !== undefined && fields.project && !fields.project.live)
    throw new Error(`${name}: "${dependent}" is searched by project, so "project" must be live`);
}

function fromWords(fields: Fields, prefill: Prefill): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(prefill).map(([name, words]) => [name, fields[name]?.from?.(words)]),
  );
}

/** [Try again] on a form that could not be filled. */
async function reload(form: Form, call: ActionCall): Promise<void> {
  const formId = call.action.value ?? '';
  const kept = await keptForm(form, call, formId);
  const begin = {
    ...(kept?.channel !== undefined && { channel: kept.channel }),
    ...(kept?.prefill && { prefill: kept.prefill }),
  };
  await openForm(form, call, begin, { ...(call.view && { viewId: call.view.id }), ...(kept && { formId }) });
}

/** [Back] from the second look: the form with every word, or that it is out of date. */
async function back(form: Form, call: ActionCall): Promise<void> {
  if (!call.view) return;
  const standing = await waitingForm(form, call, call.view.metadata);
  const view = standing
    ? formView(form, {
        ...standing,
        generations: nextGenerations(standing.generations, Object.keys(form.fields)),
        practice: call.context.practice,
      })
    : outdatedView(form, []);
  await call.client.views.update({ view_id: call.view.id, view });
}

/** The form with every word of what was submitted; only for the person who submitted it. */
async function reopen(form: Form, call: Call, id: string): Promise<void> {
  const { ending } = form;
  if ('answer' in ending) throw new Error(`${form.name} keeps no submissions`);
  const { workspace, user: author } = call.who;
  const row = await ownSubmission(call.context.db, { id, workspace, author, kind: ending.kind.name });
  if (!row || row.content === null)
    return call.reply({ text: 'This belongs to somebody else, or is no longer kept.' });
  const { content, channel } = openSubmission(call.context, ending.kind, row);
  const begin = { ...(channel !== undefined && { channel }), prefill: ending.typedOf(content) };
  await openForm(form, call, begin, { formId: id });
}
