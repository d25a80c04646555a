import { z } from 'zod';

/** The sections of a digest, in the order in which they are shown. */
export const SECTIONS = ['next', 'ahead', 'late', 'collisions', 'gaps', 'drafts', 'changes'] as const;
export type Section = (typeof SECTIONS)[number];

/** The names of the sections in the digest's form. At most 75 characters each. */
export const SECTION_NAMES: Readonly<Record<Section, string>> = {
  next: 'The next post',
  ahead: 'Today and the next 36 hours, or the week with a picture',
  late: 'Overdue posts',
  collisions: 'Posts under 30 minutes apart on one platform',
  gaps: 'Weekdays without a post',
  drafts: 'Drafts due soon',
  changes: 'Changes since the last digest',
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
