/** The same words with plain blanks, dashes and apostrophes, and nothing invisible between them. */
export function tidyText(text: string): string {
  return text
    .replace(/(?<=\d)(?=[½¼¾])/g, ' ')
    .normalize('NFKC')
    .replaceAll('⁄', '/')
    .replace(/\p{Cf}/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
