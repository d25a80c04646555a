import type { Confirmation, Form } from '../../forms/form.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderPostBody } from '../../posts/render-post.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { checkPost } from './form/check-post.ts';
import { FORM, fields } from './form/fields.ts';
import { JUDGED_FIELDS, type JudgedState, judgePost, MORE_TEXT, renderJudgement } from './form/judge-post.ts';
import { type PostFormContext, postFormLoader } from './form/post-form-context.ts';
import { updateCustomEmoji } from './form/post-text.ts';
import { countTextFields, getHiddenTextFields, hideableTextFields, toTextValues } from './form/text-parts.ts';
import { type PostContent, toCardPost } from './sent/post-content.ts';
import { postSubmission } from './sent/post-submission.ts';
import { CHOICE_NAMES, chooseMoment, deriveWhen, findOutdatedWhen, renderWhen } from './when/when-field.ts';
import { renderMomentLine } from './when/when-text.ts';

/** The form for a post, which is scheduled or saved as a draft. */
export const postForm: Form<typeof fields, PostFormContext, PostContent> = {
  name: FORM,
  version: 3,
  title: 'Schedule a post',
  loadingTitle: 'New post',
  // "Send" would suggest that the post goes out now.
  submitLabel: ({ values }) => (values.status === 'DRAFT' ? 'Save draft' : 'Schedule'),
  command: '/schedule-post',
  fields,
  contextLoader: postFormLoader,
  footer:
    'Once it is sent it cannot be changed or removed from here, and of a draft only a copy can be scheduled.',
  hideableFields: hideableTextFields,
  findHiddenFields: ({ values, formContext }) =>
    getHiddenTextFields(countTextFields(values, formContext.textFieldCount)),
  renderAboveFields: ({ formContext: { notes = [] } }) =>
    notes.length === 0 ? [] : [context(plain(notes.join('\n')))],
  renderBelowFields: (state) => ({ ...renderJudgement(state), when: renderWhen(state) }),
  refreshContext: updateCustomEmoji,
  deriveChanges: deriveWhen,
  buttonHandlers: {
    ...Object.fromEntries(CHOICE_NAMES.map((choice) => [choice, chooseMoment])),
    [MORE_TEXT]: (_value, { values, formContext }) => ({
      formContext: {
        ...formContext,
        textFieldCount: countTextFields(values, formContext.textFieldCount) + 1,
      },
    }),
  },
  check: checkPost,
  findOutdatedField: findOutdatedWhen,
  createConfirmation: confirmPosts,
  destination: { kind: postSubmission, toValues: toFormValues },
};

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

/** Asks for confirmation of several posts, with a list of them. A single post needs no confirmation. */
function confirmPosts(contents: readonly PostContent[], state: JudgedState): Confirmation | undefined {
  const [first] = contents;
  if (!first || contents.length === 1) return undefined;
  const { now, formContext } = state;
  const { warnings } = judgePost(state);
  const warningLines = JUDGED_FIELDS.flatMap((field) => warnings[field].map((warning) => `⚠️ ${warning}`));
  const isDraft = first.values.status === 'DRAFT';
  const noun = isDraft ? 'drafts' : 'posts';
  const moments = contents.flatMap(({ moment }) => (moment ? [moment] : []));
  const lines = moments.map(
    ({ instant, zone }) =>
      `• ${renderMomentLine({ instant: new Date(instant), zone }, now, formContext.actorZone)}`,
  );
  const { content, media, templateId, promptId } = toCardPost(first);
  return {
    title: `${contents.length} ${noun}`,
    submitLabel: isDraft ? `Save ${contents.length} drafts` : `Schedule ${contents.length}`,
    blocks: [
      section(
        `The same content as *${contents.length} ${noun}*, one for each moment. Where one fails, the others still go.`,
      ),
      section(lines.join('\n')),
      context(
        plain(`Project: ${first.project.name}`),
        plain(
          first.values.platforms.length > 0 ? renderPlatformNames(first.values.platforms) : 'No platform yet',
        ),
      ),
      ...renderPostBody({ content, media, templateId, promptId, platforms: [] }),
      ...(warningLines.length > 0 ? [context(plain(warningLines.join('\n')))] : []),
      context('None of them can be changed or removed from here once it is sent.'),
    ],
  };
}
