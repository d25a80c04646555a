import { z } from 'zod';

const meaning = z.object({
  granularity: z.enum(['second', 'minute', 'hour', 'daypart', 'date', 'time']),
  date: z.string().default(''),
  time: z.string().default('00:00'),
  offsetMin: z.number().nullish(),
  /** Minutes of the day: a part of it. */
  from_: z.number().default(0),
  to: z.number().default(0),
});

export type Meaning = z.infer<typeof meaning>;

/** A phrase and what those who collected it say that it means. */
export const labelledPhrase = z.object({
  input: z.string(),
  reference: z.string(),
  zone: z.string(),
  locale: z.string().default('en'),
  expected: meaning,
  alternatives: z.array(meaning).default([]),
});

export type LabelledPhrase = z.infer<typeof labelledPhrase>;
