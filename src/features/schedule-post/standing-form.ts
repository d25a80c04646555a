import type { Call, OpenView } from '../../slack/feature.ts';
import { openFormFacts } from '../../store/open-forms.ts';
import type { Parts } from '../../submissions/parts.ts';
import { generationOf } from './form/fields.ts';
import { formIdOf } from './form/form.ts';
import { type FormFacts, type Loaded, readFacts, type Typed } from './form/form-facts.ts';
import { readForm } from './form/read-form.ts';
import { FORM_KIND } from './open-form.ts';

/** An open form as it came from Slack, with what is kept of it. */
interface StandingForm {
  formId: string;
  generation: number;
  channel?: string;
  loaded: Loaded;
  typed: Typed;
}

/** What was kept of a form; undefined where it is another's, too old or of another version. */
export async function keptFacts(call: Call<Parts>, formId: string): Promise<FormFacts | undefined> {
  const { workspace, user: asker } = call.who;
  const sealed = await openFormFacts(call.parts.db, { id: formId, workspace, asker, kind: FORM_KIND });
  return sealed === undefined ? undefined : readFacts(call.parts.encryption.open(sealed, workspace));
}

/** `outdated` where the form is not one of this version, not this person's, or not whole. */
export async function standingForm(
  call: Call<Parts>,
  view: OpenView,
): Promise<{ kind: 'standing'; form: StandingForm } | { kind: 'outdated'; text: string }> {
  const generation = generationOf([...view.blockIds, ...Object.keys(view.values)]);
  const formId = formIdOf(view.metadata);
  const facts = formId === undefined ? undefined : await keptFacts(call, formId);
  const loaded = facts?.loaded;
  const asksForProject = loaded !== undefined && (loaded.projects.length > 1 || loaded.more);
  const { typed, whole } = readForm(view.values, generation, asksForProject);
  if (formId === undefined || !loaded || !whole) return { kind: 'outdated', text: typed.text };
  const channel = facts?.channel;
  const form = { formId, generation, loaded, typed, ...(channel !== undefined && { channel }) };
  return { kind: 'standing', form };
}
