const WHO = "(?:i|we|you|he|she|they|it|me|us|him|her|them|everyone|everybody)(?:'(?:ll|d|m|re|s|ve))?";
const HOPES =
  '(?:will|would|should|shall|can|could|must|need|needs|want|wants|have|has|like|love|plan|plans|hope)';
const DOES =
  '(?:be|is|are|am|do|go|goes|come|get|leave|arrive|return|meet|see|call|talk|speak|work|start|begin|open|run|launch|publish|post|send|share|schedule|book|set|put|make|take|try|remind|return)';
const WHAT =
  '(?:meeting|call|appointment|reminder|event|post|message|email|announcement|launch|release|interview|party|it|this|that)';

/** What people say around a moment: who does what. Never words that turn or move a time, such as "not", "to" or "before". */
export const SMALL_TALK = `(?:${WHO}|${HOPES}|(?:to\\s)?${DOES}|(?:an?\\s|the\\s|our\\s|my\\s)?${WHAT}|back|again|let's|free|available|so|well|then|ok|okay|hi|hello|thanks|thank\\syou)`;
