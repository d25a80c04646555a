import { setTimeout as delay } from 'node:timers/promises';
import type { PlainTextOption } from '@slack/types';
import type { OptionsCall } from '../app/call.ts';
import { LIMITS } from '../slack/limits.ts';
import { noChoice } from '../slack/no-choice.ts';
import { chosenProject, formIdOf } from './field.ts';
import type { Form } from './form.ts';
import { changesStored, keptForm } from './kept-form.ts';
import { readView } from './standing-form.ts';

/** Slack waits 3 s for options, and shows an empty list after that. */
const ANSWER_MS = 2_500;

/**
 * At most `limit`, which defaults to as many as Slack shows. `read`: how many were searched, where there are others;
 * then the last option says so.
 */
export function offeredOptions(
  found: readonly PlainTextOption[],
  read?: number,
  limit: number = LIMITS.options,
): PlainTextOption[] {
  if (read === undefined) return found.slice(0, limit);
  const last = noChoice(`Only the first ${read} are searched`);
  return [...found.slice(0, limit - last.length), ...last];
}

/** Answers a searched select of the form, in time whatever the service does. */
export async function searchField(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  return inTime(found(form, name, call));
}

/** What is found, or after 2.5 s that the service does not answer. */
export function inTime(found: Promise<PlainTextOption[]>): Promise<PlainTextOption[]> {
  return Promise.race([
    found,
    delay(ANSWER_MS, noChoice('The service does not answer: try again'), { ref: false }),
  ]);
}

async function found(form: Form, name: string, call: OptionsCall): Promise<PlainTextOption[]> {
  const { view } = call;
  const formId = view && formIdOf(form.version, view.metadata);
  if (formId !== undefined) await changesStored(formId);
  const stored = formId === undefined ? undefined : await keptForm(form, call, formId);
  const facts = stored?.facts;
  if (!view || !facts) return noChoice('This form is out of date');
  // A form that was opened before projects were stored.
  const unstored = () => chosenProject(readView(form.fields, view, facts).typed);
  const chosen = stored.project === undefined ? unstored() : stored.project;
  const field = form.fields[name];
  const project = field?.usesProject ? (chosen?.id ?? facts.chosen?.id) : undefined;
  return (await field?.search?.({ call, query: call.query, project, loaded: facts })) ?? [];
}
