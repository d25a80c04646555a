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

const storedSections = z.object({ sections: z.array(z.string()) });

/** Parses a digest's stored sections. Defaults to all sections if this version knows none of them. */
export function parseSections(stored: unknown): readonly Section[] {
  const names = storedSections.safeParse(stored).data?.sections;
  const sections = SECTIONS.filter((section) => names?.includes(section));
  return sections.length > 0 ? sections : SECTIONS;
}

/** Converts the names of sections to the stored form. Drops unknown names. */
export function toStoredSections(names: readonly string[]): unknown {
  return { sections: SECTIONS.filter((section) => names.includes(section)) };
}
