import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import { projectsField } from '../../forms/inputs/project.ts';
import { addMissingProjects } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import {
  type AudienceResult,
  audience as audienceSchema,
  fetchAudience,
  isInternal,
  renderAudience,
} from '../../slack/audience.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { hashReaders, renderReaders } from '../../slack/share-outside.ts';
import { bindChannel } from './bind-channel.ts';
import { NO_CHANNEL, renderBinding } from './use-messages.ts';

const bindingContextSchema = formContextSchema.extend({
  channel: z.string(),
  /** The projects that the channel was bound to when the form was opened. */
  boundProjects: z.array(namedRecord),
  /** The readers of the channel. Undefined if Slack doesn't name them. */
  audience: audienceSchema.optional(),
});
type BindingContext = z.infer<typeof bindingContextSchema>;

/** Loads the channel's projects and readers. */
const bindingContextLoader: ContextLoader<BindingContext> = {
  schema: bindingContextSchema,
  async load(call, options) {
    const { channel } = options;
    if (channel === undefined) return { failureText: NO_CHANNEL.text };
    const [result, boundIds, readers] = await Promise.all([
      projectLoader.load(call, options),
      listBoundProjects(call.context.db, { workspace: call.actor.workspace, channel }),
      fetchAudience(call, channel),
    ]);
    if ('failureText' in result) return result;
    const projects = await readProjects(call);
    const visibleProjects = projects && addMissingProjects(projects, boundIds, call);
    const boundProjects = boundIds.flatMap(
      (id) => visibleProjects?.items.find((project) => project.id === id) ?? [],
    );
    return {
      formContext: {
        ...result.formContext,
        channel,
        boundProjects,
        ...toKnownAudience(readers),
      },
    };
  },
};

const fields = {
  projects: projectsField({
    optional: true,
    hint: 'Leave empty for none.',
  }),
};

/** Returns the property `audience` of the form context, or no property if the readers aren't known. */
function toKnownAudience(result: AudienceResult): Pick<BindingContext, 'audience'> {
  return result && result !== 'not-checked' ? { audience: result } : {};
}

/** The form for choosing a channel's projects. */
export const bindingForm: Form<typeof fields, BindingContext, NamedRecord[]> = {
  name: 'use',
  version: 1,
  noun: 'form for a channel’s projects',
  title: 'This channel’s projects',
  submitLabel: 'Save',
  command: '/upnext use',
  fields,
  contextLoader: bindingContextLoader,
  renderAboveFields: ({ formContext }) => [
    context(plain(renderAudience(formContext.audience, formContext.boundProjects.length))),
  ],
  refreshContext: async ({ formContext: { audience: knownAudience, ...formContext } }, call) => ({
    ...formContext,
    ...toKnownAudience(await fetchAudience(call, formContext.channel, knownAudience)),
  }),
  deriveChanges: ({ values, formContext }) =>
    values.projects.length > 0 ? {} : { values: { projects: formContext.boundProjects } },
  check: ({ values }) => ({ kind: 'valid', contents: [values.projects] }),
  createConfirmation: ([chosenProjects = []], { formContext }) =>
    chosenProjects.length > 0 && !isInternal(formContext.audience)
      ? {
          title: 'Shared channel',
          blocks: [plainSection(renderAudience(formContext.audience, chosenProjects.length))],
          submitLabel: 'Use it anyway',
        }
      : undefined,
  onSubmit: { respond: bindChosenProjects },
};

async function bindChosenProjects(
  call: SubmissionCall,
  chosenProjects: NamedRecord[],
  { formContext }: { formContext: BindingContext },
  { showErrors }: { showErrors(errors: { projects?: string }): Promise<void> },
): Promise<void> {
  const { channel } = formContext;
  // The readers are fetched again, because the form may have been open for days.
  const audience = await fetchAudience(call, channel, formContext.audience);
  const confirmedReadersHash = hashReaders(formContext.audience);
  const result = await bindChannel(call, {
    channel,
    audience,
    projects: chosenProjects,
    confirmedReadersHash,
  });
  if (!result)
    return showErrors({
      projects: `Nothing was changed. ${renderReaders(audience)} Submit again to confirm.`,
    });
  await call.answer({
    view: {
      type: 'modal',
      title: plain('Saved', LIMITS.viewTitle),
      close: plain('Close', LIMITS.viewTitle),
      blocks: [plainSection(renderBinding(chosenProjects, audience, result.otherProjectCount))],
    },
  });
}

async function readProjects({ context }: Call): Promise<Records<Project> | undefined> {
  const outcome = await context.reads.listProjects(context.api);
  return outcome.kind === 'done' ? outcome.data : undefined;
}
