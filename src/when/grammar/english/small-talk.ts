const SOFTENED =
  "probably|perhaps|ideally|preferably|hopefully|definitely|possibly|tentatively|if\\spossible|if\\syou\\scan|if\\s(?:that|it)(?:'s|\\sis)?\\s(?:ok|okay|fine|possible|works)|what\\sabout|how\\sabout|how|straight|(?:date|time|day|when)\\s?:|or\\sthereabouts|thereabouts|on\\sor\\sabout|some\\spoint|(?:at\\s)?the\\s(?:very\\s)?(?:latest|earliest)|at\\searliest|later|effective|as\\sof|starts?(?!\\sof)|begins?(?!\\sof)|ends|finishes|closes|over|then|let's|let\\sus|had\\sbetter|going\\sto|gonna|wanna|think(?:ing)?|guess|suppose|believe|expect|know|mean|hop(?:e|ing)|plan(?:s|ning)?|prefer";
const GREETING =
  'good\\s(?:morning|afternoon|evening|night|day)|hi|hello|hey|dear|yes|yeah|yep|yup|sure|um+|uh+|er+|hm+|thanks|thank\\syou|thx|ty|cheers|kindly|pls|plz|instead(?!\\sof)|alright';
const MOVED =
  '(?:move|push|shift|change|reschedule|postpone|delay|set|bring)\\s(?:it|this|that|them|(?:the|my|our|your)\\s[a-z]+)\\sto';

/** What people say around a moment in fixed words. Never words that turn or move a time, such as "not" or "before". */
export const SMALL_TALK = `(?:${MOVED}|${SOFTENED}|${GREETING})`;
