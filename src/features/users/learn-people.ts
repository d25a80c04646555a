import type { FormHandlers } from '../../forms/create-form.ts';
import type { Field, Fields, Named } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import { actionId } from '../../forms/ids.ts';
import { keepForm } from '../../forms/kept-form.ts';
import { standingForm } from '../../forms/standing-form.ts';
import type { Call, OpenView } from '../../slack/feature.ts';
import type { Parts } from '../../submissions/parts.ts';
import { type PeopleFacts, peopleOf } from './people.ts';

type AboutProject = Fields & { readonly project: Field<Named | undefined> };

/** The handlers of a form, which know the people of whichever project is chosen in it by then. */
export function learningPeople<F extends AboutProject, Content>(
  form: Form<F, PeopleFacts, Content>,
  handlers: FormHandlers,
): FormHandlers {
  const live = Object.keys(form.fields).filter((name) => form.fields[name]?.live);
  const { views, actions } = handlers;
  return {
    ...handlers,
    views: { ...views, ...knowing(form, views, [form.name]) },
    actions: {
      ...actions,
      ...knowing(
        form,
        actions,
        live.map((name) => actionId(form.name, name)),
      ),
    },
  };
}

function knowing<F extends AboutProject, Content, C extends Call<Parts> & { readonly view?: OpenView }>(
  form: Form<F, PeopleFacts, Content>,
  handlers: Readonly<Record<string, (call: C) => Promise<void>>>,
  ids: readonly string[],
): Record<string, (call: C) => Promise<void>> {
  const changed = ids.map((id) => [
    id,
    async (call: C) => {
      if (call.view) await learn(form, call, call.view);
      await handlers[id]?.(call);
    },
  ]);
  return Object.fromEntries(changed);
}

async function learn<F extends AboutProject, Content>(
  form: Form<F, PeopleFacts, Content>,
  call: Call<Parts>,
  view: OpenView,
): Promise<void> {
  const standing = await standingForm(form, call, view);
  const project: Named | undefined = standing?.state.typed.project;
  if (!standing || !project || project.id === standing.state.facts.people?.project) return;
  const facts = { ...standing.state.facts, people: await peopleOf(call, project.id) };
  await keepForm(form, call, standing.formId, { ...standing.kept, facts });
}
