import type { PlainTextOption } from '@slack/types';
import type { OptionsCall } from '../handlers/call.ts';
import { buildNoteOptions } from '../slack/blocks.ts';
import { within } from '../within.ts';
import { readView } from './current-form.ts';
import { findChosenProject, parseFormId } from './field.ts';
import type { Form } from './form.ts';
import { readStoredForm, waitForChanges } from './stored-form.ts';

/** Time limit for finding options. Slack waits 3 s, and then shows an empty list. */
const ANSWER_TIMEOUT_MS = 2_500;

/**
 * Finds the options for a search in a select of the form. Returns before Slack's time limit even if the service is
 * slow.
 */
export async function searchOptions(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  return answerInTime(findOptions(form, name, call));
}

/** Returns the options. If they take longer than ANSWER_TIMEOUT_MS, returns a note that the service doesn't respond. */
export function answerInTime(options: Promise<PlainTextOption[]>): Promise<PlainTextOption[]> {
  const late = buildNoteOptions('The service isn’t answering. Try again');
  return within(ANSWER_TIMEOUT_MS, options, late);
}

async function findOptions(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  const { view } = call;
  const formId = view && parseFormId(form.version, view.metadata);
  if (formId !== undefined) await waitForChanges(formId);
  const stored = formId === undefined ? undefined : await readStoredForm(form, call, formId);
  const formContext = form.contextLoader.schema.safeParse(stored?.formContext).data;
  if (!view || !stored || !formContext) return buildNoteOptions('This form is out of date');
  // A form that an earlier release opened has no stored project.
  const findProjectInView = () => findChosenProject(readView(form.fields, view, formContext).values);
  const chosenProject = stored.project === undefined ? findProjectInView() : stored.project;
  const field = form.fields[name];
  const project = field?.usesProject ? (chosenProject?.id ?? formContext.preselectedProject?.id) : undefined;
  return (await field?.search?.({ call, query: call.query, project, formContext })) ?? [];
}
