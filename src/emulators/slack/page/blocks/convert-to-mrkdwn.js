/**
 * Converts the inline formatting of standard markdown to mrkdwn.
 * @param {string} markdown
 */
export function convertToMrkdwn(markdown) {
  return markdown
    .split(/(```[\s\S]+?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : convertFormatting(part)))
    .join('');
}

/** @param {string} text */
function convertFormatting(text) {
  return text
    .replaceAll('&', '&amp;')
    .replace(/<(?!https?:)/g, '&lt;')
    .replace(/(^|[^*])\*([^*\s][^*\n]*)\*(?!\*)/g, '$1_$2_')
    .replace(/\*\*([^*\n]+)\*\*/g, '*$1*')
    .replace(/~~([^~\n]+)~~/g, '~$1~')
    .replace(/!?\[([^\]\n]+)\]\((https?:[^)\s]+)\)/g, '<$2|$1>');
}
