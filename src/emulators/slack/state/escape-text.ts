/** `&`, `<` and `>` as Slack sends text (docs.slack.dev, "Formatting text"). */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
