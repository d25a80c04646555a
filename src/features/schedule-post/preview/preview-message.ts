import type { Button, KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import type { CheckResult } from '../../../forms/form.ts';
import { FROM_CACHE_NOTICE } from '../../../forms/form-context.ts';
import type { Call } from '../../../handlers/call.ts';
import { listPlatformChoices, renderDestination } from '../../../posts/platforms.ts';
import { renderEditLimitBlocks, renderPostBody, toExcerpt } from '../../../posts/post-text.ts';
import { actions, button, context, escapeText, option, plain, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { EMULATOR_NOTICE, type Message } from '../../../slack/message.ts';
import { FORM_NAME, type fields, findEditability } from '../form/fields.ts';
import { renderNearbyPosts } from '../form/nearby-posts.ts';
import {
  checkPlatformRules,
  FINDING_FIELDS,
  type PlatformRulesState,
  renderCodesNote,
  renderExcess,
  renderFindings,
} from '../form/platform-findings.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { buildPostText } from '../form/post-text.ts';
import { renderOutlook, renderSubmitLabel } from '../hold/held-text.ts';
import { renderDraftOnlyNote } from '../post-form.ts';
import { type PostContent, postTexts } from '../sent/post-content.ts';
import { readWhen } from '../when/read-when.ts';
import { encodeChoice, listOfferedChoices, renderChoice } from '../when/when-field.ts';
import { renderWhenLine } from '../when/when-text.ts';

/** The action ids in a preview. */
export const PREVIEW_ACTIONS = {
  schedule: buildActionId(FORM_NAME, 'preview-schedule'),
  save: buildActionId(FORM_NAME, 'preview-save'),
  draft: buildActionId(FORM_NAME, 'preview-draft'),
  edit: buildActionId(FORM_NAME, 'preview-edit'),
  back: buildActionId(FORM_NAME, 'preview-back'),
  cancel: buildActionId(FORM_NAME, 'preview-cancel'),
  requestAccess: buildActionId(FORM_NAME, 'preview-access'),
  feeds: buildActionId(FORM_NAME, 'preview-feeds'),
  project: buildActionId(FORM_NAME, 'preview-project'),
  platform: buildActionId(FORM_NAME, 'preview-platform'),
} as const;

/** The action ids of the buttons for moments. Slack requires a separate id for each button. */
export const MOMENT_ACTIONS = [0, 1, 2, 3].map((index) =>
  buildActionId(FORM_NAME, `preview-moment-${index}`),
);

/**
 * Maximum projects in the menu: a message holds about 11,000 characters, and an option takes about 100. To choose
 * another project, people press [Edit] and search all projects in the form.
 */
const MAX_PROJECTS = 40;

/** The part of the form's state that a preview shows. */
type PreviewState = PlatformRulesState & {
  values: { project: PostContent['project'] | undefined };
};

/** A preview of a typed line: the post, and the result of its check. */
interface Preview {
  /** The opaque id of the stored preview. The values of all buttons begin with the id. */
  id: string;
  state: PreviewState;
  checkResult: CheckResult<typeof fields, PostContent>;
  isEmulated: boolean;
}

/** Renders a preview, which only its author sees. */
export function renderPreview(preview: Preview): Message {
  const { state, checkResult, isEmulated } = preview;
  const { values, now } = state;
  const isDraft = values.status === 'DRAFT';
  const [firstContent] = checkResult.kind === 'valid' ? checkResult.contents : [];
  const postCount = checkResult.kind === 'valid' ? checkResult.contents.length : 0;
  const question = `Ready to ${isDraft ? 'save' : lowerFirst(renderSubmitLabel(state))}?`;
  const statement = postCount > 1 ? `${postCount} posts. ${question}` : question;
  const { text } = buildPostText(state);
  const title = firstContent ? `${postTexts.renderTitle(firstContent, { now, isEmulated })}: ` : '';
  return {
    text: escapeText(`${statement} ${title}${toExcerpt(text)}`.trim()),
    blocks: [
      section(`*${statement}*`),
      section(renderWhenLine(readWhen(state), state)),
      context(
        plain(renderDestination(values.project?.name, values.platforms)),
        ...(isDraft ? ['Draft'] : []),
      ),
      ...renderPostBody({ content: text, media: values.media, platforms: [] }),
      ...renderNotes(state),
      ...renderMissingValues(preview),
      ...renderAccessNote(state),
      ...renderButtons(preview, postCount),
      ...renderEditLimitBlocks(
        [renderOutlook(state), ...(isEmulated ? [EMULATOR_NOTICE] : [])],
        findEditability(state),
      ),
    ],
  };
}

/** Renders the platform rules' findings, notes for each platform, and notes about the initial values. */
function renderNotes(state: PreviewState): KnownBlock[] {
  const { feedPreviews, ...findings } = checkPlatformRules(state);
  const lines = [
    ...feedPreviews.flatMap(({ platformName, notes }) =>
      notes.length === 0 ? [] : [`${platformName}: ${notes.join(' · ')}`],
    ),
    ...renderNearbyPosts(state).map((warning) => `⚠️ ${warning}`),
    ...(state.formContext.isFromCache ? [FROM_CACHE_NOTICE] : []),
    ...(state.formContext.notes ?? []),
  ];
  return [
    ...renderFindings(findings, FINDING_FIELDS),
    ...(lines.length === 0 ? [] : [context(plain(lines.join('\n')))]),
    ...renderCodesNote(state),
  ];
}

/** Renders the errors of the fields, with buttons for moments, and menus for a missing project or platform. */
function renderMissingValues({ id, state, checkResult }: Preview): KnownBlock[] {
  if (checkResult.kind === 'valid') return [];
  const { errors } = checkResult;
  const { values, formContext } = state;
  const lines = Object.entries(errors).flatMap(([field, error]) =>
    error === undefined || field === 'when' || isFindingShown(state, field) ? [] : [`• ${error}`],
  );
  const choices = errors.when === undefined ? [] : listOfferedChoices(state).slice(0, MOMENT_ACTIONS.length);
  const projects = formContext.projects
    .slice(0, MAX_PROJECTS)
    .map(({ name }, index) => option(name, `${id}.${index}`));
  const platforms = listPlatformChoices().filter(({ platform }) => !values.platforms.includes(platform));
  const inputs = [
    ...choices.map((choice, index) =>
      button(
        renderChoice(choice, readWhen(state), state),
        MOMENT_ACTIONS[index] ?? '',
        `${id}.${encodeChoice(choice)}`,
      ),
    ),
    ...(errors.project === undefined || projects.length === 0
      ? []
      : [renderSelect(PREVIEW_ACTIONS.project, 'Choose a project', projects)]),
    ...(errors.platforms === undefined
      ? []
      : [
          renderSelect(PREVIEW_ACTIONS.platform, 'Choose a platform', [
            ...platforms.map(({ platform, name }) => option(name, `${id}.${platform}`)),
            option('All platforms', `${id}.all`),
          ]),
        ]),
  ];
  return [
    ...(lines.length === 0 ? [] : [section(`*Still needed:*\n${lines.map(escapeText).join('\n')}`)]),
    ...(inputs.length === 0 ? [] : [actions(...inputs)]),
  ];
}

/** Whether the preview already shows the error of this field among the findings of the platform rules. */
function isFindingShown(state: PreviewState, field: string): boolean {
  if (field.startsWith('text') && renderExcess(state) !== undefined) return false;
  const { refusals } = checkPlatformRules(state);
  return FINDING_FIELDS.some(
    (findingField) => field.startsWith(findingField) && refusals[findingField].length > 0,
  );
}

function renderSelect(action: string, placeholder: string, options: ReturnType<typeof option>[]) {
  return {
    type: 'static_select' as const,
    action_id: action,
    placeholder: plain(placeholder, LIMITS.placeholder),
    options,
  };
}

const lowerFirst = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

function renderButtons({ id, state, checkResult }: Preview, postCount: number): KnownBlock[] {
  const isDraft = state.values.status === 'DRAFT';
  const action = isDraft ? PREVIEW_ACTIONS.save : PREVIEW_ACTIONS.schedule;
  const sendButtons: Button[] =
    checkResult.kind === 'valid' ? [button(renderSubmitLabel(state, postCount), action, id, 'primary')] : [];
  const lacksMoment = checkResult.kind === 'invalid' && checkResult.errors.when !== undefined && !isDraft;
  return [
    actions(
      ...sendButtons,
      button('Edit', PREVIEW_ACTIONS.edit, id),
      ...(checkPlatformRules(state).feedPreviews.some(({ isCut }) => isCut)
        ? [button('Show cut text', PREVIEW_ACTIONS.feeds, id)]
        : []),
      ...(canRequestAccess(state) ? [button('Request access', PREVIEW_ACTIONS.requestAccess, id)] : []),
      ...(lacksMoment ? [button('Save as draft instead', PREVIEW_ACTIONS.draft, id)] : []),
      button('Cancel', PREVIEW_ACTIONS.cancel, id),
    ),
  ];
}

interface AccessState {
  values: { project: { id: string } | undefined };
  formContext: PostFormContext;
}

/** Adds the pending request for access to the chosen project to the form context, unless the context has one. */
export async function addPendingRequest<State extends AccessState>(state: State, call: Call): Promise<State> {
  const { values, formContext } = state;
  if (!formContext.isDraftOnly || !values.project || findAccessRequest(state)) return state;
  const request = await call.findRoleRequest('publisher', values.project.id);
  if (!request) return state;
  const { message, canRetry } = request;
  const accessRequest = { project: values.project.id, resultText: message.text, canRetry };
  return { ...state, formContext: { ...formContext, accessRequest } };
}

/** Whether the preview offers [Request access]. A request that was sent isn't offered again. */
function canRequestAccess(state: AccessState): boolean {
  const { values, formContext } = state;
  if (!formContext.isDraftOnly || !values.project) return false;
  return findAccessRequest(state)?.canRetry ?? true;
}

/** Renders a note for people who may only save drafts: what they can do, or the result of their request for access. */
function renderAccessNote(state: AccessState): KnownBlock[] {
  const note = renderDraftOnlyNote(state);
  if (note === undefined) return [];
  const hint = state.values.project ? ' Request access to schedule posts.' : '';
  const request = findAccessRequest(state);
  return [context(...(request ? [note, request.resultText] : [`${note}${hint}`]))];
}

/** Finds the request for access to the chosen project. */
function findAccessRequest({ values, formContext }: AccessState): PostFormContext['accessRequest'] {
  const { accessRequest } = formContext;
  return accessRequest?.project === values.project?.id ? accessRequest : undefined;
}

/**
 * Renders the message that replaces a preview while its post is in the form. An ephemeral message can't be changed when
 * the form is submitted, so its text has to stay true afterwards.
 */
export function renderOpenedInForm(id: string, text: string, isEphemeral: boolean): Message {
  const statement = 'You opened this post in the form.';
  return {
    text: escapeText(`${statement} ${toExcerpt(text)}`.trim()),
    blocks: [
      section(`*${statement}*\nIf you closed the form, go back to the preview.`),
      ...renderPostBody({ content: text, platforms: [] }),
      actions(button('Back to preview', PREVIEW_ACTIONS.back, id)),
      ...(isEphemeral ? [context('This message won’t change when you schedule the post in the form.')] : []),
    ],
  };
}
