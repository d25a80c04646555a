import { tidied } from './tidied.ts';

/** What `/upnext digest …` asks for, before its days, time, zone and project are looked at. */
export type DigestWords =
  | { kind: 'list' }
  | { kind: 'new' }
  | { kind: 'set'; isMine: boolean; isWeekly: boolean; words: string };

const LIST = /^(?:list|all|show|status)?$/i;
const NEW = /^(?:new|add|create|set ?up|form)$/i;
const MINE = /(?:^|\s)(?:(?:for|to)\s+me|me|dm|myself|private(?:ly)?)(?=\s|$)/i;
const WEEKLY = /(?:^|\s)weekly(?:\s+on)?(?=\s|$)/i;
/** Without them the days alone stand there. */
const FILLERS = /^(?:(?:here|set|post|please)\s+)+|\s+here$/gi;

/** "weekdays 8:30 in Europe/Berlin for Harbour Coffee", "me weekly monday 9:00", "list", "new". */
export function readDigestWords(words: string): DigestWords {
  const plain = tidied(words);
  if (LIST.test(plain)) return { kind: 'list' };
  if (NEW.test(plain)) return { kind: 'new' };
  const isMine = MINE.test(plain);
  const isWeekly = WEEKLY.test(plain);
  const rest = plain.replace(MINE, ' ').replace(WEEKLY, ' ').replace(FILLERS, '');
  return { kind: 'set', isMine, isWeekly, words: tidied(rest) };
}
