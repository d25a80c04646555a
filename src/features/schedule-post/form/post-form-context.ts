import { z } from 'zod';
import { namedRecord } from '../../../forms/field.ts';
import type { FormState } from '../../../forms/form.ts';
import {
  type ContextLoader,
  type OpenOptions,
  zonedContextSchema,
  zonedLoader,
} from '../../../forms/form-context.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import type { Call } from '../../../handlers/call.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { pickDefaultZone } from '../../../preferences/zones.ts';
import {
  findLastPlatforms,
  type InitialValues,
  lastPlatformsSchema,
  messageSchema,
  prefillFromCopy,
  prefillFromLine,
  prefillFromMessage,
} from '../prefill/initial-values.ts';
import { getParsingZone, postZoneField, shownMomentsSchema } from '../when/read-when.ts';
import { findFormSlot, foundSlotSchema } from '../when/slot.ts';
import { type fields, OPTION_FIELDS } from './fields.ts';
import { formPolicySchema, toFormPolicies } from './form-policy.ts';
import { findMedia, knownMediaSchema } from './media-field.ts';
import { chosenTemplate, findTemplate } from './template-text.ts';
import { fitPrefilledTexts } from './text-fields.ts';

export const heldPostSchema = z.object({
  id: z.string(),
  version: z.number(),
  /** Whether its reviewers are asked again after the edit. */
  isReviewedAgain: z.boolean().optional(),
  /** Whether a reviewer has returned it, so that it goes to its reviewers again unless it stays a draft. */
  isReturned: z.boolean().optional(),
  /** The platforms that have their part of the post already. */
  sentTo: z.array(z.string()).optional(),
  /** Those of `sentTo` of which that isn't certain. */
  unsure: z.array(z.string()).optional(),
  /** The publishing time with which the post goes over again at once. ISO 8601. */
  sentAgainFor: z.string().optional(),
});
export type EditedHeldPost = z.infer<typeof heldPostSchema>;

/** Says which platforms have the post already, or may have it; plain text. */
export function renderSentTo(
  sentTo: readonly string[],
  { unsure = [] }: Pick<EditedHeldPost, 'unsure'>,
): string {
  const sent = sentTo.filter((platform) => !unsure.includes(platform));
  const uncertain = sentTo.filter((platform) => unsure.includes(platform));
  const verb = sent.length === 1 ? 'has' : 'have';
  return [
    ...(sent.length > 0 ? [`${renderPlatformNames(sent)} already ${verb} this post.`] : []),
    ...(uncertain.length > 0 ? [`${renderPlatformNames(uncertain)} may have this post.`] : []),
  ].join(' ');
}

/** A series, the version that somebody edits, and the dates to which the edit applies; see `DateLimits`. */
const editedSeriesSchema = z.object({
  ...{ id: z.string(), version: z.number() },
  ...{ from: z.number().optional(), before: z.number().optional() },
});
export type EditedSeries = z.infer<typeof editedSeriesSchema>;

