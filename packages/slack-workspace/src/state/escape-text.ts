/** Escapes `&`, `<` and `>` as Slack does (docs.slack.dev, "Formatting text"). Slack doesn't escape quotes. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
