import { type NotUnderstood, REASONS } from '../../moment.ts';
import { type CanLeave, saysDay } from '../piece.ts';
import { findRefusal, hinted, type Refusals, wholeWords } from '../rule.ts';
import { MONTH, NUMBER_WORD, WEEKDAY } from './vocabulary.ts';

const VERBS =
  `go come get leave arrive meet see call talk speak work run launch publish post send share schedule book set put make
   take try remind email mail text ping message contact phone ring tweet upload release ship submit deliver visit travel
   fly drive walk play watch read write buy pay order sell check review plan discuss join attend host give complete drop
   pick move push shift change reschedule postpone wake cook clean wash study practice train prepare present announce
   broadcast stream record film edit draft approve sign update notify invite register apply renew cancel confirm depart
   land board reach live show sound look happen occur aim target remember forget ask tell say let help bring collect
   fetch return head find hold follow lead build carry fix repair install deploy restart reboot reset test measure paint
   draw sing dance swim ride climb hike jog rest relax celebrate shop feed pack unpack load unload lock unlock charge
   bake boil trim dress wear teach learn translate type print scan copy file vote donate rent transfer receive track
   turn switch borrow lend serve hire greet welcome interview debate explain finalize organize arrange manage handle
   process listen hear sleep nap drink grab gather hang wrap wait stay use enjoy treat throw catch win lose pass keep
   need want open enter exit cross pull chat log sync backup reply answer respond forward boost promote feature tag
   mention comment like repost retweet pin archive add create generate produce design shoot start begin end finish close
   think guess suppose believe expect know mean hope prefer queue enqueue photograph tape skype zoom facetime buzz nudge
   poke chase revisit debrief demo onboard kick catchup pencil`.split(/\s+/);

const NOUNS =
  `meeting appointment reminder event announcement party newsletter story reel thread article blog video podcast episode
   campaign ad offer sale webinar livestream conference standup retro session class lesson lecture exam game match
   concert movie flight bus trip deadline delivery ticket reservation table report presentation paper project task
   homework invoice bill conversation alarm doctor dentist gym school office home church store airport hotel line mom
   mum dad mother father brother sister son daughter uncle aunt grandma grandpa wife husband girlfriend boyfriend boss
   manager colleague coworker partner client customer team friend kid neighbor neighbour teacher student lawyer guest
   family group crew staff audience follower subscriber speaker content version picture photo carousel batch stuff thing
   park beach library museum theater theatre cinema restaurant cafe pub bar hospital clinic station mall market
   university college campus city town street garden garage kitchen room house apartment farm lake river mountain forest
   zoo stadium pool car bike truck dog food milk bread egg cheese coffee tea water beer wine pizza cake grocery
   groceries laundry dish dishes trash garbage package letter computer laptop server website site page database code
   software app system network printer camera tv radio music song guitar piano football soccer basketball baseball
   tennis golf hockey yoga chess budget contract proposal deal quote tax taxes insurance loan mortgage passport visa
   license certificate application form account password subscription membership payment refund receipt statement salary
   bonus ball bag box door window key light lights shoes clothes suit haircut checkup vet medicine pill gift card
   flowers seat gate road way place area floor building bridge plane boat ferry taxi cab tour camp barbecue bbq picnic
   drinks date brief briefing workshop training seminar hackathon meetup rehearsal audition ceremony gala fundraiser
   auction election race marathon tournament finals playoffs season rollout migration deployment maintenance outage
   downtime sprint planning retrospective feedback survey poll quiz contest giveaway challenge promo teaser trailer
   banner logo caption hashtag headline press media social channel platform slack facebook instagram linkedin twitter
   tiktok youtube pinterest discussion decision issue problem question idea topic agenda note notes list calendar slot
   brunch kickoff meal snack appt mtg convo kids children baby babysitter cleaner plumber electrician landlord
   accountant nurse therapist coach trainer barber hairdresser stylist chores errand errands parade choir band bank
   pharmacy supermarket bakery pet cat groomer oven product service birthday anniversary result document doc folder
   slide slides deck spreadsheet sheet chart graph album playlist`.split(/\s+/);

