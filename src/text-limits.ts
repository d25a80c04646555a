import { clip } from './words.ts';

interface TextLimit {
  /** Maximum length in UTF-16 units. */
  max: number;
  /** Whether a longer text is cut. Otherwise it counts as unreadable, because a part of it would be another value. */
  isCut: boolean;
}

/**
 * The limits of all texts from outside. Each text is limited where it is read, before anything else looks at it, so that
 * no text keeps other requests waiting. Texts that people only see are cut. A text that is compared, sent or exported as
 * a whole counts as unreadable if it is longer.
 */
export const TEXT_LIMITS = {
  /** The service's ids. Databases rarely give a key more (VARCHAR(255)), and Slack's menus hold 75. */
  id: { max: 255, isCut: false },
  /**
   * Names of projects, templates, sources, people and platforms, and statuses. More than any view shows: 150 in a
   * header (https://docs.slack.dev/reference/block-kit/blocks/header-block/). Slack's own names have up to 80.
   */
  name: { max: 200, isCut: true },
  /**
   * Texts of posts and templates, media, descriptions and values of sources. The longest text of a platform has 63,206
   * (Facebook), and the form takes 9,000.
   */
  content: { max: 65_536, isCut: false },
  /** Dates and time zones. ISO 8601 with a zone takes 60, and the longest name of a zone 40. */
  date: { max: 100, isCut: false },
  /** The platforms of a post as one text with commas. All names of the contract take 150. */
  platformList: { max: 2_000, isCut: false },
  /** Messages and details of a log. A page shows 200 of each line, and a cell of Excel holds 32,767. */
  logText: { max: 4_000, isCut: true },
  /** Names of files in Slack. File systems hold 255 (https://docs.kernel.org/filesystems/ext4/directory.html). */
  fileName: { max: 255, isCut: true },
} as const satisfies Record<string, TextLimit>;

export type LimitedField = keyof typeof TEXT_LIMITS;

/** Limits a text from outside. Undefined if it is too long and can't be cut. */
export function limitText(text: string, field: LimitedField): string | undefined {
  const { max, isCut } = TEXT_LIMITS[field];
  if (text.length <= max) return text;
  return isCut ? clip(text, max) : undefined;
}