const postFormContextSchema = zonedContextSchema.extend({
  /** The most recently shown moments. Stored so that the same text keeps its meaning as time passes. */
  shownMoments: shownMomentsSchema.optional(),
  /** The option fields that the form shows. A shown field stays, even if its value is deleted. */
  shownOptions: z.array(z.enum(OPTION_FIELDS)).optional(),
  /** The end of a text from elsewhere that doesn't fit into the text fields. Nothing is sent until it is left out. */
  excessText: z.string().optional(),
  /** The number of text fields that the author has requested with [Add text field]. */
  textFieldCount: z.number().optional(),
  /** The workspace's custom emoji in the text, without colons; absent if Slack didn't list the workspace's emoji. */
  customEmoji: z.array(z.string()).optional(),
  template: chosenTemplate.optional(),
  /** The placeholders of the chosen template that the form has fields for, in the order of the fields. */
  placeholders: z.array(z.string()).optional(),
  /** The posts of a project near the chosen times; absent if the service didn't list them in time. */
  nearbyPosts: z
    .object({
      project: z.string(),
      posts: z.array(
        z.object({
          instant: z.string(),
          platforms: z.array(z.string()),
          /** Platforms that may refuse it there, because the form has the same text for them. */
          repeatsOn: z.array(z.string()),
        }),
      ),
    })
    .optional(),
  /** Absent if the form doesn't prefill platforms. */
  lastPlatforms: lastPlatformsSchema.optional(),
  /** Whether the actor may save drafts in the chosen project, but not schedule posts. */
  isDraftOnly: z.boolean().optional(),
  /** Whether "Draft" replaced "Scheduled" because of `isDraftOnly`. */
  isDraftForced: z.boolean().optional(),
  /** Notes about the initial values. Plain text. */
  notes: z.array(z.string()).optional(),
  /** The id of the draft that is being copied. */
  draft: z.string().optional(),
  /** The held post that is being edited, and the version that the form shows. */
  heldPost: heldPostSchema.optional(),
  series: editedSeriesSchema.optional(),
  policies: z.record(z.string(), formPolicySchema).optional(),
  /** The slot that was looked up for the text of the time. */
  slot: foundSlotSchema.optional(),
  /** The ids of the projects for which sending is stopped. */
  stoppedProjects: z.array(z.string()).optional(),
  /** Whether the form says that the built-in service publishes nothing: the first one that a person opens. */
  isFirstPractice: z.boolean().optional(),
  /** Whether Upnext has an address from which the service can fetch files. */
  takesFiles: z.boolean().optional(),
  media: knownMediaSchema.optional(),
  /** Whether the actor may change the policy of the chosen project. */
  mayChangePolicy: z.boolean().optional(),
});
export type PostFormContext = z.infer<typeof postFormContextSchema>;

/** The form for a post, as its parts read it. */
export type PostState = FormState<typeof fields, PostFormContext>;

export const postFormLoader: ContextLoader<PostFormContext> = {
  schema: postFormContextSchema,
  async load(call, openOptions, settings) {
    const pendingValues = loadInitialValues(call, openOptions);
    // A copy or a line may name a project. Wait for the name, so that the loaded projects include the named project.
    const mayNameProject = openOptions.prefill?.copy !== undefined || openOptions.prefill?.line !== undefined;
    const { project } = mayNameProject ? (await pendingValues).prefill : {};
    const loaderOptions =
      project === undefined ? openOptions : { ...openOptions, prefill: { ...openOptions.prefill, project } };
    const [loadResult, initialValues] = await Promise.all([
      zonedLoader.load(
        call,
        { ...loaderOptions, allowCached: true, channelName: call.channelName },
        settings,
      ),
      pendingValues,
    ]);
    if ('failureText' in loadResult) return loadResult;
    const { prefill, mustChoose, ...contextFields } = initialValues;
    const wholePrefill = { ...openOptions.prefill, ...prefill };
    const texts = fitPrefilledTexts(wholePrefill);
    const combinedPrefill = prefillSchema.parse(wholePrefill);
    const { preselectedProject: channelProject, ...loadedContext } = loadResult.formContext;
    const preselectedProject = mustChoose?.project ? undefined : channelProject;
    const initialProject = combinedPrefill.project ?? preselectedProject;
    const { platforms = [], heldPost, series, shownMoments } = combinedPrefill;
    // A held post and a series stay in their project.
    const heldProject =
      (heldPost ?? series) && loadedContext.projects.find(({ id }) => id === initialProject?.id);
    const mayPrefillPlatforms =
      openOptions.prefill?.platforms === undefined &&
      openOptions.prefill?.copy === undefined &&
      platforms.length === 0 &&
      !mustChoose?.platforms;
    const media = initialValues.media ?? (await findMedia(call, combinedPrefill.media ?? ''));
    const lastPlatforms = mayPrefillPlatforms
      ? await findLastPlatforms(call, initialProject?.id, loadResult.lastSubmissions)
      : undefined;
    const defaultZone = pickDefaultZone(loadedContext.zones, initialProject?.id)?.zone ?? '';
    const keptZone = keepZone(combinedPrefill, defaultZone);
    const fieldZone = keptZone.zone ?? combinedPrefill.zone;
    const slot = await findFormSlot(call, {
      values: {
        when: combinedPrefill.when ?? '',
        project: initialProject,
        platforms: lastPlatforms ? lastPlatforms.platforms : platforms,
      },
      zone: fieldZone ? getParsingZone(fieldZone) : defaultZone,
      formContext: loadedContext,
      now: call.now(),
    });
    return {
      formContext: {
        ...loadedContext,
        ...(preselectedProject && { preselectedProject }),
        ...contextFields,
        ...(texts.excessText !== '' && { excessText: texts.excessText }),
        isDraftOnly: call.lacks('publisher', initialProject?.id),
        policies: toFormPolicies(loadResult.policies),
        stoppedProjects: [...loadResult.stoppedProjects],
        mayChangePolicy: call.may('manager', initialProject?.id),
        takesFiles: call.context.media.takesFiles,
        ...(media && { media }),
        ...(lastPlatforms && { lastPlatforms }),
        ...(slot && { slot }),
        ...(heldPost && { heldPost }),
        ...(series && { series }),
        ...(heldProject && { projects: [heldProject], hasMore: false, preselectedProject: heldProject }),
        ...(shownMoments && { shownMoments }),
      },
      prefill: {
        ...prefill,
        ...texts.values,
        ...keptZone,
      },
    };
  },
};

