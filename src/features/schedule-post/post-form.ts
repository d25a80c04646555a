import type { KnownBlock } from '@slack/types';
import type { Call } from '../../app/call.ts';
import type { Confirmation, Form, FormChange, FormState } from '../../forms/form.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderPostBody } from '../../posts/post-text.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { checkPost } from './form/check-post.ts';
import { FORM_NAME, fields } from './form/fields.ts';
import { findNearbyPosts, renderNearbyBlocks, renderNearbyPosts } from './form/nearby-posts.ts';
import {
  checkPlatformRules,
  FINDING_FIELDS,
  MORE_TEXT_BUTTON,
  type PlatformRulesState,
  renderPlatformFindings,
} from './form/platform-findings.ts';
import { type PostFormContext, postFormLoader } from './form/post-form-context.ts';
import { updateCustomEmoji } from './form/post-text.ts';
import {
  hideableFillFields,
  insertTemplate,
  listHiddenFills,
  renderTemplateNote,
  updateTemplate,
} from './form/template-text.ts';
import { countTextFields, getHiddenTextFields, hideableTextFields, toTextValues } from './form/text-parts.ts';
import { type PostContent, toCardPost } from './sent/post-content.ts';
import { postSubmission } from './sent/post-submission.ts';
import {
  CHOICE_BUTTONS,
  chooseMoment,
  deriveZoneAndMoments,
  findOutdatedWhen,
  renderWhenBlocks,
} from './when/when-field.ts';
import { renderMomentLine } from './when/when-text.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/** The form for a post, which is scheduled or saved as a draft. */
export const postForm: Form<typeof fields, PostFormContext, PostContent> = {
  name: FORM_NAME,
  version: 3,
  title: 'Schedule a post',
  loadingTitle: 'New post',
  // "Send" would suggest that the post goes out now.
  submitLabel: ({ values }) => (values.status === 'DRAFT' ? 'Save draft' : 'Schedule'),
  command: '/schedule-post',
  fields,
  contextLoader: postFormLoader,
  footer: 'Scheduled posts can’t be edited. Scheduling a draft makes a copy.',
  hideableFields: [...hideableTextFields, ...hideableFillFields],
  findHiddenFields: ({ values, formContext }) => [
    ...getHiddenTextFields(countTextFields(values, formContext.textFieldCount)),
    ...listHiddenFills({ values, formContext }),
  ],
  renderAboveFields: ({ formContext: { notes = [] } }) =>
    notes.length === 0 ? [] : [context(plain(notes.join('\n')))],
  renderBelowFields: (state) => ({
    ...renderPlatformFindings(state),
    when: [...renderWhenBlocks(state), ...renderNearbyBlocks(state)],
    status: renderAccessBlocks(state),
    template: renderTemplateNote(state),
  }),
  refreshContext: refreshPostContext,
  deriveChanges: derivePostChanges,
  buttonHandlers: {
    ...Object.fromEntries(CHOICE_BUTTONS.map((choice) => [choice, chooseMoment])),
    [MORE_TEXT_BUTTON]: (_value, { values, formContext }) => ({
      formContext: {
        ...formContext,
        textFieldCount: countTextFields(values, formContext.textFieldCount) + 1,
      },
    }),
  },
  check: checkPost,
  findOutdatedField: findOutdatedWhen,
  createConfirmation: createPostsConfirmation,
  destination: { kind: postSubmission, toValues: toFormValues },
};

/** Derives the text of a chosen template, the status that the actor may choose, the zone and the shown moments. */
function derivePostChanges(changedState: PostState): FormChange<typeof fields, PostFormContext> {
  const inserted = insertTemplate(changedState);
  const state = chooseAllowedStatus({
    ...changedState,
    formContext: inserted.formContext ?? changedState.formContext,
  });
  const { values, formContext = state.formContext } = deriveZoneAndMoments(state);
  return { values: { status: state.values.status, ...values, ...inserted.values }, formContext };
}

/** Tells people who may only save drafts how to get access. */
function renderAccessBlocks(state: PostState): KnownBlock[] {
  const note = renderDraftOnlyNote(state);
  if (note === undefined) return [];
  return [context(`${note} To schedule posts, request the Publisher role with \`/upnext roles\`.`)];
}

