import { chosenOption, chosenValues, typed, type ViewValues } from '../../../slack/view-values.ts';
import { blockId, FIELDS, type Field } from './fields.ts';
import type { Typed } from './form-facts.ts';

/** The value of an option that says something and chooses nothing. */
export const NO_CHOICE = '-';

/**
 * What stands in the form. `whole` is false where a block is missing or one is there that this version does not
 * have: then the words are worth keeping, but nothing may be sent.
 */
export function readForm(
  values: ViewValues,
  generation: number,
  asksForProject: boolean,
): { typed: Typed; whole: boolean } {
  const at = (field: Field) => blockId(field, generation);
  const expected = FIELDS.filter((field) => field !== 'project' || asksForProject).map(at);
  const there = Object.keys(values);
  const project = chosenOption(values, at('project'));
  const template = chosenOption(values, at('template'));
  return {
    whole: there.length === expected.length && expected.every((id) => there.includes(id)),
    typed: {
      ...(project && { project: { id: project.value, name: project.label } }),
      text: typed(values, at('text')),
      platforms: chosenValues(values, at('platforms')),
      // A form without a choice is refused above; a draft is what can do no harm.
      status: chosenOption(values, at('status'))?.value === 'SCHEDULED' ? 'SCHEDULED' : 'DRAFT',
      when: typed(values, at('when')),
      zone: chosenOption(values, at('zone'))?.value ?? '',
      media: typed(values, at('media')),
      ...(template &&
        template.value !== NO_CHOICE && { template: { id: template.value, name: template.label } }),
      prompt: typed(values, at('prompt')),
    },
  };
}
