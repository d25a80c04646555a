import type { KnownBlock } from '@slack/types';
import { claimOnce } from '../../engine/once-claim.ts';
import { buildActionId } from '../../forms/field.ts';
import type { Form, FormChange } from '../../forms/form.ts';
import type { Call } from '../../handlers/call.ts';
import { showsAltText } from '../../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { noteUsedOrder } from '../../preferences/date-order.ts';
import { listPolicies, mayBeReviewed } from '../../preferences/project-policy.ts';
import { actions, button, clipLine, context, escapeFormatting, plain } from '../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../slack/message.ts';
import { checkPost, findRequiredPostFields, hasSeveralTexts } from './form/check-post.ts';
import {
  FILL_FIELD_NAMES,
  FORM_NAME,
  fields,
  isKeptInReview,
  MEDIA_FIELDS,
  OPTION_FIELDS,
  type OptionName,
  type PostState,
} from './form/fields.ts';
import {
  getHiddenMedia,
  getLastMedia,
  getMedia,
  getMediaField,
  isFileNew,
  keepMedia,
  listHiddenMediaFields,
  REMOVE_MEDIA_BUTTON,
  updateMedia,
} from './form/media-field.ts';
import { findNearbyPosts, renderNearbyBlocks } from './form/nearby-posts.ts';
import {
  checkPlatformRules,
  LEAVE_OUT_BUTTON,
  MORE_TEXT_BUTTON,
  PREVIEW_BUTTON,
  renderPlatformFindings,
} from './form/platform-findings.ts';
import {
  findFormPolicy,
  type PostFormContext,
  renderSentTo,
  toFormPolicies,
} from './form/post-form-context.ts';
import {
  findCustomEmoji,
  insertTemplate,
  listHiddenFills,
  listRequiredPlaceholders,
  renderTemplateNote,
  summarizeUnfinishedPost,
  toUnfinishedPrefill,
  updateTemplate,
} from './form/post-text.ts';
import {
  countTextFields,
  FURTHER_FIELD_NAMES,
  hideableOwnTexts,
  listHiddenOwnTexts,
} from './form/text-fields.ts';
import { renderFormOutlook, renderSubmitLabel } from './hold/held-text.ts';
import { holdFromForm, isPostStored, selectHoldFacts } from './hold/hold-posts.ts';
import { createSeriesConfirmation } from './hold/hold-series.ts';
import { offerHolding, renderHoldingQuestion } from './hold/holding-question.ts';
import { prefillPlatforms, updateLastPlatforms } from './prefill/initial-values.ts';
import { LINE_OFFER_BUTTON, renderLineOffer, takeLineOffer } from './prefill/line-offer.ts';
import { postFormLoader } from './prefill/load-post-form.ts';
import { type PostContent, toFormValues } from './sent/post-content.ts';
import { postSubmission } from './sent/post-submission.ts';
import { findFormSlot, listMoments, readWhen } from './when/read-when.ts';
import {
  CHOICE_BUTTONS,
  chooseMoment,
  deriveZone,
  deriveZoneAndMoments,
  findOutdatedWhenBlocks,
  renderWhenBlocks,
} from './when/when-field.ts';

/** The names of [More options] and [Add media]. */
const MORE_OPTIONS_BUTTON = 'more-options';
const ADD_MEDIA_BUTTON = 'add-media';

