import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import type { Named } from '../../../forms/field.ts';
import type { Begin } from '../../../forms/loaded.ts';
import type { Beginning } from './beginning.ts';
import { copiedPost } from './copied-post.ts';
import { lineBeginning } from './line-beginning.ts';
import { messageBeginning, startingMessage } from './message-beginning.ts';

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
export async function postBeginning(call: Call, begin: Begin): Promise<Beginning> {
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
