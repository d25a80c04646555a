import { z } from 'zod';
import type { Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import { type Named, named } from '../../forms/field.ts';
import type { Form } from '../../forms/form.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import { projects } from '../../forms/inputs/project.ts';
import { addUnreadProjects } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { type AudienceResult, audience, fetchAudience, renderAudience } from '../../slack/audience.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { hashReaders, isInternal, renderReaders } from '../../slack/share-outside.ts';
import { bindHere } from './bind-here.ts';
import { boundText, NOT_HERE } from './use-messages.ts';

const useContextSchema = formContextSchema.extend({
  channel: z.string(),
  bound: z.array(named),
  /** Undefined if Slack doesn't tell who reads the channel. */
  audience: audience.optional(),
});
type UseContext = z.infer<typeof useContextSchema>;

/** Loads the channel, its current projects and its readers. */
const useContextLoader: ContextLoader<UseContext> = {
  schema: useContextSchema,
  async load(call, options) {
    const { channel } = options;
    if (channel === undefined) return { trouble: NOT_HERE.text };
    const [result, ids, readers] = await Promise.all([
      projectLoader.load(call, options),
      listBoundProjects(call.context.db, { workspace: call.actor.workspace, channel }),
      fetchAudience(call, channel),
    ]);
    if ('trouble' in result) return result;
    const all = await readProjects(call);
    const known = all && addUnreadProjects(all, ids, call);
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
  projects: projects({
    optional: true,
    hint: 'One or several; with none the channel is about nothing in particular.',
  }),
};

function keepKnownAudience(answer: AudienceResult): Pick<UseContext, 'audience'> {
  return answer && answer !== 'not-checked' ? { audience: answer } : {};
}

/** The form that chooses a channel's projects. */
export const useForm: Form<typeof fields, UseContext, Named[]> = {
  name: 'use',
  version: 1,
  title: "This channel's projects",
  send: 'Choose',
  command: '/upnext use',
  fields,
  contextLoader: useContextLoader,
  head: ({ formContext }) => [context(plain(renderAudience(formContext.audience, formContext.bound.length)))],
  refreshContext: async ({ formContext: { audience: known, ...formContext } }, call) => ({
    ...formContext,
    ...keepKnownAudience(await fetchAudience(call, formContext.channel, known)),
  }),
  deriveChanges: ({ typed, formContext }) =>
    typed.projects.length > 0 ? {} : { typed: { projects: formContext.bound } },
  check: ({ typed }) => ({ kind: 'good', contents: [typed.projects] }),
  confirm: ([chosen = []], { formContext }) =>
    chosen.length > 0 && !isInternal(formContext.audience)
      ? {
          title: 'Shared channel',
          blocks: [plainSection(renderAudience(formContext.audience, chosen.length))],
          send: 'Choose all the same',
        }
      : undefined,
  destination: { answer: choose },
};

async function choose(
  call: SubmissionCall,
  chosen: Named[],
  { formContext }: { formContext: UseContext },
  { again }: { again(errors: { projects?: string }): Promise<void> },
): Promise<void> {
  const { channel } = formContext;
  // Fetched again, because the form may have been open for days.
  const audience = await fetchAudience(call, channel, formContext.audience);
  const confirmed = hashReaders(formContext.audience);
  const done = await bindHere(call, { channel, audience, projects: chosen, confirmed });
  if (!done)
    return again({ projects: `Nothing was changed. ${renderReaders(audience)} Submit again to confirm.` });
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
