import { z } from 'zod';

/** The sections of a digest, in the order in which they are shown. */
export const SECTIONS = ['next', 'ahead', 'late', 'collisions', 'gaps', 'drafts', 'changes'] as const;
export type Section = (typeof SECTIONS)[number];

/** The names of the sections in the digest's form. At most 75 characters each. */
export const SECTION_NAMES: Readonly<Record<Section, string>> = {
  next: 'The next post',
  ahead: 'Today and the next 36 hours; weekly: the week, also as a picture',
  late: 'Posts that should have gone out and have not',
  collisions: 'Posts on one platform less than 30 minutes apart',
  gaps: 'Weekdays without a post, of the next five',
  drafts: 'Drafts whose date is near',
  changes: 'What changed since the last one',
};

const chosen = z.object({ parts: z.array(z.string()) });

/** Parses a digest's stored sections. Defaults to all sections if none is known to this version. */
export function parseSections(stored: unknown): readonly Section[] {
  const parts = chosen.safeParse(stored).data?.parts;
  const known = SECTIONS.filter((section) => parts?.includes(section));
  return known.length > 0 ? known : SECTIONS;
}

/** The form in which a digest's sections are stored. */
export function toStoredSections(parts: readonly string[]): unknown {
  return { parts: SECTIONS.filter((section) => parts.includes(section)) };
}