export const postForm: Form<typeof fields, PostFormContext, PostContent> = {
  name: FORM_NAME,
  version: 8,
  noun: 'post form',
  // Contributors may save drafts and send posts for review, and publishers may schedule posts: the policy of the project
  // decides, so the role is checked again before a post is stored or sent.
  getSubmitRole: () => 'contributor',
  title: 'Schedule a post',
  findTitle: ({ formContext }) =>
    formContext.series ? 'Edit series' : formContext.heldPost ? 'Edit post' : undefined,
  submitLabel: (state) => renderSubmitLabel(state, listMoments(readWhen(state)).length),
  command: '/schedule-post',
  fields,
  contextLoader: { ...postFormLoader, load: loadOpenedForm },
  // A template already provides the text, so the focus starts on its first placeholder.
  findFocusedField: (state) => listRequiredPlaceholders(state)[0] ?? 'text',
  hideableFields: [
    ...[...FURTHER_FIELD_NAMES, ...FILL_FIELD_NAMES, ...hideableOwnTexts],
    ...([...MEDIA_FIELDS, ...OPTION_FIELDS.filter((name) => name !== 'differs'), 'gap'] as const),
  ],
  findHiddenFields: (state) => [
    ...(hasSeveralTexts(state) ? [] : (['gap'] as const)),
    ...FURTHER_FIELD_NAMES.slice(countTextFields(state.values, state.formContext.textFieldCount) - 1),
    ...listHiddenFills(state),
    ...listHiddenOwnTexts(state.values),
    ...listHiddenOptions(state),
    ...listHiddenMediaFields(state),
  ],
  showFields: (formContext, names) => ({
    ...formContext,
    shownOptions: [...(formContext.shownOptions ?? []), ...names],
  }),
  computeHiddenValues: (hiddenFields, state) => ({
    ...(hiddenFields.includes('project') && { project: state.formContext.givenProject }),
    ...(hiddenFields.includes('status') && { status: 'SCHEDULED' }),
    ...(hiddenFields.includes('zone') && { zone: deriveZone(state) }),
    ...(hiddenFields.includes('media') && { media: getHiddenMedia(state.formContext) }),
  }),
  findRequiredFields: findRequiredPostFields,
  findRefusedPart({ values: { platforms }, formContext: { heldPost } }) {
    const { sentTo = [] } = heldPost ?? {};
    const others = platforms.filter((platform) => !sentTo.includes(platform));
    return sentTo.length === 0 || others.length === 0 ? undefined : renderPlatformNames(others);
  },
  renderAboveFields({ formContext: { notes = [], heldPost, lineOffer } }) {
    const { sentTo = [], unsure } = heldPost ?? {};
    const sentNote = `${renderSentTo(sentTo, { unsure })} What you change goes to the other platforms only.`;
    const lines = [...notes, ...(sentTo.length > 0 ? [sentNote] : [])];
    return [...(lines.length === 0 ? [] : [context(plain(lines.join('\n')))]), ...renderLineOffer(lineOffer)];
  },
  renderBelowFields(state) {
    return {
      ...renderPlatformFindings(state),
      when: [
        ...renderWhenBlocks(state),
        ...renderNearbyBlocks(state),
        ...renderButtons(state),
        ...renderHoldingQuestion(state),
      ],
      status: renderAccessBlocks(state),
      template: renderTemplateNote(state),
    };
  },
  // People choose the project first if neither the channel nor what they came from tells it.
  findFirstFields: ({ formContext }) => (formContext.givenProject ? [] : ['project']),
  footer: renderFooter,
  refreshContext: refreshPostContext,
  deriveChanges: derivePostChanges,
  buttonHandlers: {
    ...Object.fromEntries(CHOICE_BUTTONS.map((choice) => [choice, chooseMoment])),
    [MORE_OPTIONS_BUTTON]: (_value, { formContext }) => ({
      formContext: { ...formContext, shownOptions: [...(formContext.shownOptions ?? []), ...OPTION_FIELDS] },
    }),
    [ADD_MEDIA_BUTTON]: (_value, { formContext }) => ({
      formContext: { ...formContext, shownOptions: [...(formContext.shownOptions ?? []), ...MEDIA_FIELDS] },
    }),
    [MORE_TEXT_BUTTON]: (_value, { values, formContext }) => ({
      formContext: {
        ...formContext,
        textFieldCount: countTextFields(values, formContext.textFieldCount) + 1,
      },
    }),
    [REMOVE_MEDIA_BUTTON]: (_value, { formContext }) => ({
      values: { media: '', file: [], altText: '' },
      formContext: { ...formContext, media: undefined },
    }),
    [LINE_OFFER_BUTTON]: (_value, state) => takeLineOffer(state),
    [LEAVE_OUT_BUTTON]: (_value, { formContext }) => ({
      formContext: { ...formContext, excessText: undefined },
    }),
  },
  check: checkPost,
  findFieldWithOutdatedBlocks: (state) =>
    findOutdatedWhenBlocks(state) ?? (isFileNew(state) && hasMediaFindings(state) ? 'file' : undefined),
  createConfirmation: createSeriesConfirmation,
  onSubmit: {
    kind: postSubmission,
    toValues: toFormValues,
    selectWithForm: selectHoldFacts,
    renderReceiptOffer: offerHolding,
    async intercept(call, contents, state, form) {
      await noteUsedOrder(call.context.db, call.actor, state.values.when);
      const mediaProblem = await keepMedia(call, contents);
      if (mediaProblem !== undefined) return { errors: { [getMediaField(state)]: mediaProblem } };
      return holdFromForm(call, contents, state, form);
    },
  },
  unfinished: {
    noun: 'post',
    getText: summarizeUnfinishedPost,
    toPrefill: toUnfinishedPrefill,
    isStored: isPostStored,
  },
};

