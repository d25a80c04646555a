import type { Json } from '../json.ts';
import type { StoredFile } from './saved-file.ts';

/** Lines of a snippet that Slack shows at once. */
const PREVIEW_LINES = 5;

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The beginning of a snippet (docs.slack.dev/reference/objects/file-object). */
export function snippetPart({ snippet }: StoredFile, permalink: string): Json {
  if (!snippet) return {};
  const lines = snippet.text.split('\n');
  const shown = lines.slice(0, PREVIEW_LINES);
  const code = shown.map((line) => `<div><pre>${escapeHtml(line)}</pre></div>`).join('\n');
  return {
    mode: 'snippet',
    editable: true,
    edit_link: `${permalink}/edit`,
    preview: shown.join('\n'),
    preview_highlight: `<div class="CodeMirror cm-s-default CodeMirrorServer">\n<div class="CodeMirror-code">\n${code}\n</div>\n</div>\n`,
    lines: snippet.lines,
    lines_more: Math.max(0, snippet.lines - PREVIEW_LINES),
    preview_is_truncated: snippet.lines > PREVIEW_LINES,
  };
}

/** What is stored of a snippet's text, for its preview. */
export function readSnippet(type: string, bytes: Buffer): NonNullable<StoredFile['snippet']> {
  const lines = bytes.toString('utf8').split('\n');
  return { type, lines: lines.length, text: lines.slice(0, PREVIEW_LINES).join('\n') };
}
