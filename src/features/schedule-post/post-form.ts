import type { Form } from '../../forms/form.ts';
import { context, plain } from '../../slack/blocks.ts';
import { checkPost } from './form/check-post.ts';
import { confirmPosts } from './form/confirm-post.ts';
import { FORM, fields } from './form/fields.ts';
import { judgementBlocks, MORE_TEXT } from './form/judge-post.ts';
import type { PostContent } from './form/post-content.ts';
import { type PostFacts, postFormFacts } from './form/post-facts.ts';
import { lookForEmoji } from './form/post-text.ts';
import { hiddenTexts, mayHideTexts, textCount, textValues } from './form/text-parts.ts';
import { postSubmission } from './sent/post-submission.ts';
import { settleWhen, whenOvertaken } from './when/settle-when.ts';
import { CHOICES, chooseMoment, whenBlocks } from './when/when-blocks.ts';

/** A post, scheduled or saved as a draft. */
export const postForm: Form<typeof fields, PostFacts, PostContent> = {
  name: FORM,
  version: 3,
  title: 'Schedule a post',
  before: 'New post',
  // "Send" would be taken for now.
  send: ({ typed }) => (typed.status === 'DRAFT' ? 'Save draft' : 'Schedule'),
  command: '/schedule-post',
  fields,
  facts: postFormFacts,
  foot: 'Once it is sent it cannot be changed or removed from here, and of a draft only a copy can be scheduled.',
  mayHide: mayHideTexts,
  hidden: ({ typed, facts }) => hiddenTexts(textCount(typed, facts.texts)),
  head: ({ facts: { said = [] } }) => (said.length === 0 ? [] : [context(plain(said.join('\n')))]),
  under: (state) => ({ ...judgementBlocks(state), when: whenBlocks(state) }),
  look: lookForEmoji,
  settle: settleWhen,
  presses: {
    ...Object.fromEntries(CHOICES.map((choice) => [choice, chooseMoment])),
    [MORE_TEXT]: (_value, { typed, facts }) => ({
      facts: { ...facts, texts: textCount(typed, facts.texts) + 1 },
    }),
  },
  check: checkPost,
  overtaken: whenOvertaken,
  confirm: confirmPosts,
  ending: { kind: postSubmission, typedOf },
};

/** What stood in the form, and the moment as it was shown there. */
function typedOf({ typed: { more = [], ...typed }, project, moment, draft }: PostContent) {
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