/** Loads a form that is opened. A person's first form for a new post says that the built-in service publishes nothing. */
async function loadOpenedForm(...[call, ...rest]: Parameters<typeof postFormLoader.load>) {
  const loaded = await postFormLoader.load(call, ...rest);
  if ('failureText' in loaded) return loaded;
  const { formContext } = loaded;
  const { context, actor } = call;
  const isNew = !formContext.heldPost && !formContext.series;
  const claim = { workspace: actor.workspace, name: `practice.${actor.user}` };
  const isFirstPractice = context.isEmulated && isNew && (await claimOnce(context.db, claim));
  return { ...loaded, formContext: { ...formContext, isFirstPractice } };
}

function listHiddenOptions(state: PostState): OptionName[] {
  const shown = listShownOptions(state);
  return [...MEDIA_FIELDS, ...OPTION_FIELDS].filter((name) => !shown.includes(name));
}

/** Renders [Preview], and the buttons for the fields that the form doesn't show yet. */
function renderButtons(state: PostState): KnownBlock[] {
  const hidden = listHiddenOptions(state);
  const buildShowButton = (label: string, name: string, fieldNames: readonly OptionName[]) =>
    fieldNames.some((field) => hidden.includes(field)) ? [button(label, buildActionId(FORM_NAME, name))] : [];
  return [
    actions(
      ...buildShowButton('Add media', ADD_MEDIA_BUTTON, MEDIA_FIELDS),
      button('Preview', PREVIEW_BUTTON),
      ...buildShowButton('More options', MORE_OPTIONS_BUTTON, OPTION_FIELDS),
    ),
  ];
}

/** Says what the press does, and for which project if no field shows it. */
function renderFooter(state: PostState): string[] {
  const { values, formContext } = state;
  const { project } = values;
  const isHidden = project && listHiddenOptions(state).includes('project');
  const projectText = isHidden ? `For *${escapeFormatting(clipLine(project.name))}* · ` : '';
  return [
    `${projectText}${renderFormOutlook(state)}`,
    ...(formContext.isFirstPractice ? [EMULATOR_NOTICE] : []),
  ];
}

/** Derives the text of a chosen template, the platforms, the status that is possible, the zone and the moments. */
function derivePostChanges(changedState: PostState): FormChange<typeof fields, PostFormContext> {
  const insertion = insertTemplate(changedState);
  const { platforms, formContext: prefilledContext } = prefillPlatforms(
    changedState.values,
    insertion.formContext ?? changedState.formContext,
  );
  const state = chooseAllowedStatus({ ...changedState, formContext: prefilledContext });
  const { values: zoneValues, formContext = state.formContext } = deriveZoneAndMoments(state);
  const values = {
    ...{ status: state.values.status, platforms },
    ...zoneValues,
    ...insertion.values,
    // Slack forgets the upload then. The alt text stays, because it may have been written for the new file already.
    ...(isFileNew(changedState) && { media: getMedia(changedState), file: [] }),
  };
  const derivedState = { ...state, values: { ...state.values, ...values }, formContext };
  return { values, formContext: { ...formContext, shownOptions: listShownOptions(derivedState) } };
}

function hasMediaFindings(state: PostState): boolean {
  const { refusals, warnings } = checkPlatformRules(state);
  return refusals.media.length > 0 || warnings.media.length > 0;
}

/** Lists the fields of media and options to show: those shown before, and those with a value or a finding. */
function listShownOptions(state: PostState): OptionName[] {
  const { shownOptions = [] } = state.formContext;
  const hasMedia = getLastMedia(state) !== '' || state.values.altText !== '' || hasMediaFindings(state);
  return [
    ...MEDIA_FIELDS.filter(
      (name) => shownOptions.includes(name) || (hasMedia && showsMediaField(name, state)),
    ),
    ...OPTION_FIELDS.filter((name) => shownOptions.includes(name) || hasOptionValue(name, state)),
  ];
}