/** Converts a submitted post to the form's values, with the moment as the form showed it. */
function toFormValues({ values: { furtherTexts = [], ...values }, project, moment, draft }: PostContent) {
  return {
    ...values,
    ...toTextValues([values.text, ...furtherTexts]),
    zone: { zone: values.zone },
    project,
    ...(draft !== undefined && { draft }),
    ...(moment && {
      shownMoments: {
        text: values.when.trim(),
        zone: values.zone,
        moments: [{ ...moment, notes: moment.notes ?? [] }],
        notes: [],
      },
    }),
  };
}

/** Creates the confirmation of several posts, with a list of their moments. Undefined for a single post. */
function createPostsConfirmation(
  contents: readonly PostContent[],
  state: PlatformRulesState,
): Confirmation | undefined {
  const [firstContent] = contents;
  if (!firstContent || contents.length === 1) return undefined;
  const { now, formContext } = state;
  const { warnings } = checkPlatformRules(state);
  const warningLines = [
    ...renderNearbyPosts(state),
    ...FINDING_FIELDS.flatMap((field) => warnings[field]),
  ].map((warning) => `⚠️ ${warning}`);
  const isDraft = firstContent.values.status === 'DRAFT';
  const noun = isDraft ? 'drafts' : 'posts';
  const moments = contents.flatMap(({ moment }) => (moment ? [moment] : []));
  const lines = moments.map(
    ({ instant, zone }) =>
      `• ${renderMomentLine({ instant: new Date(instant), zone }, now, formContext.actorZone)}`,
  );
  const { content, media, templateId, promptId } = toCardPost(firstContent);
  return {
    title: `${contents.length} ${noun}`,
    submitLabel: isDraft ? `Save ${contents.length} drafts` : `Schedule ${contents.length}`,
    blocks: [
      section(`The same content as *${contents.length} ${noun}*. If one fails, the others still go out.`),
      section(lines.join('\n')),
      context(
        plain(`Project: ${firstContent.project.name}`),
        plain(
          firstContent.values.platforms.length > 0
            ? renderPlatformNames(firstContent.values.platforms)
            : 'No platform',
        ),
      ),
      ...renderPostBody({ content, media, templateId, promptId, platforms: [] }),
      ...(warningLines.length > 0 ? [context(plain(warningLines.join('\n')))] : []),
      context('You can’t edit them after scheduling.'),
    ],
  };
}

/**
 * Updates the custom emoji of the text, the chosen template, the posts near the chosen times, and whether the actor may
 * only save drafts in the chosen project.
 */
export async function refreshPostContext(state: PostState, call: Call): Promise<PostFormContext> {
  const [{ customEmoji }, formContext, nearbyPosts] = await Promise.all([
    updateCustomEmoji(state, call),
    updateTemplate(state, call),
    findNearbyPosts(state, call),
  ]);
  return {
    ...formContext,
    customEmoji,
    nearbyPosts,
    isDraftOnly: call.lacks('publisher', state.values.project?.id),
  };
}

/** Chooses "Draft" if the actor may only save drafts. Restores "Scheduled" for a project where the actor may schedule. */
export function chooseAllowedStatus(state: PostState): PostState {
  const { values, formContext } = state;
  const { isDraftOnly = false, isDraftForced = false } = formContext;
  if (isDraftOnly && values.status === 'SCHEDULED')
    return {
      ...state,
      values: { ...values, status: 'DRAFT' },
      formContext: { ...formContext, isDraftForced: true },
    };
  if (!isDraftOnly && isDraftForced)
    return {
      ...state,
      values: { ...values, status: 'SCHEDULED' },
      formContext: { ...formContext, isDraftForced: false },
    };
  return state;
}

/** Renders what the actor can do instead of scheduling (plain text). Undefined if the actor may schedule. */
export function renderDraftOnlyNote({
  values,
  formContext,
}: {
  values: { project: unknown };
  formContext: PostFormContext;
}): string | undefined {
  if (!formContext.isDraftOnly) return undefined;
  return values.project ? 'You can only save drafts in this project.' : 'You can only save drafts.';
}
