import type { Confirmation, Form } from '../../forms/form.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import { renderPostBody } from '../../posts/render-post.ts';
import { context, plain, section } from '../../slack/blocks.ts';
import { checkPost } from './form/check-post.ts';
import { FORM, fields } from './form/fields.ts';
import { JUDGED, type JudgedState, judgementBlocks, judgePost, MORE_TEXT } from './form/judge-post.ts';
import { type PostFormContext, postFormLoader } from './form/post-form-context.ts';
import { findWorkspaceEmoji } from './form/post-text.ts';
import { hiddenTexts, mayHideTexts, textCount, textValues } from './form/text-parts.ts';
import { cardPost, type PostContent } from './sent/post-content.ts';
import { postSubmission } from './sent/post-submission.ts';
import { CHOICES, chooseMoment, deriveWhen, outdatedWhen, whenBlocks } from './when/when-field.ts';
import { momentLine } from './when/when-words.ts';

/** A post, scheduled or saved as a draft. */
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
  hideableFields: mayHideTexts,
  findHiddenFields: ({ values, formContext }) => hiddenTexts(textCount(values, formContext.texts)),
  renderAboveFields: ({ formContext: { said = [] } }) =>
    said.length === 0 ? [] : [context(plain(said.join('\n')))],
  renderBelowFields: (state) => ({ ...judgementBlocks(state), when: whenBlocks(state) }),
  refreshContext: findWorkspaceEmoji,
  deriveChanges: deriveWhen,
  buttonHandlers: {
    ...Object.fromEntries(CHOICES.map((choice) => [choice, chooseMoment])),
    [MORE_TEXT]: (_value, { values, formContext }) => ({
      formContext: { ...formContext, texts: textCount(values, formContext.texts) + 1 },
    }),
  },
  check: checkPost,
  findOutdatedField: outdatedWhen,
  createConfirmation: confirmPosts,
  destination: { kind: postSubmission, toValues },
};

/** The form's values of a submitted post, with the moment as the form showed it. */
function toValues({ values: { more = [], ...values }, project, moment, draft }: PostContent) {
  return {
    ...values,
    ...textValues([values.text, ...more]),
    zone: { zone: values.zone },
    project,
    ...(draft !== undefined && { draft }),
    ...(moment && {
      shown: {
        words: values.when.trim(),
        zone: values.zone,
        moments: [{ ...moment, notes: moment.notes ?? [] }],
        notes: [],
      },
    }),
  };
}

/** Several posts at once need a confirmation that lists them; a single post needs none. */
function confirmPosts(contents: readonly PostContent[], state: JudgedState): Confirmation | undefined {
  const [first] = contents;
  if (!first || contents.length === 1) return undefined;
  const { now, formContext } = state;
  const { warnings } = judgePost(state);
  const said = JUDGED.flatMap((field) => warnings[field].map((words) => `⚠️ ${words}`));
  const isDraft = first.values.status === 'DRAFT';
  const what = isDraft ? 'drafts' : 'posts';
  const moments = contents.flatMap(({ moment }) => (moment ? [moment] : []));
  const lines = moments.map(
    ({ instant, zone }) =>
      `• ${momentLine({ instant: new Date(instant), zone }, now, formContext.actorZone)}`,
  );
  const { content, media, templateId, promptId } = cardPost(first);
  return {
    title: `${contents.length} ${what}`,
    submitLabel: isDraft ? `Save ${contents.length} drafts` : `Schedule ${contents.length}`,
    blocks: [
      section(
        `The same content as *${contents.length} ${what}*, one for each moment. Where one fails, the others still go.`,
      ),
      section(lines.join('\n')),
      context(
        plain(`Project: ${first.project.name}`),
        plain(
          first.values.platforms.length > 0 ? renderPlatformNames(first.values.platforms) : 'No platform yet',
        ),
      ),
      ...renderPostBody({ content, media, templateId, promptId, platforms: [] }),
      ...(said.length > 0 ? [context(plain(said.join('\n')))] : []),
      context('None of them can be changed or removed from here once it is sent.'),
    ],
  };
}