function showsMediaField(name: (typeof MEDIA_FIELDS)[number], { values }: PostState): boolean {
  return name !== 'altText' || values.altText !== '' || showsAltText(values.platforms);
}

/** Whether an option has a value that people have to see: another one than a new post of the form's project has. */
function hasOptionValue(name: (typeof OPTION_FIELDS)[number], { values, formContext }: PostState): boolean {
  const { givenProject, isDraftOnly, heldPost } = formContext;
  switch (name) {
    case 'project':
      return !givenProject || values.project?.id !== givenProject.id;
    case 'status':
      // What people without the role may do stands below this field, and its choices say what becomes of an edited post.
      if (isDraftOnly || heldPost?.isForReview || heldPost?.isForOtherService) return true;
      return values.status !== 'SCHEDULED';
    case 'differs':
      return values.differs.length > 0;
    case 'zone':
      // A default time zone isn't a value, but a missing one has to be chosen.
      return !values.zone.isDefault;
    default:
      return values[name] !== undefined;
  }
}

/** Renders a note for people who may only save drafts: how they go on, or request the role that can schedule. */
function renderAccessBlocks({ values, formContext }: PostState): KnownBlock[] {
  if (!formContext.isDraftOnly || isKeptInReview(formContext)) return [];
  if (formContext.series)
    return [context('Posts that repeat need the Publisher role. Request it with `/upnext roles`.')];
  if (formContext.asksForReview)
    return [context('In this project, your posts go out after a review. You can also save a draft.')];
  const limit = values.project ? 'You can only save drafts in this project.' : 'You can only save drafts.';
  return [context(`${limit} To schedule posts, request the Publisher role with \`/upnext roles\`.`)];
}

/**
 * Updates the custom emoji of the text, the chosen template, the posts near the chosen times, and whether the actor may
 * only save drafts in the chosen project.
 */
async function refreshPostContext(
  state: PostState,
  call: Call,
  { formId, isSubmitted = false }: { formId: string; isSubmitted?: boolean },
): Promise<PostFormContext> {
  const { lastPlatforms } = state.formContext;
  const project = state.values.project?.id;
  const [customEmoji, template, nearbyPosts, media, updatedPlatforms, slot] = await Promise.all([
    findCustomEmoji(state, call),
    updateTemplate(state, call),
    isSubmitted ? state.formContext.nearbyPosts : findNearbyPosts(state, call),
    updateMedia(state, call),
    lastPlatforms && updateLastPlatforms(call, project, lastPlatforms),
    findFormSlot(call, state, formId),
  ]);
  return {
    ...state.formContext,
    ...{ customEmoji, template, nearbyPosts, media, slot, lastPlatforms: updatedPlatforms },
    isDraftOnly: call.lacks('publisher', project),
    mayChangePolicy: call.may('manager', project),
    ...(await refreshPolicies(state, call)),
  };
}

/** Reads again which projects hold posts if a post can't repeat without that: somebody may have turned it on meanwhile. */
async function refreshPolicies(state: PostState, { context: appContext, actor }: Call) {
  if (readWhen(state)?.kind !== 'not-held') return {};
  return { policies: toFormPolicies(await listPolicies(appContext.db, actor.workspace)) };
}

/**
 * Chooses "Draft" if the actor may only save drafts. Restores "Scheduled" for a project where the actor may schedule, or
 * send posts for review. A series has no drafts: saving its edit requires the role.
 */
function chooseAllowedStatus(state: PostState): PostState {
  const { values, formContext } = state;
  const { isDraftOnly = false, isDraftForced = false, series } = formContext;
  if (series) return state;
  const asksForReview = isDraftOnly && !isKeptInReview(formContext) && mayBeReviewed(findFormPolicy(state));
  const mayOnlyDraft = isDraftOnly && !asksForReview;
  const choose = (status: PostState['values']['status'], isForced = isDraftForced): PostState => ({
    ...state,
    values: { ...values, status },
    formContext: { ...formContext, asksForReview, isDraftForced: isForced },
  });
  if (mayOnlyDraft && values.status === 'SCHEDULED') return choose('DRAFT', true);
  return !mayOnlyDraft && isDraftForced ? choose('SCHEDULED', false) : choose(values.status);
}
