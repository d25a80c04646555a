/** Replaces times, names, ids and numbers, so that equal sentences about different posts are equal. */
export function toSkeleton(sentence: string): string {
  return sentence
    .replace(/“[^”]*”/gu, '“…”')
    .replace(
      /⟨\d+⟩|(\p{Lu}\p{L}+\.?,? )?\d{1,2} \p{Lu}\p{Ll}+( \d{4})?(,| at) \d{1,2}:\d{2}( [AP]M)?( \([^)]*\))?/gu,
      'TIME',
    )
    .replace(/\d{1,2}:\d{2}(:\d{2})?( [AP]M)?/gu, 'TIME')
    .replace(/<?@[\p{L}\d]+>?( \p{Lu}\p{L}+)?/gu, '@NAME')
    .replace(/<?#[\p{L}\d-]+>?/gu, '#CHANNEL')
    .replace(/§[a-z]+\d+(\.\d+)?/gu, '§POST')
    .replace(/\d+/gu, 'N');
}
