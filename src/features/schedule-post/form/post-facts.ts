import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import type { Named } from '../../../forms/field.ts';
import { type Begin, type Facts, zonedFacts, zoneFacts } from '../../../forms/loaded.ts';
import { type Beginning, copiedPost, messageBeginning, startingMessage } from '../begin/beginning.ts';
import { lineBeginning, wordsAsText } from '../begin/line-beginning.ts';

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

const asked = z.object({
  /** See forms/post-copies.ts. */
  copy: z.string().optional().catch(undefined),
  /** What was written after the command. */
  line: z.string().optional().catch(undefined),
  message: startingMessage.optional().catch(undefined),
  draft: z.string().optional().catch(undefined),
  project: z.object({ id: z.string() }).optional().catch(undefined),
  template: z.object({ id: z.string(), name: z.string() }).optional().catch(undefined),
});

/** From a post that is copied, from a line that was typed, from a message of Slack's, or from a template that was named by its id. */
async function postBeginning(call: Call, begin: Begin): Promise<Beginning> {
  const { copy, line, message, draft, project, template } = asked.parse(begin.prefill ?? {});
  if (copy !== undefined) return withTemplateName(call, await copiedPost(call, copy));
  if (line !== undefined) return lineBeginning(call, line);
  if (message) return messageBeginning(call, message);
  if (template && project) {
    const named = await withTemplateName(call, { prefill: { template, project } });
    return { prefill: { template: named.prefill.template } };
  }
  return { prefill: {}, ...(draft !== undefined && { draft }) };
}

/** A template that was named by its id is shown by its name, where the service says that in time. */
async function withTemplateName(call: Call, beginning: Beginning): Promise<Beginning> {
  const { template, project } = asked.parse(beginning.prefill);
  if (!template || !project || template.id !== template.name) return beginning;
  const known = await templateNamed(call, project.id, template.id);
  return known ? { ...beginning, prefill: { ...beginning.prefill, template: known } } : beginning;
}

/** A form does not wait longer for a name; the id says the same. */
const WAIT_MS = 1_500;

/** A template with its name; undefined where the service does not say in time. */
async function templateNamed({ context }: Call, project: string, id: string): Promise<Named | undefined> {
  const late = delay(WAIT_MS, undefined, { ref: false });
  const outcome = await Promise.race([context.reads.templates(context.api, project), late]);
  if (outcome?.kind !== 'done') return undefined;
  const found = outcome.data.items.find((template) => template.id === id);
  return found && { id: found.id, name: found.name };
}
