/** Words, and where and when they were written. */
export interface Question {
  text: string;
  now: Date;
  /** The IANA name of the zone to read in where the words name none; one that isZone knows. */
  zone: string;
  /** BCP 47, such as "en-GB": language, order of 03/04, first day of the week. Without it, as in en-US. */
  locale?: string;
}