const OTHERS =
  `a an the my our your whose what whats anything something his her their its this that these those some any all of at
   by for in on with about near around here there it him them me us i we you he she they who which someone somebody
   everyone everybody people folks guys be is are am being will would should shall can could might must do does have has
   just really very quite simply please big small little new old final important urgent quick short great good nice fine
   best better free special private public online remote virtual official available busy ready awesome perfect possible
   because so too also well ok okay together alone again back up out off along ahead away down if as than more over then
   gonna wanna`.split(/\s+/);

/** Common words that can change a time, so can't be left unread. */
const NEVER = new Set(
  'than ahead away date if more all cancel cancels canceling forget forgets forgetting'.split(' '),
);

/** "Call", "calls", "calling"; "go", "goes"; "set", "setting". */
function verbForms(verb: string): readonly string[] {
  const isDoubled = /^[^aeiou]*[aeiou][bgmnpt]$/.test(verb);
  const stem = isDoubled ? `${verb}${verb.slice(-1)}` : verb.replace(/(?<=[^e])e$/, '');
  return [verb, `${verb}s`, /(?:[sxz]|[cs]h|o)$/.test(verb) ? `${verb}es` : verb, `${stem}ing`];
}

const WORDS: ReadonlySet<string> = new Set(
  [...VERBS.flatMap(verbForms), ...NOUNS.flatMap((noun) => [noun, `${noun}s`]), ...OTHERS].filter(
    (word) => !NEVER.has(word),
  ),
);

