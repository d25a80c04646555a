import type { Platform } from '../../api/platforms.ts';

/** What a platform says to a post, for the field that it belongs to. `words` is plain text for people. */
export interface Finding {
  platforms: readonly Platform[];
  field: 'Content' | 'Media' | 'Platforms';
  words: string;
}

export interface Findings {
  /** The platform would refuse the post for certain. */
  stops: Finding[];
  /** Sources disagree, or it cannot be judged from here. */
  warnings: Finding[];
}

/** A post, as far as the platforms' rules look at it. */
export interface JudgedPost {
  content: string;
  media: string;
  /** A template or prompt is chosen: what is missing here may come from there, and what is here may change. */
  contentFromElsewhere?: boolean;
  /** The same text goes out more than once. */
  repeated?: boolean;
}

/** "63,206". */
export function count(number: number): string {
  return number.toLocaleString('en-US');
}
