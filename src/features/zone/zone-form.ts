import { z } from 'zod';
import type { Role } from '../../access/access.ts';
import type { ActionCall } from '../../app/call.ts';
import type { FormHandlers } from '../../forms/create-form.ts';
import { readCurrentForm } from '../../forms/current-form.ts';
import type { Form } from '../../forms/form.ts';
import { type ContextLoader, zonedContextSchema, zonedLoader } from '../../forms/form-context.ts';
import { radioField, zoneField } from '../../forms/inputs/choice.ts';
import { projectField } from '../../forms/inputs/project.ts';
import type { ZoneScope } from '../../preferences/zones.ts';
import { getChosenOption } from '../../slack/interaction-values.ts';
import { changeZone, type ZoneChoice } from './set-zone.ts';
import { buildZoneChangeView, renderZoneSummary, TITLE } from './zone-messages.ts';

/**
 * The project field without its own validation: only the scope 'project' requires a project, which the form's `check`
 * enforces.
 */
const { validate: _, ...optionalProjectField } = projectField({ optional: true });

const fields = {
  scope: radioField<ZoneScope>({
    label: 'For',
    choices: [
      { value: 'channel', name: 'This channel' },
      { value: 'project', name: 'The project, in every channel' },
      { value: 'person', name: 'My own posts' },
    ],
    isLive: true,
  }),
  project: optionalProjectField,
  zone: zoneField({ label: 'Time zone' }),
};

const zoneContextSchema = zonedContextSchema.extend({
  /** Whether the actor may set and remove the zones of the channel and the project. */
  isManager: z.boolean(),
});
type ZoneContext = z.infer<typeof zoneContextSchema>;

/** Loads the zones. Preselects the channel, or the actor's own posts if there is no channel that they may change. */
const zoneContextLoader: ContextLoader<ZoneContext> = {
  schema: zoneContextSchema,
  async load(call, options) {
    const result = await zonedLoader.load(call, options);
    if ('failureText' in result) return result;
    const isManager = call.may('manager', result.formContext.preselectedProject?.id);
    const scope =
      options.prefill?.scope ?? (options.channel !== undefined && isManager ? 'channel' : 'person');
    return { formContext: { ...result.formContext, isManager }, prefill: { scope } };
  },
};

/** Everybody may set their own zone. The zone of a channel or project affects others, so that needs a manager. */
export function getScopeRole(scope: string | undefined): Role {
  return scope === 'person' ? 'viewer' : 'manager';
}

/** The form that shows the default zone of posts from this channel, and why, and sets or removes a zone. */
export const zoneForm: Form<typeof fields, ZoneContext, ZoneChoice> = {
  name: 'zone',
  version: 2,
  noun: 'time zone form',
  getSubmitRole(values) {
    const scopeBlockId = Object.keys(values).find((id) => id.startsWith('scope.')) ?? '';
    return getScopeRole(getChosenOption(values, scopeBlockId)?.value);
  },
  title: TITLE,
  submitLabel: 'Save',
  command: '/upnext zone',
  fields,
  contextLoader: zoneContextLoader,
  hideableFields: ['project'],
  findHiddenFields: ({ values: { scope } }) => (scope === 'project' ? [] : ['project']),
  computeHiddenValues: (hiddenFields, { formContext }) =>
    hiddenFields.includes('project') ? { project: formContext.preselectedProject } : {},
  renderAboveFields: ({ formContext }) => renderZoneSummary(formContext),
  check({ values: { scope, project, zone } }) {
    if (scope === '') return { kind: 'invalid', errors: {} };
    if (scope === 'project' && !project) return { kind: 'invalid', errors: { project: 'Choose a project.' } };
    return {
      kind: 'valid',
      contents: [{ scope, zone, ...(scope === 'project' && project && { project }) }],
    };
  },
  onSubmit: {
    async respond(call, choice, { formContext }, { channel, showErrors }) {
      if (choice.scope === 'channel' && channel === undefined) {
        return void (await showErrors({
          scope: 'Type /upnext zone in the channel you want to set.',
        }));
      }
      const message = await changeZone(call, choice, {
        channel,
        zones: formContext.zones,
        project: formContext.preselectedProject,
      });
      await call.answer({ view: buildZoneChangeView(message) });
    },
  },
};

/** Handles [Remove]. Clears the zone of the form's channel or project, or the actor's own, and loads the form again. */
export async function removeZone(
  call: ActionCall,
  scope: ZoneScope,
  openForm: FormHandlers['openForm'],
): Promise<void> {
  const currentForm = call.view && (await readCurrentForm(zoneForm, call, call.view));
  if (!call.view || !currentForm) return;
  const { state, stored } = currentForm;
  const { zones, preselectedProject: project } = state.formContext;
  const { channel } = stored;
  const choice = { scope, ...(scope === 'project' && project && { project }) };
  await changeZone(call, choice, { channel, zones, project });
  const options = { ...(channel !== undefined && { channel }), prefill: { scope } };
  await openForm(call, options, { viewId: call.view.id });
}
