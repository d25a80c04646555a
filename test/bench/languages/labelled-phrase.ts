import { z } from 'zod';

const meaning = z.object({
  granularity: z.enum(['second', 'minute', 'hour', 'daypart', 'date', 'time']),
  date: z.string().default(''),
  time: z.string().default('00:00'),
  offsetMin: z.number().nullish(),
  /** A part of the day: its start and end, in minutes since midnight. */
  from_: z.number().default(0),
  to: z.number().default(0),
});

export type Meaning = z.infer<typeof meaning>;

/** A phrase and its meaning, labelled by people. `reference` is the time at which the phrase is parsed. */
export const labelledPhrase = z.object({
  input: z.string(),
  reference: z.string(),
  zone: z.string(),
  locale: z.string().default('en'),
  expected: meaning,
  alternatives: z.array(meaning).default([]),
});

export type LabelledPhrase = z.infer<typeof labelledPhrase>;
