import { setTimeout as delay } from 'node:timers/promises';
import type { PlainTextOption } from '@slack/types';
import type { OptionsCall } from '../app/call.ts';
import { LIMITS } from '../slack/limits.ts';
import { buildNoChoiceOptions } from '../slack/no-choice.ts';
import { readView } from './current-form.ts';
import { chosenProject, formIdOf } from './field.ts';
import type { Form } from './form.ts';
import { readStoredForm, waitForChanges } from './stored-form.ts';

/** Slack waits 3 s for options, and then shows an empty list. */
const ANSWER_TIMEOUT_MS = 2_500;

/**
 * Returns at most `limit` options, which defaults to Slack's limit. If only the first `read` records were searched,
 * the last option says so.
 */
export function limitOptions(
  found: readonly PlainTextOption[],
  read?: number,
  limit: number = LIMITS.options,
): PlainTextOption[] {
  if (read === undefined) return found.slice(0, limit);
  const last = buildNoChoiceOptions(`Only the first ${read} are searched`);
  return [...found.slice(0, limit - last.length), ...last];
}

/** Answers a search in a select of the form, in time for Slack however slow the service is. */
export async function searchField(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  return answerInTime(findOptions(form, name, call));
}

/** The options that were found, or after 2.5 s an option that says that the service doesn't answer. */
export function answerInTime(found: Promise<PlainTextOption[]>): Promise<PlainTextOption[]> {
  return Promise.race([
    found,
    delay(ANSWER_TIMEOUT_MS, buildNoChoiceOptions('The service does not answer: try again'), { ref: false }),
  ]);
}

async function findOptions(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  const { view } = call;
  const formId = view && formIdOf(form.version, view.metadata);
  if (formId !== undefined) await waitForChanges(formId);
  const stored = formId === undefined ? undefined : await readStoredForm(form, call, formId);
  const formContext = stored?.formContext;
  if (!view || !formContext) return buildNoChoiceOptions('This form is out of date');
  // Forms that were opened by an earlier release have no stored project.
  const projectInView = () => chosenProject(readView(form.fields, view, formContext).typed);
  const chosen = stored.project === undefined ? projectInView() : stored.project;
  const field = form.fields[name];
  const project = field?.usesProject ? (chosen?.id ?? formContext.chosen?.id) : undefined;
  return (await field?.search?.({ call, query: call.query, project, formContext: formContext })) ?? [];
}
