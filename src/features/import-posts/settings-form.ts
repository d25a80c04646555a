import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { BUDGETS, createBudget } from '../../budget.ts';
import { createForm } from '../../forms/create-form.ts';
import { type Form, invalid, valid } from '../../forms/form.ts';
import {
  type ContextLoader,
  type ZonedContext,
  zonedContextSchema,
  zonedLoader,
} from '../../forms/form-context.ts';
import { multiSelectField, radioField, zoneField } from '../../forms/inputs/choice.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import type { ActionCall, SubmissionCall } from '../../handlers/call.ts';
import { listProjectsWithoutZone } from '../../imports/check-rows.ts';
import type { ImportSettings } from '../../imports/import-settings.ts';
import { openTable, withinBudget } from '../../imports/open-table.ts';
import { readPart, readSource } from '../../imports/stored-import.ts';
import { placeColumns } from '../../imports/target-columns.ts';
import { listPlatformChoices } from '../../posts/platforms.ts';
import { DATE_ORDER_NAMES } from '../../preferences/date-order.ts';
import { pickDefaultZone } from '../../preferences/zones.ts';
import { context } from '../../slack/blocks.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import { DATE_ORDERS } from '../../when/when.ts';
import { listProjects, selectZones } from './check-table.ts';

const fields = {
  project: projectField({ label: 'Project', hint: 'For rows that name none.' }),
  zone: zoneField({
    label: 'Time zone of the times',
    hint: 'For rows that name none. Leave empty for each project’s own time zone.',
    optional: true,
  }),
  platforms: multiSelectField({
    label: 'Platforms',
    hint: 'For rows that name none.',
    optional: true,
    choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
  }),
  order: radioField({
    label: 'Dates such as 03/04/2026',
    optional: true,
    choices: DATE_ORDERS.map((value) => ({ value, name: DATE_ORDER_NAMES[value] })),
  }),
};

const contextSchema = zonedContextSchema.extend({
  /** The id of the import whose table is checked again. */
  importId: z.string(),
  /** See `listProjectsWithoutZone`. */
  projectsWithoutZone: z.array(z.string()).default([]),
  /** Whose zone was chosen earlier: that of all rows, or the person's, because Slack didn't give it. */
  chosenZone: z.enum(['none', 'rows', 'person']).default('rows'),
});
type SettingsContext = ZonedContext & z.infer<typeof contextSchema>;

const contextLoader: ContextLoader<SettingsContext> = {
  schema: contextSchema,
  async load(call, options) {
    const result = await zonedLoader.load(call, options);
    const importId = z.string().catch('').parse(options.prefill?.importId);
    if ('failureText' in result) return result;
    const key = { id: importId, workspace: call.actor.workspace };
    const source = await readSource(call.context.imports, key);
    const { formContext } = result;
    const projects = await listProjects(call, formContext.projects);
    const budget = createBudget(BUDGETS.table);
    const read = await withinBudget(async () => {
      const opened = await openTable(source?.rows ?? [], budget);
      if (!opened) return { zones: formContext.zones, projectsWithoutZone: [] };
      const settings = { columns: source?.settings.columns };
      const placed = await placeColumns({ ...opened, settings, projects }, budget);
      const table = { ...opened, columns: placed.columns };
      const zones = selectZones(formContext.zones, table.columns);
      const input = {
        ...{
          ...table,
          projects,
          now: call.now(),
          locale: formContext.actorLocale,
          dateOrder: formContext.dateOrder,
        },
        // The form asks for the rows' project.
        settings: { order: source?.settings.order },
        findZone: (of: string) => pickDefaultZone(zones, of)?.zone,
      };
      return { zones, projectsWithoutZone: await listProjectsWithoutZone(input, budget) };
    });
    if ('tooMuch' in read) return { failureText: read.tooMuch };
    const { zone, personZone } = source?.settings ?? {};
    const chosenZone = zone ? 'rows' : personZone ? 'person' : 'none';
    return { formContext: { ...formContext, ...read, importId, chosenZone } };
  },
};

/** Whether rows have times that need a zone, and their project has none. */
function needsZone({ zones, projectsWithoutZone }: SettingsContext, chosenProject?: string): boolean {
  const hasZone = chosenProject === undefined || pickDefaultZone(zones, chosenProject);
  return projectsWithoutZone.some((id) => id !== '' || !hasZone);
}

function isPersonZone(formContext: SettingsContext, chosenProject?: string): boolean {
  const { chosenZone } = formContext;
  return chosenZone === 'person' || (chosenZone === 'none' && needsZone(formContext, chosenProject));
}

export function createSettingsForm(
  recheck: (call: SubmissionCall | ActionCall, id: string, settings: ImportSettings) => Promise<void>,
) {
  const settingsForm: Form<typeof fields, SettingsContext, ImportSettings> = {
    name: 'import-settings',
    version: 1,
    noun: 'form for the settings of an import',
    title: 'Import settings',
    submitLabel: 'Check again',
    command: '/upnext import',
    fields,
    contextLoader,
    renderBelowFields: ({ formContext }): Readonly<Record<string, readonly KnownBlock[]>> =>
      isPersonZone(formContext) ? { zone: [context('Projects with a time zone of their own keep it.')] } : {},
    check({ values: { project, zone, platforms, order }, formContext }) {
      if (!project) return invalid({ project: 'Choose a project.' });
      if (zone === '' && needsZone(formContext, project.id))
        return invalid({ zone: 'Choose the time zone.' });
      return valid({
        project: { id: project.id, name: project.name },
        ...(zone !== '' && (isPersonZone(formContext, project.id) ? { personZone: zone } : { zone })),
        ...(platforms.length > 0 && { platforms }),
        ...(order !== '' && { order }),
      });
    },
    onSubmit: {
      async respond(call, settings, { formContext }) {
        return {
          view: buildMessageView(
            { text: 'I’m checking the rows again. The result will replace the earlier check.' },
            'Close',
          ),
          finish: () => recheck(call, formContext.importId, settings),
        };
      },
    },
  };
  return createForm(settingsForm);
}

export async function readPrefill(
  call: ActionCall,
  importId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { workspace } = call.actor;
  const source = await readPart(call.context.imports, { id: importId, workspace }, 'source');
  const { project, personZone, zone = personZone, platforms, order } = source?.settings ?? {};
  return {
    importId,
    ...(project && { project }),
    ...(zone !== undefined && { zone }),
    ...(platforms && { platforms: [...platforms] }),
    ...(order && { order }),
  };
}
