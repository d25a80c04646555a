import { z } from 'zod';
import { type Facts, zonedFacts, zoneFacts } from '../../../forms/loaded.ts';
import { wordsAsText } from '../begin/line-beginning.ts';
import { postBeginning } from '../begin/post-beginning.ts';

const moment = z.object({
  instant: z.string(),
  zone: z.string(),
  /** What was assumed, in sentences. */
  notes: z.array(z.string()),
});

/** Words as they were read in a zone, and the moments that they were shown as. */
const shown = z.object({
  words: z.string(),
  /** The zone that they were read in, which is not the moments' where the words name one. */
  zone: z.string(),
  moments: z.array(moment).min(1),
  /** About all of them. */
  notes: z.array(z.string()),
});
export type ShownMoments = z.infer<typeof shown>;

const postFacts = zonedFacts.extend({
  /** The moments that were shown last: while their words stand they are meant, whatever the clock does. */
  shown: shown.optional(),
  /** How many fields for the text were asked for. */
  texts: z.number().optional(),
  /** Which of the text's `:codes:` are the workspace's own emoji; absent where Slack did not say. */
  ownEmoji: z.array(z.string()).optional(),
  /** What is to be known of what the form began with; plain text. */
  said: z.array(z.string()).optional(),
  /** The id of the draft that this is a copy of. */
  draft: z.string().optional(),
});
export type PostFacts = z.infer<typeof postFacts>;

/** What the form for a post rests on: the projects, who reads, which zones were chosen, and what it began with. */
export const postFormFacts: Facts<PostFacts> = {
  schema: postFacts,
  async load(call, begin) {
    const beginning = postBeginning(call, begin);
    // These name their project, and only what is known to be wanted is sure to be among those that are listed.
    const names = begin.prefill?.copy !== undefined || begin.prefill?.line !== undefined;
    const { project } = names ? (await beginning).prefill : {};
    const about = project === undefined ? begin : { ...begin, prefill: { ...begin.prefill, project } };
    const [base, begun] = await Promise.all([
      zoneFacts.load(call, { ...about, lastWillDo: true }),
      beginning,
    ]);
    if ('trouble' in base) return base;
    const reader = { locale: base.facts.readerLocale, now: call.now() };
    const { prefill, ...more } = begin.prefill?.line === undefined ? begun : wordsAsText(begun, reader);
    const again = shown.safeParse(begin.prefill?.shown);
    return {
      facts: { ...base.facts, ...more, ...(again.success && { shown: again.data }) },
      prefill,
    };
  },
};
