import { z } from 'zod';
import { READINGS } from '../when/when.ts';

/** Phrases with their locale and answer, by topic. `as` is the kind of reading. */
const phraseTables = z.array(
  z.object({
    title: z.string(),
    as: z.enum(['moment', ...READINGS]),
    phrases: z.array(z.tuple([z.string(), z.string(), z.string()])),
  }),
);

export function parsePhraseTables(json: string): z.infer<typeof phraseTables> {
  return phraseTables.parse(JSON.parse(json));
}

/** The tables in the README of `when`, generated from the phrases of a test. */
export function renderPhraseTables(json: string): string {
  return parsePhraseTables(json).map(renderTable).join('\n\n');
}

function renderTable({ title, phrases }: z.infer<typeof phraseTables>[number]): string {
  const rows = phrases.map(([locale, phrase, answer]) => `| \`${phrase}\` | ${locale} | ${answer} |`);
  return [`### ${title}`, '', '| Phrase | Locale | Answer |', '|---|---|---|', ...rows].join('\n');
}
