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
import { type AudienceResult, audience, fetchAudience, renderAudience } from '../../slack/audience.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { hashReaders, isInternal, renderReaders } from '../../slack/share-outside.ts';
import { bindHere } from './bind-here.ts';
import { boundText, NOT_HERE } from './use-messages.ts';

const useContextSchema = formContextSchema.extend({
  channel: z.string(),
  bound: z.array(namedRecord),
  /** Undefined if Slack doesn't tell who reads the channel. */
  audience: audience.optional(),
});
type UseContext = z.infer<typeof useContextSchema>;

/** Loads the channel, its current projects and its readers. */
const useContextLoader: ContextLoader<UseContext> = {
  schema: useContextSchema,
  async load(call, options) {
    const { channel } = options;
    if (channel === undefined) return { failureText: NOT_HERE.text };
    const [result, ids, readers] = await Promise.all([
      projectLoader.load(call, options),
      listBoundProjects(call.context.db, { workspace: call.actor.workspace, channel }),
      fetchAudience(call, channel),
    ]);
    if ('failureText' in result) return result;
    const all = await readProjects(call);
    const known = all && addMissingProjects(all, ids, call);
    const bound = ids.flatMap((id) => known?.items.find((project) => project.id === id) ?? []);
    return {
      formContext: {
        ...result.formContext,
        channel,
        bound,
        ...keepKnownAudience(readers),
      },
    };
  },
};

const fields = {
  projects: projectsField({
    optional: true,
    hint: 'One or several; with none the channel is about nothing in particular.',
  }),
};

function keepKnownAudience(answer: AudienceResult): Pick<UseContext, 'audience'> {
  return answer && answer !== 'not-checked' ? { audience: answer } : {};
}

/** The form that chooses a channel's projects. */
export const useForm: Form<typeof fields, UseContext, NamedRecord[]> = {
  name: 'use',
  version: 1,
  title: "This channel's projects",
  submitLabel: 'Choose',
  command: '/upnext use',
  fields,
  contextLoader: useContextLoader,
  renderAboveFields: ({ formContext }) => [
    context(plain(renderAudience(formContext.audience, formContext.bound.length))),
  ],
  refreshContext: async ({ formContext: { audience: known, ...formContext } }, call) => ({
    ...formContext,
    ...keepKnownAudience(await fetchAudience(call, formContext.channel, known)),
  }),
  deriveChanges: ({ values, formContext }) =>
    values.projects.length > 0 ? {} : { values: { projects: formContext.bound } },
  check: ({ values }) => ({ kind: 'valid', contents: [values.projects] }),
  createConfirmation: ([chosen = []], { formContext }) =>
    chosen.length > 0 && !isInternal(formContext.audience)
      ? {
          title: 'Shared channel',
          blocks: [plainSection(renderAudience(formContext.audience, chosen.length))],
          submitLabel: 'Choose all the same',
        }
      : undefined,
  destination: { answer: choose },
};

async function choose(
  call: SubmissionCall,
  chosen: NamedRecord[],
  { formContext }: { formContext: UseContext },
  { showErrors }: { showErrors(errors: { projects?: string }): Promise<void> },
): Promise<void> {
  const { channel } = formContext;
  // Fetched again, because the form may have been open for days.
  const audience = await fetchAudience(call, channel, formContext.audience);
  const confirmed = hashReaders(formContext.audience);
  const done = await bindHere(call, { channel, audience, projects: chosen, confirmed });
  if (!done)
    return showErrors({
      projects: `Nothing was changed. ${renderReaders(audience)} Submit again to confirm.`,
    });
  await call.answer({
    view: {
      type: 'modal',
      title: plain('Chosen', LIMITS.viewTitle),
      close: plain('Close', LIMITS.viewTitle),
      blocks: [plainSection(boundText(chosen, audience, done.others))],
    },
  });
}

async function readProjects({ context }: Call): Promise<Records<Project> | undefined> {
  const outcome = await context.reads.listProjects(context.api);
  return outcome.kind === 'done' ? outcome.data : undefined;
}
