import { z } from 'zod';
import { named } from '../../../forms/field.ts';

/** What was typed and chosen, as it stood in the form. */
const typed = z.object({
  project: named.optional(),
  text: z.string(),
  /** What stood in the text's further fields. */
  more: z.array(z.string()).optional(),
  platforms: z.array(z.string()),
  status: z.enum(['SCHEDULED', 'DRAFT']),
  when: z.string(),
  zone: z.string(),
  media: z.string(),
  template: named.optional(),
  // The form had the id typed into it once.
  prompt: z
    .union([named, z.string().transform((id) => (id === '' ? undefined : { id, name: id }))])
    .optional(),
});

/** What is kept of a post that somebody submitted: all that is sent, and all that rebuilds its form. */
export const postContent = z.object({
  typed,
  /** What is sent, where it is not what stood in the first field. */
  text: z.string().optional(),
  project: named,
  readerZone: z.string().optional(),
  moment: z
    .object({
      instant: z.string(),
      zone: z.string(),
      /** What was assumed, in sentences. */
      notes: z.array(z.string()).optional(),
    })
    .optional(),
  /** The id of the draft that this is a copy of. */
  draft: z.string().optional(),
});
export type PostContent = z.infer<typeof postContent>;

/** The words of the post. */
export function sentText({ text, typed }: PostContent): string {
  return text ?? typed.text;
}
