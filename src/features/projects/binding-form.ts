import { z } from 'zod';
import { buildDoneEntry } from '../../access/access.ts';
import { listKnownProjects } from '../../api/cached-reads.ts';
import type { Project } from '../../api/projects.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { type Form, type FormAnswer, valid } from '../../forms/form.ts';
import { type ContextLoader, formContextSchema, projectLoader } from '../../forms/form-context.ts';
import { projectsField } from '../../forms/inputs/searched.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import { findGuests, keepOutGuests } from '../../handlers/guests.ts';
import { hashReaders, permitSharingWithOutsiders, renderReaders } from '../../handlers/share-outside.ts';
import { addMissingProjects } from '../../posts/project.ts';
import { bindProjects, listBoundProjects } from '../../preferences/bindings.ts';
import {
  type AudienceResult,
  audience as audienceSchema,
  fetchAudience,
  guestsSchema,
  isDirectMessage,
  isInternal,
  renderAudience,
} from '../../slack/audience.ts';
import { context, plain, plainSection } from '../../slack/blocks.ts';
import { buildModal } from '../../slack/message-view.ts';
import { NO_CHANNEL, renderBinding } from './projects-messages.ts';

const bindingContextSchema = formContextSchema.extend({
  channel: z.string(),
  /** The projects that the channel was bound to when the form was opened. */
  boundProjects: z.array(namedRecord),
  /** The readers of the channel. Undefined if Slack doesn't name them. */
  audience: audienceSchema.optional(),
  guests: guestsSchema.default('unknown'),
  /** Whether a policy of these projects keeps guests out. */
  areKeptOut: z.boolean().default(false),
});
type BindingContext = z.infer<typeof bindingContextSchema>;

const bindingContextLoader: ContextLoader<BindingContext> = {
  schema: bindingContextSchema,
  async load(call, options) {
    const { channel } = options;
    if (channel === undefined) return { failureText: NO_CHANNEL.text };
    const [result, boundIds, readers, guests] = await Promise.all([
      projectLoader.load(call, options),
      listBoundProjects(call.context.db, { workspace: call.actor.workspace, channel }),
      fetchAudience(call, channel),
      findGuests(call, channel),
    ]);
    if ('failureText' in result) return result;
    const projects = await listKnownProjects(call.context);
    const visibleProjects = projects && addMissingProjects(projects, boundIds, call);
    const boundProjects = boundIds.flatMap(
      (id) => visibleProjects?.items.find((project) => project.id === id) ?? [],
    );
    return {
      formContext: {
        ...result.formContext,
        channel,
        boundProjects,
        guests,
        areKeptOut: await keepOutGuests(call, boundIds),
        ...toKnownAudience(readers),
      },
    };
  },
};

const fields = { projects: projectsField({ optional: true, hint: 'Leave empty for none.' }) };

/** Returns the property `audience` of the form context, or no property if the readers aren't known. */
function toKnownAudience(result: AudienceResult): Pick<BindingContext, 'audience'> {
  return result && result !== 'not-checked' ? { audience: result } : {};
}

export const bindingForm: Form<typeof fields, BindingContext, NamedRecord[]> = {
  name: 'use',
  version: 1,
  noun: 'form for a channel’s projects',
  title: 'This channel’s projects',
  submitLabel: 'Save',
  command: '/upnext use',
  fields,
  contextLoader: bindingContextLoader,
  findTitle: ({ formContext }) => (isDirectMessage(formContext.channel) ? 'Projects to follow' : undefined),
  renderAboveFields: ({ formContext: { channel, audience, boundProjects, ...guests } }) =>
    isDirectMessage(channel) ? [] : [context(plain(renderAudience(audience, boundProjects.length, guests)))],
  refreshContext: async ({ formContext: { audience: knownAudience, ...formContext } }, call) => ({
    ...formContext,
    ...toKnownAudience(await fetchAudience(call, formContext.channel, knownAudience)),
  }),
  deriveChanges: ({ values, formContext }) =>
    values.projects.length > 0 ? {} : { values: { projects: formContext.boundProjects } },
  check: ({ values }) => valid(values.projects),
  createConfirmation: ([chosenProjects = []], { formContext }) =>
    chosenProjects.length > 0 && !isInternal(formContext.audience)
      ? {
          title: 'Shared channel',
          blocks: [plainSection(renderAudience(formContext.audience, chosenProjects.length, formContext))],
          submitLabel: 'Use it anyway',
        }
      : undefined,
  onSubmit: { respond: bindChosenProjects },
};

async function bindChosenProjects(
  call: SubmissionCall,
  chosenProjects: NamedRecord[],
  { formContext }: { formContext: BindingContext },
): Promise<FormAnswer> {
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
    return {
      errors: { projects: `Nothing was changed. ${renderReaders(audience)} Submit again to confirm.` },
    };
  const areKeptOut = await keepOutGuests(
    call,
    chosenProjects.map((project) => project.id),
  );
  const readers = { audience, guests: formContext.guests, areKeptOut };
  return {
    view: buildModal('Saved', [
      plainSection(renderBinding(channel, chosenProjects, { ...readers, ...result })),
    ]),
  };
}

const AUDIT_ACTION = 'projects use';

/**
 * Binds a channel to projects. Earlier projects that the actor doesn't manage stay bound. `otherProjectCount` is the
 * number of projects that stay bound.
 *
 * If people of another organisation may read the channel, an owner must have confirmed the readers.
 * `confirmedReadersHash` identifies these readers (see `hashReaders`). If the hash is missing, or if the readers have
 * changed since, resolves with undefined and changes nothing.
 */
export async function bindChannel(
  call: Call,
  binding: {
    channel: string;
    audience: AudienceResult;
    projects: readonly Project[];
    confirmedReadersHash?: string;
  },
): Promise<{ otherProjectCount: number } | undefined> {
  const { context, actor } = call;
  const { channel, audience, projects } = binding;
  if (projects.length > 0 && !isInternal(audience)) {
    await permitSharingWithOutsiders(call, {
      audience,
      subject: AUDIT_ACTION,
      ability: 'choose its projects',
    });
    if (binding.confirmedReadersHash !== hashReaders(audience)) return undefined;
  } else {
    for (const { id } of projects) await call.permit('manager', id, AUDIT_ACTION);
  }
  const boundIds = await bindProjects(context.db, {
    workspace: actor.workspace,
    channel,
    projects: projects.map(({ id }) => id),
    staysBound: (id) => !call.may('manager', id),
    boundAt: call.now(),
  });
  for (const project of projects.length === 0 ? [undefined] : projects.map(({ id }) => id)) {
    const deed = { project, action: AUDIT_ACTION, target: `channel ${channel}` } as const;
    context.record.enqueue(buildDoneEntry(call, deed));
  }
  return { otherProjectCount: boundIds.filter((id) => !projects.some((chosen) => chosen.id === id)).length };
}
