/** What a form for a post begins with beside what it was opened with. */
export interface Beginning {
  /** Values by field. */
  prefill: Readonly<Record<string, unknown>>;
  /** What is to be known of it; plain text. */
  said?: string[];
  /** The id of the draft that this is a copy of. */
  draft?: string;
}
