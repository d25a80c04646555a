import type { PlainTextOption } from '@slack/types';
import { listProjects } from '../../api/projects.ts';
import { listTemplates } from '../../api/templates.ts';
import { projectOptions } from '../../posts/project.ts';
import { option } from '../../slack/blocks.ts';
import type { OptionsCall } from '../../slack/feature.ts';
import { LIMITS } from '../../slack/limits.ts';
import { chosenOption } from '../../slack/view-values.ts';
import type { Parts } from '../../submissions/parts.ts';
import { searchZones } from '../../when/zones.ts';
import { blockId, generationOf } from './form/fields.ts';
import { formIdOf } from './form/form.ts';
import { NO_CHOICE } from './form/read-form.ts';
import { keptFacts } from './standing-form.ts';

type Ask = OptionsCall<Parts>;

/** Says why there is nothing to choose; choosing it chooses nothing. */
const only = (words: string): PlainTextOption[] => [option(words, NO_CHOICE)];

/** Zones by city, zone or offset; without words those that many people mean. */
export async function zoneOptions(call: Ask): Promise<PlainTextOption[]> {
  return searchZones(call.query, call.now())
    .slice(0, LIMITS.options)
    .map(({ zone, label }) => option(label, zone));
}

/** Only where there are more projects than a select holds. */
export async function projectSearch(call: Ask): Promise<PlainTextOption[]> {
  const outcome = await listProjects(call.parts.api);
  if (outcome.kind !== 'done') return [];
  return projectOptions(outcome.data.items.filter(({ name }) => matches(name, call.query))).slice(
    0,
    LIMITS.options,
  );
}

/** The templates of the project that the form is about. */
export async function templateOptions(call: Ask): Promise<PlainTextOption[]> {
  const project = await chosenProject(call);
  if (project === undefined) return only('Choose a project first');
  const outcome = await listTemplates(call.parts.api, project);
  if (outcome.kind !== 'done') return only('The service does not answer: try again');
  const fitting = outcome.data.items.filter(
    ({ id, name }) => id.length <= LIMITS.optionValue && matches(name, call.query),
  );
  if (fitting.length === 0) return only(call.query === '' ? 'No templates in this project' : 'Nothing found');
  return fitting.slice(0, LIMITS.options).map(({ id, name }) => option(name, id));
}

async function chosenProject({ view, ...call }: Ask): Promise<string | undefined> {
  if (!view) return undefined;
  const generation = generationOf([...view.blockIds, ...Object.keys(view.values)]);
  const selected = chosenOption(view.values, blockId('project', generation));
  if (selected) return selected.value;
  const formId = formIdOf(view.metadata);
  const facts = formId === undefined ? undefined : await keptFacts(call, formId);
  return facts?.loaded?.chosen?.id;
}

function matches(name: string, query: string): boolean {
  return name.toLowerCase().includes(query.trim().toLowerCase());
}
