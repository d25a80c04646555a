/** What services put where a secret was: runs of one sign, words in brackets, or something left out in the middle. */
const MASKS = [
  /[*•●∙·▪■×✱＊]{3,}/u,
  /(?:^|[^\p{L}])x{3,}(?:$|[^\p{L}])/iu,
  /#{4,}/,
  /[…⋯]/u,
  /\.{3,}/,
  /[[<({]\s*(?:redacted|hidden|masked|filtered|secret|removed|private)\s*[\])}>]/i,
  /^\s*(?:redacted|hidden|masked|filtered)\s*$/i,
];

/** Whether a value is not the value itself but a stand-in for it. Rather once too often: it is only asked for then. */
export function looksMasked(value: string): boolean {
  return MASKS.some((mask) => mask.test(value));
}
