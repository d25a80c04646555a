import type { KnownBlock } from '@slack/types';
import { claimOnce } from '../../engine/once-claim.ts';
import { buildActionId } from '../../forms/field.ts';
import type { Form, FormChange } from '../../forms/form.ts';
import type { Call } from '../../handlers/call.ts';
import { showsAltText } from '../../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { noteUsedOrder } from '../../preferences/date-order.ts';
import { listPolicies, mayBeReviewed } from '../../preferences/project-policy.ts';
import { actions, button, context, plain } from '../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../slack/message.ts';
import { checkPost, findRequiredPostFields, hasSeveralTexts } from './form/check-post.ts';
import {
  FILL_FIELD_NAMES,
  FORM_NAME,
  fields,
  isKeptInReview,
  OPTION_FIELDS,
  type PartName,
  type PostState,
} from './form/fields.ts';
import {
  getHiddenMedia,
  getMedia,
  getMediaField,
  isFileNew,
  keepMedia,
  listHiddenMediaFields,
  offersFiles,
  REMOVE_MEDIA_BUTTON,
  updateMedia,
} from './form/media-field.ts';
import { findNearbyPosts, renderNearbyBlocks } from './form/nearby-posts.ts';
import {
  checkPlatformRules,
  LEAVE_OUT_BUTTON,
  MORE_TEXT_BUTTON,
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

/** The name of [More options]. */
const MORE_OPTIONS_BUTTON = 'more-options';

export const postForm: Form<typeof fields, PostFormContext, PostContent> = {
  name: FORM_NAME,
  version: 7,
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
    ...(['file', ...OPTION_FIELDS, 'gap'] as const),
  ],
  findHiddenFields: (state) => [
    ...(hasSeveralTexts(state) ? [] : (['gap'] as const)),
    ...FURTHER_FIELD_NAMES.slice(countTextFields(state.values, state.formContext.textFieldCount) - 1),
    ...listHiddenFills(state),
    ...listHiddenOwnTexts(state.values),
    ...listHiddenOptions(state.formContext),
    ...listHiddenMediaFields(state),
  ],
  computeHiddenValues: (hiddenFields, state) => ({
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
    const findingBlocks = renderPlatformFindings(state);
    const moreOptions = renderMoreOptions(state.formContext);
    // The button comes after the fields that are always shown.
    const isFileLast = offersFiles(state.formContext);
    return {
      ...findingBlocks,
      when: [
        ...renderWhenBlocks(state),
        // What the press does is read before it, so it stands above the fields that are below the fold.
        context(renderFormOutlook(state), ...(state.formContext.isFirstPractice ? [EMULATOR_NOTICE] : [])),
        ...renderNearbyBlocks(state),
        ...renderHoldingQuestion(state),
      ],
      status: [...renderAccessBlocks(state), ...(isFileLast ? [] : moreOptions)],
      file: [...(findingBlocks.file ?? []), ...(isFileLast ? moreOptions : [])],
      template: renderTemplateNote(state),
    };
  },
  refreshContext: refreshPostContext,
  deriveChanges: derivePostChanges,
  buttonHandlers: {
    ...Object.fromEntries(CHOICE_BUTTONS.map((choice) => [choice, chooseMoment])),
    [MORE_OPTIONS_BUTTON]: (_value, { formContext }) => ({
      formContext: { ...formContext, shownOptions: [...OPTION_FIELDS] },
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

function listHiddenOptions({ shownOptions = [] }: PostFormContext): PartName[] {
  return OPTION_FIELDS.filter((name) => !shownOptions.includes(name));
}

/** Renders [More options]. Empty if the form shows all fields. */
function renderMoreOptions(formContext: PostFormContext): KnownBlock[] {
  if (listHiddenOptions(formContext).length === 0) return [];
  return [actions(button('More options', buildActionId(FORM_NAME, MORE_OPTIONS_BUTTON)))];
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

/** Lists the option fields to show: those shown before, and those with a value or a finding. */
function listShownOptions(state: PostState): PartName[] {
  const shown: readonly string[] = [
    ...(state.formContext.shownOptions ?? []),
    // A default time zone isn't a value, but a missing one has to be chosen.
    ...OPTION_FIELDS.filter((name) => (name === 'zone' ? !state.values.zone.isDefault : state.values[name])),
    ...(hasMediaFindings(state) ? [getMediaField(state)] : []),
    ...(getMedia(state) !== '' && showsAltText(state.values.platforms) ? ['altText'] : []),
  ];
  return OPTION_FIELDS.filter((name) => shown.includes(name));
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
