import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import type { NamedRecord } from '../../../forms/field.ts';
import {
  type ContextLoader,
  type OpenOptions,
  zonedContextSchema,
  zonedLoader,
} from '../../../forms/form-context.ts';
import { type Beginning, copiedPost, messageBeginning, startingMessage } from '../begin/beginning.ts';
import { lineBeginning, wordsAsText } from '../begin/line-beginning.ts';

const moment = z.object({
  instant: z.string(),
  zone: z.string(),
  /** What was assumed, in sentences. */
  notes: z.array(z.string()),
});

/** The moments that were shown for a text read in a zone. */
const shown = z.object({
  words: z.string(),
  /** The zone in which the text was read. The moments have another zone if the text names one. */
  zone: z.string(),
  moments: z.array(moment).min(1),
  /** Assumptions about all moments. */
  notes: z.array(z.string()),
});
export type ShownMoments = z.infer<typeof shown>;

const postFormContextSchema = zonedContextSchema.extend({
  /** The moments shown last. They stay the meaning of their text as time passes. */
  shown: shown.optional(),
  /** How many text fields the person has requested. */
  texts: z.number().optional(),
  /** The `:codes:` in the text that are the workspace's own emoji; absent if Slack didn't return them. */
  ownEmoji: z.array(z.string()).optional(),
  /** Notes about the initial values; plain text. */
  said: z.array(z.string()).optional(),
  /** The id of the draft that is being copied. */
  draft: z.string().optional(),
});
export type PostFormContext = z.infer<typeof postFormContextSchema>;

/** Loads projects, the reader's profile, zones, and the initial values of the form for a post. */
export const postFormLoader: ContextLoader<PostFormContext> = {
  schema: postFormContextSchema,
  async load(call, begin) {
    const beginning = postBeginning(call, begin);
    // A copy or a line names its project. The select is certain to have that project only if it is known before
    // loading.
    const names = begin.prefill?.copy !== undefined || begin.prefill?.line !== undefined;
    const { project } = names ? (await beginning).prefill : {};
    const about = project === undefined ? begin : { ...begin, prefill: { ...begin.prefill, project } };
    const [base, begun] = await Promise.all([
      zonedLoader.load(call, { ...about, allowCached: true }),
      beginning,
    ]);
    if ('trouble' in base) return base;
    const reader = { locale: base.formContext.actorLocale, now: call.now() };
    const { prefill, ...more } = begin.prefill?.line === undefined ? begun : wordsAsText(begun, reader);
    const again = shown.safeParse(begin.prefill?.shown);
    return {
      formContext: { ...base.formContext, ...more, ...(again.success && { shown: again.data }) },
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

/** Initial values from a copied post, a typed line, a Slack message, or a template given by its id. */
async function postBeginning(call: Call, begin: OpenOptions): Promise<Beginning> {
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

/** Replaces the id of a template by its name if the service answers in time. */
async function withTemplateName(call: Call, beginning: Beginning): Promise<Beginning> {
  const { template, project } = asked.parse(beginning.prefill);
  if (!template || !project || template.id !== template.name) return beginning;
  const known = await templateNamed(call, project.id, template.id);
  return known ? { ...beginning, prefill: { ...beginning.prefill, template: known } } : beginning;
}

/** How long a form waits for a template's name. After that it shows the id. */
const WAIT_MS = 1_500;

/** Undefined if the service doesn't return the template in time. */
async function templateNamed(
  { context }: Call,
  project: string,
  id: string,
): Promise<NamedRecord | undefined> {
  const late = delay(WAIT_MS, undefined, { ref: false });
  const outcome = await Promise.race([context.reads.templates(context.api, project), late]);
  if (outcome?.kind !== 'done') return undefined;
  const found = outcome.data.items.find((template) => template.id === id);
  return found && { id: found.id, name: found.name };
}
