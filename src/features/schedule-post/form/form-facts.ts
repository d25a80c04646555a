import { z } from 'zod';

const named = z.object({ id: z.string(), name: z.string() });

/** What was typed and chosen, as it stands in the form. */
const typed = z.object({
  project: named.optional(),
  text: z.string(),
  platforms: z.array(z.string()),
  status: z.enum(['SCHEDULED', 'DRAFT']),
  when: z.string(),
  zone: z.string(),
  media: z.string(),
  template: named.optional(),
  prompt: z.string(),
});
export type Typed = z.infer<typeof typed>;

/** What an open form rests on; kept in the database behind the form's opaque id. */
const formFacts = z.object({
  channel: z.string().optional(),
  /** What the form began with, where that was not empty. */
  prefill: typed.partial().optional(),
  /** Absent until the service has answered. */
  loaded: z
    .object({
      /** At most a select's hundred; `more` says that there are others, which the select then searches. */
      projects: z.array(named),
      more: z.boolean(),
      /** The one that is not asked for, or the channel's. */
      chosen: named.optional(),
      /** The person's own, from their Slack profile; absent where Slack did not say. */
      readerZone: z.string().optional(),
      /** The language that the person reads and writes, e.g. `de-DE`; absent where Slack did not say. */
      readerLocale: z.string().optional(),
    })
    .optional(),
});
export type FormFacts = z.infer<typeof formFacts>;
export type Loaded = NonNullable<FormFacts['loaded']>;

/** Undefined for facts that another version has kept. */
export function readFacts(json: string): FormFacts | undefined {
  const read = formFacts.safeParse(JSON.parse(json));
  return read.success ? read.data : undefined;
}

/** What is kept of a post that somebody submitted: all that is sent, and all that rebuilds its form. */
export const postContent = z.object({
  typed,
  project: named,
  readerZone: z.string().optional(),
  moment: z.object({ instant: z.string(), zone: z.string() }).optional(),
});
export type PostContent = z.infer<typeof postContent>;
