import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import { projectsField } from '../../forms/inputs/project.ts';
import { addMissingProjects } from '../../posts/project.ts';
import { boundProjects } from '../../preferences/bindings.ts';
import { type AudienceAnswer, audience, audienceText, fetchAudience } from '../../slack/audience.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { hashReaders, isInternal, readersText } from '../../slack/share-outside.ts';
import { bindHere } from './bind-here.ts';
import { boundWords, NOT_HERE } from './use-messages.ts';

const seen = formContextSchema.extend({
  channel: z.string(),
  bound: z.array(namedRecord),
  /** Undefined where Slack does not say. */
  audience: audience.optional(),
});
type Seen = z.infer<typeof seen>;

/** The channel, what it is about now, and who reads it. */
const channelFacts: ContextLoader<Seen> = {
  schema: seen,
  async load(call, begin) {
    const { channel } = begin;
    if (channel === undefined) return { trouble: NOT_HERE.text };
    const [result, ids, found] = await Promise.all([
      projectLoader.load(call, begin),
      boundProjects(call.context.db, { workspace: call.actor.workspace, channel }),
      fetchAudience(call, channel),
    ]);
    if ('trouble' in result) return result;
    const all = await projectsOf(call);
    const known = all && addMissingProjects(all, ids, call);
    const bound = ids.flatMap((id) => known?.items.find((project) => project.id === id) ?? []);
    return {
      formContext: {
        ...result.formContext,
        channel,
        bound,
        ...audienceOf(found),
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

function audienceOf(found: AudienceAnswer): Pick<Seen, 'audience'> {
  return found && found !== 'not-checked' ? { audience: found } : {};
}

/** Which projects a channel is about. */
export const useForm: Form<typeof fields, Seen, NamedRecord[]> = {
  name: 'use',
  version: 1,
  title: "This channel's projects",
  submitLabel: 'Choose',
  command: '/upnext use',
  fields,
  contextLoader: channelFacts,
  renderAboveFields: ({ formContext }) => [
    context(plain(audienceText(formContext.audience, formContext.bound.length))),
  ],
  refreshContext: async ({ formContext: { audience: known, ...formContext } }, call) => ({
    ...formContext,
    ...audienceOf(await fetchAudience(call, formContext.channel, known)),
  }),
  deriveChanges: ({ values, formContext }) =>
    values.projects.length > 0 ? {} : { values: { projects: formContext.bound } },
  check: ({ values }) => ({ kind: 'valid', contents: [values.projects] }),
  createConfirmation: ([chosen = []], { formContext }) =>
    chosen.length > 0 && !isInternal(formContext.audience)
      ? {
          title: 'Shared channel',
          blocks: [plainSection(audienceText(formContext.audience, chosen.length))],
          submitLabel: 'Choose all the same',
        }
      : undefined,
  destination: { answer: choose },
};

async function choose(
  call: SubmissionCall,
  chosen: NamedRecord[],
  { formContext }: { formContext: Seen },
  { showErrors }: { showErrors(errors: { projects?: string }): Promise<void> },
): Promise<void> {
  const { channel } = formContext;
  // As it is now: the form may have been open for days.
  const audience = await fetchAudience(call, channel, formContext.audience);
  const confirmed = hashReaders(formContext.audience);
  const done = await bindHere(call, { channel, audience, projects: chosen, confirmed });
  if (!done)
    return showErrors({ projects: `Nothing was changed. ${readersText(audience)} Submit again to confirm.` });
  await call.answer({
    view: {
      type: 'modal',
      title: plain('Chosen', LIMITS.viewTitle),
      close: plain('Close', LIMITS.viewTitle),
      blocks: [plainSection(boundWords(chosen, audience, done.others))],
    },
  });
}

async function projectsOf({ context }: Call): Promise<Records<Project> | undefined> {
  const outcome = await context.reads.projects(context.api);
  return outcome.kind === 'done' ? outcome.data : undefined;
}
