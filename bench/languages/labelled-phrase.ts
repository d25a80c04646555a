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

/** A phrase that must be refused, or one that means the current time: "now". */
const special = z.union([z.object({ refuse: z.literal(true) }), z.object({ kind: z.literal('soon') })]);

/** A phrase and its meaning, labelled by people. `reference` is the time at which the phrase is parsed. */
export const labelledPhrase = z.object({
  suite: z.string().default(''),
  /** The language of the words. Defaults to the language of the locale. */
  language: z.string().optional(),
  input: z.string(),
  reference: z.string(),
  zone: z.string(),
  locale: z.string().default('en'),
  expected: z.union([meaning, special]),
  alternatives: z.array(meaning).default([]),
});

export type LabelledPhrase = z.infer<typeof labelledPhrase>;
