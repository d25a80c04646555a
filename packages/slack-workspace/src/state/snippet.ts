import { escapeText } from '../blocks/returned-text.ts';
import type { Json } from '../json.ts';
import type { StoredFile } from './saved-state.ts';

/** The number of lines in the preview of a snippet. */
const PREVIEW_LINES = 5;

/** The fields of a snippet, with its preview (docs.slack.dev/reference/objects/file-object). */
export function buildSnippetPart({ snippet }: StoredFile, permalink: string): Json {
  if (!snippet) return {};
  const lines = snippet.text.split('\n');
  const preview = lines.slice(0, PREVIEW_LINES);
  const code = preview.map((line) => `<div><pre>${escapeText(line)}</pre></div>`).join('\n');
  return {
    mode: 'snippet',
    editable: true,
    edit_link: `${permalink}/edit`,
    preview: preview.join('\n'),
    preview_highlight: `<div class="CodeMirror cm-s-default CodeMirrorServer">\n<div class="CodeMirror-code">\n${code}\n</div>\n</div>\n`,
    lines: snippet.lines,
    lines_more: Math.max(0, snippet.lines - PREVIEW_LINES),
    preview_is_truncated: snippet.lines > PREVIEW_LINES,
  };
}

/** Reads the lines that a snippet's preview needs. */
export function readSnippet(type: string, bytes: Buffer): NonNullable<StoredFile['snippet']> {
  const lines = bytes.toString('utf8').split('\n');
  return { type, lines: lines.length, text: lines.slice(0, PREVIEW_LINES).join('\n') };
}