/** Keeps the zone of an unfinished form's time although another one is the default by now. */
function keepZone(
  { when = '', zone }: z.infer<typeof prefillSchema>,
  defaultZone: string,
): { zone?: z.infer<typeof postZoneField.valueSchema> } {
  const isOutdated = zone?.isDefault && when.trim() !== '' && getParsingZone(zone) !== defaultZone;
  return isOutdated ? { zone: { ...zone, isDefault: false } } : {};
}

/** The prefill that the form understands. Values of the wrong type are ignored. */
export const prefillSchema = z.object({
  /** The opaque id of a stored post (see forms/post-copies.ts). */
  copy: z.string().optional().catch(undefined),
  /** The text after the command. */
  line: z.string().optional().catch(undefined),
  message: messageSchema.optional().catch(undefined),
  /** The id of the draft to copy. */
  draft: z.string().optional().catch(undefined),
  heldPost: heldPostSchema.optional().catch(undefined),
  series: editedSeriesSchema.optional().catch(undefined),
  project: z.object({ id: z.string() }).optional().catch(undefined),
  template: namedRecord.optional().catch(undefined),
  text: z.string().optional().catch(undefined),
  media: z.string().optional().catch(undefined),
  platforms: z.array(z.string()).optional().catch(undefined),
  /** The platforms with a text of their own. */
  differs: z.array(z.string()).optional().catch(undefined),
  status: z.string().optional().catch(undefined),
  when: z.string().optional().catch(undefined),
  shownMoments: shownMomentsSchema.optional().catch(undefined),
  zone: postZoneField.valueSchema.optional().catch(undefined),
});

/** Loads the initial values from a copied post, a typed line, a Slack message, or the id of a template. */
async function loadInitialValues(call: Call, openOptions: OpenOptions): Promise<InitialValues> {
  const { copy, line, message, draft, project, template, text, when } = prefillSchema.parse(
    openOptions.prefill ?? {},
  );
  if (copy !== undefined) return addTemplate(call, await prefillFromCopy(call, copy, when));
  if (line !== undefined) return prefillFromLine(call, line);
  if (message) return prefillFromMessage(call, message);
  if (template && project) {
    const { prefill, ...fields } = await addTemplate(call, { prefill: { template, project, text } });
    const { project: _project, ...templatePrefill } = prefill;
    return { prefill: templatePrefill, ...fields, ...(draft !== undefined && { draft }) };
  }
  return { prefill: {}, ...(draft !== undefined && { draft }) };
}

/**
 * Sets the name of the template in the initial values, and its text if they have none. Keeps its id as the name if the
 * service is too slow.
 */
async function addTemplate(call: Call, initialValues: InitialValues): Promise<InitialValues> {
  const { template, project } = prefillSchema.parse(initialValues.prefill);
  if (!template || !project) return initialValues;
  const found = await findTemplate(call, project.id, template.id);
  if (!found) return initialValues;
  const { id, name, content = '' } = found;
  const hasText = typeof initialValues.prefill.text === 'string' && !isBlank(initialValues.prefill.text);
  return {
    ...initialValues,
    prefill: {
      ...initialValues.prefill,
      ...(!hasText && { text: content }),
      template: { id, name },
    },
    template: { id, content, isInserted: !hasText },
  };
}