/** Whether it's a word of everyday sentences that says nothing about time. */
function isEveryday(word: string): boolean {
  return WORDS.has(word.replace(/'(?:s|ll|d|m|re|ve)$/, ''));
}

const SOFTENED =
  "probably|perhaps|ideally|preferably|hopefully|definitely|possibly|tentatively|if\\spossible|if\\syou\\scan|if\\s(?:that|it)(?:'s|\\sis)?\\s(?:ok|okay|fine|possible|works)|what\\sabout|how\\sabout|how|straight|or\\sthereabouts|thereabouts|on\\sor\\sabout|some\\spoint|(?:at\\s)?the\\s(?:very\\s)?(?:latest|earliest)|at\\searliest|later|effective|as\\sof|let's(?:\\sgo\\swith)?|let\\sus";
const GREETING =
  'good\\s(?:morning|afternoon|evening|night|day)|hi|hello|hey|dear|yes|yeah|yep|yup|sure|um+|uh+|er+|hm+|thanks|thank\\syou|thx|ty|cheers|kindly|pls|plz|instead(?!\\sof)|alright';
const MOVE = '(?:move|push|bump|shift|change|reschedule|postpone|delay|set|bring)';
/** "Push it to" the time that follows. */
export const MOVED = `${MOVE}\\s(?:(?:it|this|that|them)\\s)?to`;

/** "Move the meeting to": whatever is moved, it's no part of the time. */
const MOVED_THING = new RegExp(`\\b${MOVE}\\s(?:the|my|our|your)\\s[a-z]+\\sto\\b`, 'gi');

/** Phrases around a time. No words that change it, such as "not" or "before". */
const SMALL_TALK = `(?:${MOVED}|${SOFTENED}|${GREETING})`;

/** Words that join or soften a time without changing it. */
const FILLERS =
  "on\\sthe\\s(?:dot|nose|button)|at\\sthe\\sstroke\\sof|at\\sthe\\slatest|(?:no|not)\\slater\\sthan|not\\s(?:before|earlier\\sthan|sooner\\sthan)|or\\sso|at|on|in|of|the|by|for|around|about|approximately|approx|roughly|exactly|precisely|sharp|promptly|please|(?:remind|message|tell)\\sme|(?:to\\s)?(?:post|publish|send|schedule|share)(?:\\s(?:it|this|that))?|some\\s?time|maybe|actually|rather|circa|ca\\.|no\\s(?:sooner|earlier)\\sthan|any\\s?time|starting|due|right|just|say|let's\\s(?:do|say|go\\swith)|how\\sabout|(?:my|our|local)\\stime|(?:time\\s?)?zone|o['’]?clock|hrs|h|ish";

/** One filler at a time, so that a long text of fillers takes linear time. */
const PIECE = new RegExp(
  `[\\s,:;.@~()[\\]|!?/-]+|(?:\\b|(?<=:))(?:${SMALL_TALK}|${FILLERS})(?:\\b|(?<=:))`,
  'gi',
);

const PLAIN_WORDS = new RegExp(`\\b(?:${FILLERS}|maybe|perhaps|probably)\\b`, 'i');
const PLAIN_PIECE = new RegExp(`[\\s,:;.@~()[\\]|!?/-]+|${PLAIN_WORDS.source}`, 'gi');

/** Whether the text has words that join or soften a time. */
export function hasPlainFiller(text: string): boolean {
  return PLAIN_WORDS.test(text);
}

/** Whether the words only join or soften a time: no sentence, no title. */
export function isPlainFiller(text: string): boolean {
  return text.replaceAll(PLAIN_PIECE, '') === '';
}

/** Whether words around a time can be dropped: they join or soften it, or are small talk. */
export function isFiller(text: string): boolean {
  return text.replaceAll(PIECE, '') === '';
}

/** Whether words around a time say nothing about it: fillers, and words for what people do at that time. */
export function isSentence(text: string): boolean {
  if (WORDS.has(text.toLowerCase())) return true;
  const rest = text.replaceAll(MOVED_THING, ' ').replaceAll(PIECE, ' ').trim().toLowerCase();
  if (rest === '') return true;
  // "The monday of the conference" isn't the next monday, nor "the end of monday" its 09:00.
  if (/^\s*of\b|\b(?:start|end)\sof\b/i.test(text)) return false;
  const words = rest.split(/ +/);
  // "To the office", "from school".
  return words.every(
    (word, index) => isEveryday(word) || (/^(?:to|from)$/.test(word) && index + 1 < words.length),
  );
}

/** Whether the words around a moment can stay unread. "The sun is up" is no sunday. */
export const isSentenceAround: CanLeave = ({ meaning }, around) =>
  meaning.isOrdinaryWord !== true && around.every(isSentence);

const NOW = wholeWords(
  'now|rn|asap|a\\.s\\.a\\.p\\.?|(?:as\\s)?soon\\sas\\s(?:possible|you\\scan)|immediately|(?:straight|right)\\saway|at\\sonce|(?:at\\s)?this\\s(?:instant|minute|moment|time)|at\\s(?:the\\s(?:moment|present\\stime)|present)|atm',
);

/** Whether the text is "now" or means it, with nothing but fillers around: "post it now please", "asap". */
export function isNow(text: string): boolean {
  if (!NOW.test(text)) return false;
  const [before, after, ...more] = text
    .replace(/\b(?:right|today)\s(?=now\b|asap\b)|(?<=\b(?:now|asap)\s)today\b/gi, '')
    .split(NOW);
  return after !== undefined && more.length === 0 && [before, after].every((words) => isFiller(words ?? ''));
}

/** Words about time, repetition or conditions, in any known language, and past tenses: they can change a time. */
const ABOUT_TIME = new RegExp(
  `^(?:${[
    'not?|nor|never|none|nothing|neither|without|unless|except|excluding|but|besides|instead|rather|skip|avoid|stop|cancel|forget|delete|remove|undo|unpublish|unschedule',
    'before|after|until|till?|since|from|between|during|while|when|whenever|once|if|whether|within|through|past|prior|ahead|behind|beyond|ago|later|earlier|sooner|soon|shortly|now|asap|immediately|instantly|recently|already|still|yet|again|ever|always|often|usually|sometimes|mostly|every|each|other|another|alternate|either|or|and|plus|minus|and|versus|vs|than',
    'last|latest|next|previous|following|coming|upcoming|current|second|third|first|final|middle|mid|early|late|half|quarter|beginning|rest|term|season|spring|summer|autumn|fall|winter|holidays?|vacation|break|eve|dawn|dusk|sunrise|sunset|noon|sun|moon|tide',
    'seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|decades?|fortnights?|weekends?|morning|afternoon|evening|tonight|midnight|more|less|most|all',
    'dozens?|hundreds?|thousands?|few|several|couple|many|much|pair|twice|double|triple|minimum|maximum|date|time|times|o|hour|clock|fast|slow|back|forward|behind',
    'met|went|came|saw|had|did|left|sent|got|took|made|said|told|spoke|began|flew|ran|bought|gave|thought|knew|felt|kept|held|wrote|sat|stood|lost|paid|heard|began|became|brought|slept|ate|drank|drove|rode|woke|was|were|been|gone|done|seen',
    'uhr|gegen|morgens?|mittags?|vormittags?|nachmittags?|abends?|nachts?|heute|gestern|tag|jour|soir|matin|midi|minuit|nuit|demain|hier|tarde|noche|manana|hoy|ayer|sera|mattina|oggi|domani|ieri|notte|avond|ochtend|middag|nacht|noite|manha|hoje|amanha|ontem',
    NUMBER_WORD,
    MONTH,
    WEEKDAY,
  ].join('|')})$`,
);

/** "9am XYZ" is an unknown time zone. */
const ABBREVIATION = /^[A-Z]{2,5}$/;

/** A past tense ("visited"), a name of a day or time ("payday", "tea-time"), or a typo of one. */
const LOOKS_LIKE_TIME = /(?:[^e]ed|days?|time|times|nights?|ish|wards?|ly|uary|ember|ober|teen|ty|th)$/;

/** "Q3 kickoff", "pride month launch", "summer sale", "48h sale": a title begins with the name of a period. */
const NAMED_PERIOD = new RegExp(
  `(?:\\b(?:[qh][1-4]|spring|summer|autumn|fall|winter|\\d{1,3}[\\s-]?(?:h|hrs?|hours?|days?)|${MONTH})\\b|\\b(?!(?:this|next|last|the|every|each|an?|all|same|of|in|per|one|two|three|four)\\b)[a-z]{3,}\\s(?:month|week|season)\\b)(?=[\\s:,-]+(?:of\\s)?[a-z]{3,})`,
  'gi',
);

/** After a time, a title begins with such a word. A place could be a time zone. */
const GOES_ON = /^\s*[,.:;-]?\s*(?:to|for|with|about|regarding|at)\s|^\s*-\s/i;

/** Whether the words around a day and a time can be a title: "kickoff monday 9am". A day alone ("sun") may be none. */
export const isTitleAround: CanLeave = ({ meaning }, around) => {
  const isTimed = meaning.hour !== undefined && !meaning.needsDay;
  return saysDay(meaning) && isTimed && around.every((gap, index) => canPassOver(gap, index > 0));
};

/** Whether the words are a title, and say nothing about time. */
function canPassOver(gap: string, isAfter: boolean): boolean {
  if (isPlainFiller(gap)) return true;
  const words = (isAfter ? gap : gap.replaceAll(NAMED_PERIOD, 'name')).split(/[\s,.:;!?()-]+/);
  if (/[^a-z\s',.:;!?()-]|\b(?:start|end)\sof\b/i.test(words.join(' '))) return false;
  if (isAfter && !GOES_ON.test(gap)) return false;
  return words.every((word) => word === '' || isEveryday(word.toLowerCase()) || isTitle(word));
}

function isTitle(word: string): boolean {
  const small = word.toLowerCase().replace(/'s?$/, '');
  if (ABBREVIATION.test(word) || small.length < 2 || small.includes("'")) return false;
  return /^(?:to|with)$/.test(small) || !(ABOUT_TIME.test(small) || LOOKS_LIKE_TIME.test(small));
}

const PERIODS = '(?:day|weekday|week|weekend|month|quarter|year|morning|afternoon|evening|night)';
const UNITS = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)';

/** Things with numbers: "room 204". */
const NUMBERED =
  'rooms?|gates?|version|episodes?|chapters?|pages?|levels?|platform|terminal|seats?|season|lesson|unit|apartment|suite|floor|route|highway|exit|step|phase|volume|figure|section|items?|issue|ticket|task|slide|question|bus|flight|train';

const REFUSALS: Refusals = [
  [
    hinted(
      /yesterday|ago|last|past|previous|earlier/i,
      `(?<!\\b(?:from|after)\\s)yesterday|ago|(?:last|past|previous)\\s(?:${PERIODS}|${WEEKDAY}|${MONTH})(?!\\s(?:(?:morning|afternoon|evening|night)\\s)?(?:of|in|this|next)\\b|\\sbefore\\s(?!noon|midnight|lunch|\\d+\\s?(?:[ap:.]|o')))|(?<!\\bnot?\\s)earlier|in\\sthe\\spast`,
    ),
    REASONS.past,
  ],
  [
    hinted(
      /every|each|ly\b|annual|(?:onc?e|twice)\sa|(?:day|ing|noon|night|end)s/i,
      `every\\w*|each|daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|fortnightly|bi-?(?:weekly|monthly|annual(?:ly)?)|hourly|(?:once|twice|one)\\sa\\s${PERIODS}|(?<!\\b(?:in|after)\\s(?:\\d{1,2}|${NUMBER_WORD})\\s)(?:(?:sun|mon|tues|wednes|thurs|fri|satur)days|mornings|afternoons|evenings|nights|weekends|week-?days)(?!\\s(?:from\\s(?:now|today)|hence|later|out|away|before|after|(?:'s?)?\\stime)\\b)`,
    ),
    REASONS.repeats,
  ],
  [
    hinted(
      /between|until|til|thr(?:ough|u)|from|since|for\s/i,
      `between|until|(?<!\\b(?:quarter|half|twenty(?:[\\s-]five)?|1[3-9]|[2-5]\\d|min(?:ute)?s?|(?:5|five)(?=\\still?\\s(?:noon|midnight)))\\s)till?|through|thru|(?:from|since)\\s(?!now\\b|today\\b).*(?:\\sto\\s|\\s?[-~]\\s?).*|for\\s(?:the\\s)?(?:\\d+(?:\\.\\d+)?|${NUMBER_WORD}|an?)\\s?${UNITS}`,
    ),
    REASONS.range,
  ],
  [
    /(?<![\d./-]|w|\d\s?(?:[ap]m)?\son\s)(?!(?<=\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\.?\s)\d\d?\s-\s\d\d?(?::\d\d|\s?[ap]\.?m)|(?:2[5-9]|3[01])-\d\d?(?!\d)|\d\d?-(?:2[5-9]|3[01])(?!\d)|\d\d?-\d\d?,?\s(?:at\s)?\d{1,2}(?::\d\d|\s?[ap]\.?m))\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?\s?[-~]\s?\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\.?)?(?![\d./-])/i,
    REASONS.range,
  ],
  [
    new RegExp(
      `^\\W*(?:(?:during|for|throughout|all)\\s(?:of\\s)?(?:the\\s)?(?:(?:this|next|coming|following)\\s)?(?:week|weekend|month|quarter|year|${MONTH})(?:\\s\\d{4})?|(?:the\\s)?(?:week|month|quarter|year))\\W*$`,
      'i',
    ),
    REASONS.period,
  ],
  [
    wholeWords('in\\s\\d{1,2}\\s?:\\s?[0-5]\\d(?!\\s?[ap]\\.?m)'),
    'That could be a duration or a time. Write “in 1 hour 30 minutes” or “at 1:30 pm”.',
  ],
  [
    hinted(
      new RegExp(`(?:${NUMBERED})\\s`, 'i'),
      `(?:${NUMBERED})\\s(?:no\\.?\\s|number\\s)?#?\\d{1,4}(?:\\.\\d{1,2})?(?!\\s?(?:[ap]\\.?m|[ap]\\b|h\\b|st|nd|rd|th|o'|min|sec|hour|day|week|month|year|${MONTH})|[-/:.\\d]|\\sin\\sthe\\s)`,
    ),
    'That number isn’t a time. Add a date or time.',
  ],
  [/(?<![\d/])24\s?\/\s?7(?:\s?\/\s?365)?(?![\d/])/, REASONS.repeats],
  [
    wholeWords('(?:i|you|he|she|it|we|they|who|have|has|had)\\ssat|sat\\s(?:down|back|through|around|by)'),
    'I found no date or time.',
  ],
  [wholeWords('(?<!\\bon\\s)or(?!\\s(?:so|thereabouts)\\b)'), REASONS.choice],
];

/** The refusal of a text that isn't one time in the future. */
export function refusalOf(text: string): NotUnderstood | undefined {
  return findRefusal(REFUSALS, text);
}
