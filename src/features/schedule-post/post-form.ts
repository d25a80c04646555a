import type { Confirmation, Form } from '../../forms/form.ts';
import { platformNames } from '../../posts/platforms.ts';
import { postBody } from '../../posts/post-card.ts';
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
  send: ({ typed }) => (typed.status === 'DRAFT' ? 'Save draft' : 'Schedule'),
  command: '/schedule-post',
  fields,
  contextLoader: postFormLoader,
  footer:
    'Once it is sent it cannot be changed or removed from here, and of a draft only a copy can be scheduled.',
  mayHide: mayHideTexts,
  hidden: ({ typed, formContext }) => hiddenTexts(textCount(typed, formContext.texts)),
  head: ({ formContext: { said = [] } }) => (said.length === 0 ? [] : [context(plain(said.join('\n')))]),
  under: (state) => ({ ...judgementBlocks(state), when: whenBlocks(state) }),
  refreshContext: findWorkspaceEmoji,
  deriveChanges: deriveWhen,
  presses: {
    ...Object.fromEntries(CHOICES.map((choice) => [choice, chooseMoment])),
    [MORE_TEXT]: (_value, { typed, formContext }) => ({
      formContext: { ...formContext, texts: textCount(typed, formContext.texts) + 1 },
    }),
  },
  check: checkPost,
  outdatedField: outdatedWhen,
  confirm: confirmPosts,
  destination: { kind: postSubmission, toTyped: toTyped },
};

/** The form's values of a submitted post, with the moment as the form showed it. */
function toTyped({ typed: { more = [], ...typed }, project, moment, draft }: PostContent) {
  return {
    ...typed,
    ...textValues([typed.text, ...more]),
    zone: { zone: typed.zone },
    project,
    ...(draft !== undefined && { draft }),
    ...(moment && {
      shown: {
        words: typed.when.trim(),
        zone: typed.zone,
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
  const isDraft = first.typed.status === 'DRAFT';
  const what = isDraft ? 'drafts' : 'posts';
  const moments = contents.flatMap(({ moment }) => (moment ? [moment] : []));
  const lines = moments.map(
    ({ instant, zone }) =>
      `• ${momentLine({ instant: new Date(instant), zone }, now, formContext.readerZone)}`,
  );
  const { content, media, templateId, promptId } = cardPost(first);
  return {
    title: `${contents.length} ${what}`,
    send: isDraft ? `Save ${contents.length} drafts` : `Schedule ${contents.length}`,
    blocks: [
      section(
        `The same content as *${contents.length} ${what}*, one for each moment. Where one fails, the others still go.`,
      ),
      section(lines.join('\n')),
      context(
        plain(`Project: ${first.project.name}`),
        plain(first.typed.platforms.length > 0 ? platformNames(first.typed.platforms) : 'No platform yet'),
      ),
      ...postBody({ content, media, templateId, promptId, platforms: [] }),
      ...(said.length > 0 ? [context(plain(said.join('\n')))] : []),
      context('None of them can be changed or removed from here once it is sent.'),
    ],
  };
}
