import type { Call, OpenView } from '../app/call.ts';
import { type Fields, type Named, named } from './field.ts';
import type { Form } from './form.ts';
import { formIdOf } from './ids.ts';
import { changeForm } from './kept-form.ts';
import { readView } from './standing-form.ts';

/**
 * The project in a form is stored with it whenever it changes: the menus that go by it can't rely on Slack, whose
 * requests for options may carry an older state of the form, or none (bolt-js #1146 and #660, bolt-python #336,
 * java-slack-sdk #1292).
 */

/** The project that stands in a form; null where none is chosen. */
export function chosenProject(typed: Readonly<Record<string, unknown>>): Named | null {
  return named.safeParse(typed.project).data ?? null;
}

/** Throws where a menu goes by the project and Slack isn't asked to report the choice of one. */
export function checkProjectIsLive({ name, fields }: { name: string; fields: Fields }): void {
  const dependent = Object.keys(fields).find((field) => fields[field]?.usesProject);
  if (dependent !== undefined && fields.project && !fields.project.live)
    throw new Error(`${name}: "${dependent}" is searched by project, so "project" must be live`);
}

/**
 * Stores the project that Slack reported. To be called before anything slow: the request for options that comes next
 * waits for it.
 */
export async function storeReportedProject(form: Form, call: Call, view: OpenView): Promise<void> {
  const formId = formIdOf(form.version, view.metadata);
  if (formId === undefined) return;
  await changeForm(form, call, formId, (stored) => {
    if (!stored.facts) return stored;
    return { ...stored, project: chosenProject(readView(form.fields, view, stored.facts).typed) };
  });
}
