import { z } from 'zod';
import { namedRecord } from '../../../forms/field.ts';
import { type ContextLoader, type OpenOptions, zonedLoader } from '../../../forms/form-context.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import type { Call } from '../../../handlers/call.ts';
import { pickDefaultZone } from '../../../preferences/zones.ts';
import { getParsingZone, type PostZone, postZoneField } from '../form/fields.ts';
import { findMedia } from '../form/media-field.ts';
import {
  editedSeriesSchema,
  heldPostSchema,
  type PostFormContext,
  postFormContextSchema,
  shownMomentsSchema,
  toFormPolicies,
} from '../form/post-form-context.ts';
import { findTemplate } from '../form/post-text.ts';
import { fitPrefilledTexts } from '../form/text-fields.ts';
import { findFormSlot } from '../when/read-when.ts';
import {
  findLastPlatforms,
  type InitialValues,
  messageSchema,
  prefillFromCopy,
  prefillFromLine,
  prefillFromMessage,
} from './initial-values.ts';

/** Loads what the form of a post knows, and its initial values. */
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
    // As the field's initial value: a project that isn't there gives way to the preselected one.
    const givenProject =
      loadedContext.projects.find(({ id }) => id === combinedPrefill.project?.id) ?? preselectedProject;
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
    const slot = await findFormSlot(call, {
      values: {
        when: combinedPrefill.when ?? '',
        zone: keptZone.zone ?? combinedPrefill.zone ?? { zone: defaultZone },
        project: initialProject,
        platforms: lastPlatforms ? lastPlatforms.platforms : platforms,
      },
      formContext: loadedContext,
      now: call.now(),
    });
    return {
      formContext: {
        ...loadedContext,
        ...(preselectedProject && { preselectedProject }),
        ...(givenProject && { givenProject }),
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
): { zone?: PostZone } {
  const isOutdated = zone?.isDefault && when.trim() !== '' && getParsingZone(zone) !== defaultZone;
  return isOutdated ? { zone: { ...zone, isDefault: false } } : {};
}

/** The prefill that the form understands. Values of the wrong type are ignored. */
export const prefillSchema = z.object({
  /** The opaque id of a stored post (see forms/post-copies.ts). */
  copy: z.string().optional().catch(undefined),
  /** The text after the command. */
  line: z.string().optional().catch(undefined),
  /** What differs between that text and the message in Slack. */
  changes: z.array(z.string()).optional().catch(undefined),
  message: messageSchema.optional().catch(undefined),
  /** The id of the draft to copy. */
  draft: z.string().optional().catch(undefined),
  heldPost: heldPostSchema.optional().catch(undefined),
  series: editedSeriesSchema.optional().catch(undefined),
  project: namedRecord.optional().catch(undefined),
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
  const { copy, line, changes, message, draft, project, template, text, when } = prefillSchema.parse(
    openOptions.prefill ?? {},
  );
  if (copy !== undefined) return addTemplate(call, await prefillFromCopy(call, copy, when));
  if (line !== undefined) return prefillFromLine(call, line, changes ?? []);
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
